/** The contract of a command: what it takes, and what it does. One command is one file; its name is in the list. */

import type { ColorWhen, Terminal } from './terminal.ts';

export interface OptionSpec {
  /** As commander reads them: `-n, --dry-run`, `--base <rev>`. */
  flags: string;
  description: string;
  /** Checks and converts the value; gets what an earlier use of the option gave. Throws UsageError. */
  parse?(value: string, previous: unknown): unknown;
  /** The heading in the command's help; default: its own options. */
  group?: string;
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
}

export interface CliCommand<Options = never> {
  /** Further paragraphs for the command's own help, after the summary in the list. */
  details?: string;
  /** As commander reads them, `<file>`, `[text]`, `[paths...]`, each with a description. */
  arguments?: ReadonlyArray<readonly [name: string, description: string]>;
  options?: readonly OptionSpec[];
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
