import { type CliCommand, defineCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';

export const command: CliCommand = defineCommand({
  details: 'The same as --help, before or after a command. `git vedit --help` shows the manual page.',
  arguments: [['[command]', 'one of those that vedit help lists', 'command']],
  examples: [
    ['vedit help', 'all commands'],
    ['vedit help log', 'one of them'],
  ],
  async run({ args: [name], terminal, help: helpOf }) {
    const text = await helpOf(name);
    await terminal.page();
    await terminal.printHelp(text);
    return EXIT.done;
  },
});
