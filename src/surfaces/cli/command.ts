/** The contract of a command: what it takes, and what it does. A file holds one, or several that are alike; the list names them. */

import type { OptionSpec, OptionsOf, Use } from '../../table/use.ts';
import type { ColorWhen, Terminal } from './terminal/terminal.ts';

export interface CommonInput {
  json?: boolean;
  color?: ColorWhen;
  pager?: boolean;
  /** The folders of -C, each relative to the one before it. */
  C?: string[];
}

/** One use of a command. */
export interface Call<Options = object> {
  readonly args: readonly string[];
  readonly options: Options & CommonInput;
  readonly terminal: Terminal;
  /** Absolute: the folder that the command runs in, after -C. */
  readonly folder: string;
  /** The help of a command, or of the program without a name. Throws UsageError for a command that there is not. */
  help(name?: string): Promise<string>;
}

export interface CliCommand<Options = never>
  extends Pick<Use, 'details' | 'arguments' | 'options' | 'examples'> {
  /** The command's arguments as its options spell them, before they are parsed: `-5` for `-n 5`. */
  rewrite?(args: readonly string[]): string[];
  /** True where what follows the first argument are words of another program's, options too. */
  passesThrough?: true;
  /** Runs the command and answers the exit code. Throws UsageError, EditError, OutputClosed. */
  run(call: Call<Options>): Promise<number>;
}

/** Gives a command's `run` the types of its own options, and lets the list hold all commands. */
export function defineCommand<const List extends readonly OptionSpec[] = readonly []>(
  command: CliCommand<OptionsOf<List>> & { options?: List },
): CliCommand {
  return command as unknown as CliCommand;
}

/** The headings, in their order: the ten that a person begins with, the others by task, and last what people seldom type. */
export const GROUPS = [
  'Begin with',
  'Set up',
  'Look closer',
  'Go back, and keep',
  'Share with others',
  'For programs and scripts',
] as const;

/** The part of a command that is known before its file is loaded. */
export interface ListedCommand {
  name: string;
  /** The heading in the list. */
  group: (typeof GROUPS)[number];
  summary: string;
  load(): Promise<CliCommand>;
}
