/** The use of a command on a command line: what it takes, as plain data. */

import type { Answer } from '../engine/answer.ts';
import type { Session } from '../workspace/session.ts';
import type { OptionValue, ValueKinds } from './usage.ts';

/** The kind of thing that a word on the command line names, so that a shell can complete it. */
export type WordKind = (typeof LISTED_KINDS)[number] | 'file';

/** Those of which `vedit completion --list` knows what there is. */
export const LISTED_KINDS = ['commit', 'session', 'agent', 'trail', 'branch', 'op', 'command'] as const;

/**
 * An option: its flags as commander reads them (`-n, --dry-run`, `--base <rev>`), its description, and its value.
 * Default: a text, where the flags have one.
 */
export type OptionSpec = readonly [flags: string, description: string, value?: OptionValue];

/** The object that commander makes of a list of options: of `-n, --dry-run` the field `dryRun`. */
export type OptionsOf<List extends readonly OptionSpec[]> = {
  [Spec in List[number] as Camel<Field<Spec[0]>>]?: ValueOf<Spec>;
};

type Field<Flags> = Flags extends `${string}--no-${infer Name}`
  ? Name
  : Flags extends `${string}--${infer Name}`
    ? FirstWord<Name>
    : never;

type FirstWord<Words> = Words extends `${infer First} ${string}` ? First : Words;

type Camel<Name> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name & string;

type ValueOf<Spec extends OptionSpec> = Spec[2] extends keyof ValueKinds
  ? ValueKinds[Spec[2]]
  : Spec[2] extends (...given: never[]) => infer Value
    ? Value
    : Spec[2] extends readonly string[]
      ? Spec[2][number]
      : Spec[0] extends `${string}<${string}`
        ? string
        : Spec[0] extends `${string}[${string}`
          ? string | true
          : boolean;

/** The parts of a line that depend on the folder it runs in, and on standard input. */
export interface Line {
  /** Parts `file:10-40`; `lines` is the value of an option beside it. Throws UsageError. */
  range(given: string, lines?: string): { path: string; view_range?: [number, number] };
  isFile(path: string): boolean;
  isEdit(id: string): Promise<boolean>;
  /**
   * The text called `name`: the argument, where `-` is standard input, or that of an option, or in its file. Throws
   * UsageError with the words of `missing` where none is given.
   */
  text(name: string, argument: string | undefined, given: TextOptions, missing: string): Promise<string>;
  text(name: string, argument: string | undefined, given: TextOptions): Promise<string | undefined>;
}

/** Options that give a text: as it is, or in a file; `-` is standard input. */
export interface TextOptions {
  text?: string | undefined;
  file?: string | undefined;
}

export interface Use<Options = never> {
  /** Further paragraphs for the command's own help, after the summary in the list. */
  details?: string;
  /** As commander reads them, `<file>`, `[text]`, `[paths...]`, each with a description, and what it names, or all that it can be. */
  arguments?: ReadonlyArray<
    readonly [name: string, description: string, kind?: WordKind | readonly string[]]
  >;
  options?: readonly OptionSpec[];
  /** Command lines that work, each with what it does. */
  examples: ReadonlyArray<readonly [line: string, what: string]>;
  /** True where it is about edits of a session that there is. */
  inSession?: boolean;
  /**
   * Reads the input that arguments and options do not give by their fields. `tool`: the line asks for another one. Throws
   * UsageError.
   */
  read?(args: readonly string[], options: Options, line: Line): object | Promise<object>;
  /** True where what it found is a fault, for the exit code. */
  isFault?(data: never): boolean;
  /** Makes the answer, where a person gets more than the tool answers. `tell` says how far it is. */
  run?(session: Session, input: never, tell: (words: string) => void): Promise<Answer<unknown>>;
}

export type UseOf<List extends readonly OptionSpec[]> = Use<
  OptionsOf<List> & Readonly<Record<string, unknown>>
> & { options?: List };

/** Gives `read` the types of the options. */
export function use<const List extends readonly OptionSpec[] = readonly []>(given: UseOf<List>): Use {
  return given as unknown as Use;
}
