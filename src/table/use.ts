/** The use of a command on a command line: what it takes, as plain data, and how its values are read. */

import type { Answer } from '../engine/answer.ts';
import type { RunGit } from '../git/run-git.ts';
import { parseSince } from '../queries/log/since.ts';
import type { Workspace } from '../workspace/open.ts';
import type { Session } from '../workspace/session.ts';

/** The kind of thing that a word on the command line names, so that a shell can complete it. */
export type WordKind = 'commit' | 'session' | 'agent' | 'trail' | 'branch' | 'op' | 'command' | 'file';

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

/** One use of a command that the library does. */
export interface Job<Options> extends Line {
  args: readonly string[];
  options: Options;
  workspace: Workspace;
  session: Session;
  /** A path from the top of the work tree; `scope`: of a file or folder to read, `undefined` for all of it. */
  path(given: string): string;
  scope(given: string | undefined): string | undefined;
  /** The git of this machine, with the environment of the command. */
  git(): Promise<RunGit>;
  /** True where a person can be asked for a password. */
  canAsk: boolean;
  /** The variable that says that an agent runs the command; `null`: none does. */
  agentBy: string | null;
  /** Says how far the work is. */
  tell(words: string): void;
}

/** A question to a person about an outcome, before the work is done with the options that a yes adds. */
export interface Question {
  plan: string;
  words: string;
  /** Why it is an error that nobody can answer; otherwise the outcome is the answer then. */
  nobody?: string;
  yes: object;
}

/** The outcome of a job, as its message and data; a refusal has a code. */
export interface Outcome {
  ok: boolean;
  code?: string;
  message: string;
  data: unknown;
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
  /** True for an input that is about edits of a session that there is. */
  inSession?(input: object): boolean;
  /**
   * Reads the input that arguments and options do not give by their fields. Throws UsageError.
   */
  read?(args: readonly string[], options: Options, line: Line): object | Promise<object>;
  /** Answers what the exit code says of data in which not all is well. */
  exit?(data: never): 'refused' | 'faulty' | undefined;
  /** Makes the answer, where it is not that of the tool. `tell` says how far it is. */
  run?(session: Session, input: never, tell: (words: string) => void): Promise<Answer<unknown>>;
  /** Does what a command does that is no tool. `busy`: what it is at, where that may take long. */
  work?(job: Job<Options>): Promise<Answer<unknown>>;
  busy?: string;
  /** True where other programs may ask a person something while it works. */
  othersAsk?: boolean;
  asks?(outcome: Outcome, options: Options): Question | null;
  /** As `work`, where it needs no repository. `at`: the absolute path of one given. */
  alone?(given: {
    args: readonly string[];
    options: Options;
    at(path: string): string;
  }): Promise<Answer<unknown>>;
  /** As `work`, where it answers one object after the other, which are JSON Lines unless a terminal shows them. */
  items?(job: Job<Options>): AsyncIterable<object>;
  /** True where what follows the first argument are words of another program's, options too. */
  passesThrough?: true;
}

export type UseOf<List extends readonly OptionSpec[]> = Use<
  OptionsOf<List> & Readonly<Record<string, unknown>>
> & { options?: List };

/** Gives `read` the types of the options. */
export function use<const List extends readonly OptionSpec[] = readonly []>(given: UseOf<List>): Use {
  return given as unknown as Use;
}

/** A command line that cannot be understood. Nothing was done. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Checks and converts the value; gets what an earlier use of the option gave. Throws UsageError. */
export type ReadValue = (value: string, name: string, previous: unknown) => unknown;

/** Kinds of values: a whole number from 1, a moment, a line of plain text, an absolute path, and of an option given several times each text. */
export interface ValueKinds {
  natural: number;
  time: Date;
  text: string;
  absolute: string;
  each: string[];
}

/** A kind of value, all that it can be, or what reads it. */
export type OptionValue = keyof ValueKinds | readonly string[] | ReadValue;

/** Reads the value of the option called `name`. Throws UsageError. */
export function readValue(value: OptionValue, text: string, name: string, previous: unknown): unknown {
  if (typeof value === 'function') return value(text, name, previous);
  if (typeof value === 'string') return READERS[value](text, name, previous);
  if (value.includes(text)) return text;
  throw new UsageError(`${name} must be one of ${value.join(', ')}, not ${JSON.stringify(text)}`);
}

const READERS: { readonly [Kind in keyof ValueKinds]: ReadValue } = {
  natural: (text, name) => wholeNumber(name, text, 1),
  time: (text, name) => parseTime(name, text),
  text: (text, name) => plainText(name, text),
  absolute: (text, name) => absolutePath(name, text),
  each: (text, _, previous) => [...((previous as string[] | undefined) ?? []), text],
};

/** A whole number of at least `min`, from an argument or option called `what`. Throws UsageError. */
export function wholeNumber(what: string, text: string, min: number): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : -1;
  if (number >= min) return number;
  throw new UsageError(`${what} must be a whole number of at least ${min}, not ${JSON.stringify(text)}`);
}

/** A time as `--since` takes it, of an option called `what`. Throws UsageError. */
export function parseTime(what: string, text: string): Date {
  try {
    return parseSince(text);
  } catch {
    throw new UsageError(
      `${what} must be a time such as 2026-11-20, 2026-11-20T15:00Z, 15:00, 3h, "2 days ago" or yesterday, not ${JSON.stringify(text)}`,
    );
  }
}

function absolutePath(what: string, text: string): string {
  if (/^(\/|[A-Za-z]:[\\/])/.test(text)) return text;
  throw new UsageError(`${what} must be an absolute path, such as /repo, not ${JSON.stringify(text)}`);
}

/** Checks a text that becomes a trailer of the commit; the engine asks for the same, but only when an edit is made. */
function plainText(what: string, text: string): string {
  if (text !== '' && text === text.trim() && !/\p{Cc}/u.test(text)) return text;
  throw new UsageError(
    `${what} must be one line of plain text without blanks at its ends, not ${JSON.stringify(text.slice(0, 60))}`,
  );
}
