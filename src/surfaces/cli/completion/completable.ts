/** The commands as the completion scripts are made of them. */

import type { CliCommand, OptionSpec, WordKind } from '../command.ts';

/** A command as the scripts need it. */
export interface Completable {
  name: string;
  summary: string;
  options: Flag[];
  /** The words that its arguments can be, together. */
  arguments: Values;
}

export interface Flag {
  /** `-n`, or '' */
  short: string;
  /** `--dry-run`, or '' */
  long: string;
  takesValue: boolean;
  description: string;
  values: Values;
}

/** Words that stand for themselves, and names of things that there are. */
export interface Values {
  words: readonly string[];
  kinds: readonly WordKind[];
}

/** Placeholders, and options, that say what they name. */
const KINDS: ReadonlyMap<string, WordKind> = new Map([
  ['rev', 'commit'],
  ['commit', 'commit'],
  ['branch', 'branch'],
  ['file', 'file'],
  ['files', 'file'],
  ['file[:A-B]', 'file'],
  ['path', 'file'],
  ['paths', 'file'],
  ['path[:A-B]', 'file'],
  ['dir', 'file'],
  ['from', 'file'],
  ['to', 'file'],
  ['--session', 'session'],
  ['--agent', 'agent'],
  ['--trail', 'trail'],
  ['--op', 'op'],
]);

export function flagOf({ flags, description, words = [] }: OptionSpec): Flag {
  const long = /--[\w-]+/.exec(flags)?.[0] ?? '';
  const placeholder = /<(.*)>/.exec(flags)?.[1];
  const kind = placeholder === undefined ? undefined : (KINDS.get(long) ?? KINDS.get(placeholder));
  return {
    short: /(?:^|\s)(-\w)\b/.exec(flags)?.[1] ?? '',
    long,
    takesValue: placeholder !== undefined,
    description,
    values: { words, kinds: kind === undefined || words.length > 0 ? [] : [kind] },
  };
}

/** Returns what the arguments of a command can be. */
export function argumentValues({ arguments: list = [] }: CliCommand, words: readonly string[]): Values {
  const kinds = list.flatMap(([name, , kind]) => {
    const placeholder = name.slice(1, -1).replace(/\.\.\.$/, '');
    return kind ?? KINDS.get(placeholder) ?? [];
  });
  return { words, kinds: [...new Set([kinds].flat(2))] };
}

/** In single quotes for any of the shells. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
