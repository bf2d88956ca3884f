import { type CliCommand, defineCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';

export const command: CliCommand = defineCommand({
  details: 'The same as --help, before or after a command.',
  arguments: [['[command]', 'a command, all for what each does, or exit-codes', 'command']],
  examples: [
    ['vedit help', 'the ten to begin with, and the names of all'],
    ['vedit help all', 'what each does'],
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
