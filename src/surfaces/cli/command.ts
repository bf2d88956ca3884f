/** The contract of a command: what it takes, and what it does. One command is one file; its name is in the list. */

import type { ColorWhen, Terminal } from './terminal/terminal.ts';

/** The kind of thing that a word on the command line names, so that a shell can complete it. */
export type WordKind = (typeof LISTED_KINDS)[number] | 'file';

/** Those of which `vedit completion --list` knows what there is. */
export const LISTED_KINDS = ['commit', 'session', 'agent', 'trail', 'branch', 'op', 'command'] as const;

export interface OptionSpec {
  /** As commander reads them: `-n, --dry-run`, `--base <rev>`. */
  flags: string;
  description: string;
  /** Checks and converts the value; gets what an earlier use of the option gave. Throws UsageError. */
  parse?(value: string, previous: unknown): unknown;
  /** All that its value can be; any other is refused. */
  words?: readonly string[];
  /** The heading in the command's help; default: its own options. */
  group?: string;
  /** True for an old name, which is accepted and in no help. */
  hidden?: true;
}

/** Options that every command has. */
export interface CommonInput {
  json?: boolean;
  color?: ColorWhen;
  pager?: boolean;
  /** The option -C: where the command runs. */
  C?: string;
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

export interface CliCommand<Options = never> {
  /** Further paragraphs for the command's own help, after the summary in the list. */
  details?: string;
  /** As commander reads them, `<file>`, `[text]`, `[paths...]`, each with a description, and what it names. */
  arguments?: ReadonlyArray<readonly [name: string, description: string, kind?: WordKind]>;
  options?: readonly OptionSpec[];
  /** The command's arguments as its options spell them, before they are parsed: `-5` for `-n 5`. */
  rewrite?(args: readonly string[]): string[];
  /** True where what follows the first argument are words of another program's, options too. */
  passesThrough?: true;
  /** Command lines that work, each with what it does. */
  examples: ReadonlyArray<readonly [line: string, what: string]>;
  /** Does it and answers the exit code. Throws UsageError, EditError, OutputClosed. */
  run(call: Call<Options>): Promise<number>;
}

/** Keeps the type of a command's options inside its own file, and lets the list hold all commands. */
export function defineCommand<Options>(command: CliCommand<Options>): CliCommand {
  return command as unknown as CliCommand;
}
