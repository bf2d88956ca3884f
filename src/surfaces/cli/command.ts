/** One use of a command, and what a terminal has of it. */

import type { Answer } from '../../engine/answer.ts';
import type { Piece } from './terminal/style.ts';
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

/** The part of a command that only a terminal has: how it shows an answer where that is not its message, or all that it does. */
export interface OnTerminal {
  show?(call: Call<never>, done: Answer<never>): Promise<void>;
  /** One of the objects that the command answers. */
  item?(one: never, terminal: Terminal): Piece[];
  /** Runs the command and answers the exit code. Throws UsageError, EditError, OutputClosed. */
  run?(call: Call<never>): Promise<number>;
  /** The command's arguments as its options spell them, before they are parsed: `-5` for `-n 5`. */
  rewrite?(args: readonly string[]): string[];
}
