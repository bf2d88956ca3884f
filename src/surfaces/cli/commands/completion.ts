/** completion: a script that teaches a shell the commands, options and names. */

import { type Call, type CliCommand, defineCommand, LISTED_KINDS } from '../command.ts';
import type { Candidate } from '../completion/candidates.ts';
import { SHELLS, scriptFor } from '../completion/scripts.ts';
import { EXIT } from '../exit-codes.ts';
import { type TrailOptions, trailOptions } from '../input/options.ts';
import { UsageError } from '../input/usage.ts';
import { jsonLine } from '../views/json.ts';

type ListedKind = (typeof LISTED_KINDS)[number];

interface Options extends TrailOptions {
  list?: ListedKind;
}

export const completion: CliCommand = defineCommand<Options>({
  details:
    'Commands, options, and what options can be stand in the script; for commits, sessions, agents, trails and branches it ' +
    'asks vedit completion --list. The scripts complete git vedit as well.',
  arguments: [['[shell]', SHELLS.join(', ')]],
  options: [
    {
      flags: '--list <kind>',
      description: `print the names that there are, each with what it is: ${LISTED_KINDS.join(', ')}`,
      words: LISTED_KINDS,
    },
    ...trailOptions,
  ],
  examples: [
    [
      'vedit completion bash | tee ~/.local/share/bash-completion/completions/{vedit,git-vedit} > /dev/null',
      'for vedit and git vedit',
    ],
    ['vedit completion zsh | tee ~/.zfunc/{_vedit,_git-vedit} > /dev/null', 'where ~/.zfunc is in fpath'],
    ['vedit completion fish > ~/.config/fish/conf.d/vedit.fish', ''],
  ],
  async run(call) {
    const { args, options, terminal } = call;
    if (options.list !== undefined) return list(call, options.list);
    const shell = SHELLS.find(name => name === args[0]);
    if (!shell)
      throw new UsageError(
        `there are scripts for ${SHELLS.join(', ')}, not for ${args[0] === undefined ? 'no shell' : JSON.stringify(args[0])}`,
      );
    // Imported late because the list holds this command too.
    const { commands } = await import('./index.ts');
    const script = await scriptFor(shell, commands);
    await terminal.print(options.json ? jsonLine({ ok: true, message: script, data: { shell } }) : script);
    return EXIT.done;
  },
});

async function list(call: Call<Options>, kind: ListedKind): Promise<number> {
  for (const [name, about] of await namesOf(call, kind))
    await call.terminal.print(`${name}\t${about.replace(/\s+/g, ' ')}\n`);
  return EXIT.done;
}

async function namesOf(call: Call<Options>, kind: ListedKind): Promise<Candidate[]> {
  const { candidates } = await import('../completion/candidates.ts');
  if (kind !== 'command') return candidates(call, kind);
  const { commands } = await import('./index.ts');
  return commands.map(({ name, summary }) => [name, summary] as const);
}
