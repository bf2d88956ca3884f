/**
 * Completion scripts out of the list of commands: commands, options and the words that options can have stand in the script;
 * for names of commits, sessions, agents and trails it asks `vedit completion --list`.
 */

import { commonOptions } from '../input/options.ts';
import { CLIENT_NAMES } from '../install/clients.ts';
import type { ListedCommand } from '../listed-command.ts';
import { bashScript } from './bash.ts';
import { argumentValues, flagOf } from './completable.ts';
import { fishScript } from './fish.ts';
import { zshScript } from './zsh.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** Words that the argument of a command can be, where they are fixed. */
const WORDS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['completion', SHELLS],
  ['tools', ['minimal', 'standard', 'all']],
  ['hook', ['claude-code']],
  ['install', CLIENT_NAMES],
]);

/** Loads every command for its options. */
export async function scriptFor(
  shell: (typeof SHELLS)[number],
  list: readonly ListedCommand[],
): Promise<string> {
  const completable = await Promise.all(
    list.map(async ({ name, summary, load }) => {
      const command = await load();
      const shown = [...(command.options ?? []), ...commonOptions].filter(one => !one.hidden);
      const options = shown.map(flagOf);
      return { name, summary, options, arguments: argumentValues(command, WORDS.get(name) ?? []) };
    }),
  );
  return SCRIPTS[shell](completable, commonOptions.map(flagOf));
}
