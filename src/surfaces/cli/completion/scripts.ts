/** Completion scripts out of the list of commands: static texts, so that pressing Tab starts no process. */

import type { CliCommand } from '../command.ts';
import type { ListedCommand } from '../listed-command.ts';
import { commonOptions } from '../options.ts';
import { bashScript } from './bash.ts';
import type { Flag } from './completable.ts';
import { fishScript } from './fish.ts';
import { zshScript } from './zsh.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** Loads every command for its options. */
export async function scriptFor(
  shell: (typeof SHELLS)[number],
  list: readonly ListedCommand[],
): Promise<string> {
  const completable = await Promise.all(
    list.map(async ({ name, summary, load }) => {
      const words = name === 'completion' ? SHELLS : [];
      return { name, summary, options: flags((await load()).options), words };
    }),
  );
  return SCRIPTS[shell](completable, flags([]));
}

function flags(options: CliCommand['options']): Flag[] {
  return [...(options ?? []), ...commonOptions].map(option => flagOf(option.flags, option.description));
}

function flagOf(flags: string, description: string): Flag {
  return {
    short: /(?:^|\s)(-\w)\b/.exec(flags)?.[1] ?? '',
    long: /--[\w-]+/.exec(flags)?.[0] ?? '',
    takesValue: flags.includes('<'),
    description,
  };
}
