import { type CliCommand, defineCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';

export const command: CliCommand = defineCommand({
  details: 'The same as --help, before or after a command.',
  arguments: [
    [
      '[command]',
      'a command, all for what each does, programs for those that programs use, or exit-codes',
      'command',
    ],
  ],
  examples: [
    ['vedit help', 'the ten to begin with, and the names of others'],
    ['vedit help all', 'what each does'],
    ['vedit help programs', 'what there is for agents, programs and scripts'],
    ['vedit help log', 'how one is used'],
    ['vedit help exit-codes', ''],
  ],
  async run({ args: [name], terminal, help: helpOf }) {
    const text = await helpOf(name);
    await terminal.page();
    await terminal.printHelp(text);
    return EXIT.done;
  },
});
