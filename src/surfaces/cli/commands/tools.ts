import type { ToolsOptions } from '../../../table/programs.ts';
import { answer } from '../answer.ts';
import type { Call } from '../command.ts';
import { styled } from '../terminal/style.ts';

export async function run(call: Call<ToolsOptions>): Promise<number> {
  const { args, options } = call;
  const { toolset } = await import('../../../tools/toolset/toolset.ts');
  const { readOnly, prefix } = options;
  const detail = options.full || !options.json ? 'full' : 'brief';
  const set = (args[0] ?? 'all') as 'all';
  const offered = toolset({ tools: set, readOnly, prefix, detail });
  const list = offered.map(({ run: _run, input: _input, ...plain }) => plain);
  const done = { ok: true, message: `${list.length} tools`, data: { tools: list } } as const;
  return answer(call, done, async () => {
    for (const { name, description, readOnly: reads } of list)
      await call.terminal.print(
        styled('bold', name),
        reads ? styled('dim', ' (reads)') : '',
        `\n    ${description}\n`,
      );
  });
}
