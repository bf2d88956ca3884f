/** completion: a script that teaches a shell the commands and options. */

import { type CliCommand, defineCommand } from '../command.ts';
import { SHELLS, scriptFor } from '../completion/scripts.ts';
import { EXIT } from '../exit-codes.ts';
import { jsonLine } from '../json.ts';
import { UsageError } from '../usage.ts';

export const completion: CliCommand = defineCommand({
  arguments: [['<shell>', SHELLS.join(', ')]],
  examples: [
    ['vedit completion bash > ~/.local/share/bash-completion/completions/vedit', ''],
    ['vedit completion zsh > ~/.zfunc/_vedit', 'where ~/.zfunc is in fpath'],
    ['vedit completion fish > ~/.config/fish/completions/vedit.fish', ''],
  ],
  async run({ args, options, terminal }) {
    const shell = SHELLS.find(name => name === args[0]);
    if (!shell)
      throw new UsageError(`there are scripts for ${SHELLS.join(', ')}, not for ${JSON.stringify(args[0])}`);
    // Imported late because the list holds this command too.
    const { commands } = await import('./index.ts');
    const script = await scriptFor(shell, commands);
    await terminal.print(options.json ? jsonLine({ ok: true, message: script, data: { shell } }) : script);
    return EXIT.done;
  },
});
