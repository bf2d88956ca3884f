/** The contract of a command: what it takes, and what it does. A file holds one, or several that are alike; the list names them. */

import type { OptionValue, ValueKinds } from '../../table/usage.ts';
import type { ColorWhen, Terminal } from './terminal/terminal.ts';

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
  /** As commander reads them, `<file>`, `[text]`, `[paths...]`, each with a description, and what it names, or all that it can be. */
  arguments?: ReadonlyArray<
    readonly [name: string, description: string, kind?: WordKind | readonly string[]]
  >;
  options?: readonly OptionSpec[];
  /** The command's arguments as its options spell them, before they are parsed: `-5` for `-n 5`. */
  rewrite?(args: readonly string[]): string[];
  /** True where what follows the first argument are words of another program's, options too. */
  passesThrough?: true;
  /** Command lines that work, each with what it does. */
  examples: ReadonlyArray<readonly [line: string, what: string]>;
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
