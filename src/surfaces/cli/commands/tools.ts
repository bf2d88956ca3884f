import type { ToolsOptions } from '../../../table/programs.ts';
import { jsonLine } from '../answer.ts';
import type { Call } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { styled } from '../terminal/style.ts';

export async function run({ args, options, terminal }: Call<ToolsOptions>): Promise<number> {
  const { toolset } = await import('../../../tools/toolset/toolset.ts');
  const { readOnly, prefix } = options;
  const detail = options.full || !options.json ? 'full' : 'brief';
  const set = (args[0] ?? 'all') as 'all';
  const offered = toolset({ tools: set, readOnly, prefix, detail });
  if (options.json) {
    const list = offered.map(({ run: _run, input: _input, ...plain }) => plain);
    await terminal.print(jsonLine({ ok: true, message: `${list.length} tools`, data: { tools: list } }));
    return EXIT.done;
  }
  for (const { name, description, readOnly: reads } of offered) {
    await terminal.print(
      styled('bold', name),
      reads ? styled('dim', ' (reads)') : '',
      `\n    ${description}\n`,
    );
  }
  return EXIT.done;
}
