/** Options that several commands have. */

import type { LogOptions } from '../queries/read-options.ts';
import type { OptionSpec, OptionsOf } from './use.ts';

/** Also accepted before the command: `vedit -C folder log`. */
export const commonOptions: readonly OptionSpec[] = [
  ['-C <dir>', 'run as if started in this folder', 'each'],
  ['--json', 'answer with one JSON object, refusals too'],
  [
    '--color <when>',
    'auto, always or never; NO_COLOR and FORCE_COLOR are obeyed',
    ['auto', 'always', 'never'],
  ],
  ['--no-pager', 'no pager, even on a terminal'],
];

/** Returns the place of the first argument that is neither an option nor the value of one. */
export function commandAt(argv: readonly string[]): number {
  const valued = commonOptions.filter(([flags]) => flags.includes('<')).map(([flags]) => flags.split(' ')[0]);
  let at = 0;
  while (argv[at]?.startsWith('-')) at += valued.includes(argv[at]) ? 2 : 1;
  return at;
}

export const trailOptions = [
  ['--trail <name>', 'another history: HEAD, a name below refs/vedit/, or <clone>/<branch> (vedit peers)'],
] as const;

export type TrailOptions = OptionsOf<typeof trailOptions>;

/** Options of commands that can be about what one session or agent did. */
export const whoseOptions = [
  ['--session <id>', 'only edits of this session'],
  ['--agent <name>', 'only edits of this agent'],
] as const;

/** Options that choose edits of the history. */
export const filterOptions = [
  ['-n, --max-count <n>', 'at most so many, the newest', 'natural'],
  ['--session <id>', 'only edits of this session'],
  ['--agent <name>', 'only edits of this agent'],
  ['--since <time>', 'only since a time: 2026-11-20, 15:00, yesterday, 3h, "2 days ago"', 'time'],
] as const;

export type FilterOptions = OptionsOf<typeof filterOptions>;

/** Returns the options of `log` as the library takes them. */
export function filterOf({ maxCount: limit, session, agent, since }: FilterOptions): LogOptions {
  return { session, agent, since, limit };
}

/** Option of commands that can be about what an agent did for one prompt. */
export const turnOption = [
  '--turn <id>',
  'only what an agent did for one prompt: the id of the turn, its start, or latest',
] as const;

export type WhoseOptions = OptionsOf<typeof whoseOptions> & { turn?: string };

/** Option of commands that change no file and ask before, or do much. */
export const dryRunOption = ['-n, --dry-run', 'show what would be done, change nothing'] as const;

/** Option of commands that show a part of a file. */
export const linesOption = [
  '-L, --lines <A,B>',
  'only these lines, as git has it: 10,40 or 10,+5 or 10,',
] as const;

/** Option of commands that show a diff. */
export const statOption = ['--stat', 'only how much changed in which file'] as const;

/** Options of commands that show diffs to read. Without either, words are marked where there is colour. */
export const wordOptions = [
  ['--word', 'mark the words that changed: [-old-]{+new+} where there is no colour'],
  ['--no-word', 'do not mark them, in colour neither'],
] as const;

/** Option of commands that show times, which all others write as git's log.date says. */
export const dateOption = [
  '--date <form>',
  'how times are written: relative, iso, iso-strict, rfc, short, default, raw or unix; default: log.date',
  ['relative', 'iso', 'iso-strict', 'rfc', 'short', 'default', 'raw', 'unix'],
] as const;

/** Options of commands that make edits. */
export const editorOptions = [
  ['--agent <name>', 'who edits, for the history', 'text'],
  ['--model <name>', 'with which model, for the history', 'text'],
  [
    '--session <id>',
    'the session that the edit belongs to; default: a new one, and on a terminal yours',
    'text',
  ],
  ['--trail <name>', 'another history: HEAD, or a name below refs/vedit/'],
  ['--mount <path>', 'an absolute path that agents know the folder by, such as /repo', 'absolute'],
  ['--allow-ignored', 'allow files that git ignores; their content enters history'],
  [
    '--syntax <how>',
    'parse errors that an edit brings: tell them (default of mcp and apply), refuse it, or off',
    ['tell', 'refuse', 'off'],
  ],
  ['--record-refusals', 'keep refusals, for vedit log --refusals'],
] as const;

export type EditorOptions = OptionsOf<typeof editorOptions>;

/** Options of an agent that looks, and is told what a person rejected. */
export const viewerOptions = [
  ['--agent <name>', 'who looks: an agent is told what a person rejected of the file', 'text'],
  ['--session <id>', 'its session, which is told once, and of what it wrote elsewhere too', 'text'],
] as const;

/** Option of commands that a person's script may call. */
export const asMeOption = [
  '--as-me',
  'yours in a script too, as on a terminal: by user.name of git’s config',
] as const;

/** Option of a review by an agent. */
export const asAgentOption = [
  '--as-agent',
  'by the agent that runs this: recorded as its own, and ends no rejection of a person',
] as const;

const editIdOption = [
  '--edit-id <id>',
  'your id for this: sent again, it is answered, not done again',
] as const;

const recordOptions = [
  ['-n, --dry-run', 'show what would change, write nothing'],
  ['-m, --reason <text>', 'why, for the history'],
  ['--allow-secret', 'record what looks like a key, with a reason (-m)'],
] as const;

const baseOptions = [
  ['--base <rev>', 'refuse if what this is about changed since this commit was the newest'],
  ['--version-of <id>', 'refuse if the file is not this version, as view names it'],
] as const;

const staleOption = [
  '--on-stale <how>',
  'if it did: refuse (default), or rebase: plan on the old text and merge',
  ['refuse', 'rebase'],
] as const;

const whoseRecord: readonly OptionSpec[] = [...recordOptions, asMeOption, editIdOption, ...editorOptions];

/** Options of commands that go back in history, and of every edit. */
export const backOptions: readonly OptionSpec[] = [...baseOptions, ...whoseRecord];
export const editOptions: readonly OptionSpec[] = [...baseOptions, staleOption, ...whoseRecord];

export type EditOptions = OptionsOf<
  readonly [
    ...typeof baseOptions,
    typeof staleOption,
    ...typeof recordOptions,
    typeof asMeOption,
    typeof editIdOption,
    ...typeof editorOptions,
  ]
>;

/** Options that no person needs: one line of a command's help names them, and `vedit help programs` says what they do. */
export const programOptions: readonly OptionSpec[] = [
  ...baseOptions,
  staleOption,
  editIdOption,
  ...editorOptions,
];

/** The headings of options that many commands have, in the help of each. */
const GROUPS: ReadonlyArray<readonly [heading: string, options: readonly OptionSpec[]]> = [
  ['How:', [...recordOptions, asMeOption]],
  ['Everywhere:', commonOptions],
];

/** The heading in a command's help; `undefined` for the command's own options. */
export function headingOf(option: OptionSpec): string | undefined {
  return GROUPS.find(([, options]) => options.includes(option))?.[0];
}

/** The field that commander makes of an option: of `--up-to <edit>` it is `upTo`. */
export function optionName(flags: string): string {
  const [, name = ''] = /--([\w-]+)/.exec(flags) ?? [];
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
