import { type CliCommand, defineCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { styled } from '../terminal/style.ts';
import { jsonLine } from '../views/answer.ts';

export const command: CliCommand = defineCommand({
  details:
    'With --json each tool has its name, title, description, inputSchema (JSON Schema) and whether it only reads. Any agent ' +
    'that is offered these can be served by vedit apply.',
  arguments: [['[set]', 'minimal, standard or all, which is the default', ['minimal', 'standard', 'all']]],
  options: [
    ['--read-only', 'only tools that change nothing'],
    ['--full', 'every field with its description, for three times as many tokens'],
    ['--prefix <text>', 'put before every name'],
  ],
  examples: [
    ['vedit tools', ''],
    [
      "vedit tools standard --json | jq '.data.tools[] | {name, description, input_schema: .inputSchema}'",
      '',
    ],
  ],
  async run({ args, options, terminal }) {
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
  },
});
