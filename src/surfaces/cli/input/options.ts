/** Options that several commands have. */

import { isAbsolute, join } from 'node:path';
import type { OptionSpec } from '../command.ts';
import { UsageError } from './usage.ts';

const EVERYWHERE = 'Everywhere:';

/** Also accepted before the command: `vedit -C folder log`. */
export const commonOptions: readonly OptionSpec[] = [
  {
    flags: '-C <dir>',
    description: 'run as if started in this folder',
    parse: (value, previous) =>
      isAbsolute(value) ? value : join((previous as string | undefined) ?? '', value),
    group: EVERYWHERE,
  },
  { flags: '--json', description: 'answer with one JSON object, refusals too', group: EVERYWHERE },
  {
    flags: '--color <when>',
    description: 'auto, always or never; NO_COLOR and FORCE_COLOR are obeyed',
    words: ['auto', 'always', 'never'],
    group: EVERYWHERE,
  },
  { flags: '--no-pager', description: 'no pager, even on a terminal', group: EVERYWHERE },
];

/** Returns the place of the first argument that is neither an option nor the value of one. */
export function commandAt(argv: readonly string[]): number {
  const valued = commonOptions
    .filter(({ flags }) => flags.includes('<'))
    .map(({ flags }) => flags.split(' ')[0]);
  let at = 0;
  while (argv[at]?.startsWith('-')) at += valued.includes(argv[at]) ? 2 : 1;
  return at;
}

export interface TrailOptions {
  trail?: string;
}

export const trailOptions: readonly OptionSpec[] = [
  {
    flags: '--trail <name>',
    description: 'another history: HEAD, a name below refs/vedit/, or <clone>/<branch> (vedit peers)',
  },
];

/** Option of commands that can be about what an agent did for one prompt. */
export const turnOption: OptionSpec = {
  flags: '--turn <id>',
  description: 'only what an agent did for one prompt: the id of the turn, its start, or latest',
};

export interface WordOptions {
  /** Absent: where there is colour. */
  word?: boolean;
}

/** Options of commands that show diffs to read. */
export const wordOptions: readonly OptionSpec[] = [
  { flags: '--word', description: 'mark the words that changed: [-old-]{+new+} where there is no colour' },
  { flags: '--no-word', description: 'do not mark them, in colour neither' },
];

export interface EditorOptions extends TrailOptions {
  agent?: string;
  model?: string;
  session?: string;
  mount?: string;
  allowIgnored?: boolean;
  recordRefusals?: boolean;
}

const WHO = 'Who and where:';

/** Options of commands that make edits. */
export const editorOptions: readonly OptionSpec[] = [
  {
    flags: '--agent <name>',
    description: 'who edits, for the history',
    parse: plainText('--agent'),
    group: WHO,
  },
  {
    flags: '--model <name>',
    description: 'with which model, for the history',
    parse: plainText('--model'),
    group: WHO,
  },
  {
    flags: '--session <id>',
    description: 'the session that the edit belongs to; default: a new one, and on a terminal yours',
    parse: plainText('--session'),
    group: WHO,
  },
  { flags: '--trail <name>', description: 'another history: HEAD, or a name below refs/vedit/', group: WHO },
  {
    flags: '--mount <path>',
    description: 'an absolute path that agents know the folder by, such as /repo',
    parse: plainText('--mount'),
    group: WHO,
  },
  {
    flags: '--allow-ignored',
    description: 'allow files that git ignores; their content enters history',
    group: WHO,
  },
  {
    flags: '--record-refusals',
    description: 'keep refusals, for vedit log --refusals',
    group: WHO,
  },
];

export type ViewerOptions = Pick<EditorOptions, 'trail' | 'agent' | 'session'>;

/** Options of an agent that looks, and is told what a person rejected. */
export const viewerOptions: readonly OptionSpec[] = [
  {
    flags: '--agent <name>',
    description: 'who looks: an agent is told what a person rejected of the file',
    parse: plainText('--agent'),
  },
  {
    flags: '--session <id>',
    description: 'its session, which is told once, and of what it wrote elsewhere too',
    parse: plainText('--session'),
  },
];

export interface WriterOptions extends EditorOptions {
  dryRun?: boolean;
  reason?: string;
  editId?: string;
  allowSecret?: boolean;
}

const HOW = 'How:';

/** Options of every single command that changes files. */
export const writerOptions: readonly OptionSpec[] = [
  { flags: '-n, --dry-run', description: 'show what would change, write nothing', group: HOW },
  { flags: '-m, --reason <text>', description: 'why, for the history', group: HOW },
  {
    flags: '--edit-id <id>',
    description: 'your id for this: sent again, it is answered, not done again',
    group: HOW,
  },
  {
    flags: '--allow-secret',
    description: 'record what looks like a key, with a reason (-m)',
    group: HOW,
  },
  ...editorOptions,
];

/** The state of the files that a call was decided on. */
export interface BaseOptions {
  base?: string;
  versionOf?: string;
}

const versionOption: OptionSpec = {
  flags: '--version-of <id>',
  description: 'refuse if the file is not this version, as view names it',
  group: HOW,
};

export interface EditOptions extends WriterOptions, BaseOptions {
  onStale?: string;
}

/** Options of every edit. */
export const editOptions: readonly OptionSpec[] = [
  { flags: '--base <rev>', description: 'refuse if the file changed since this commit', group: HOW },
  versionOption,
  {
    flags: '--on-stale <how>',
    description: 'if it did: refuse (default), or rebase: plan on the old text and merge',
    words: ['refuse', 'rebase'],
    group: HOW,
  },
  ...writerOptions,
];

export interface BackOptions extends WriterOptions, BaseOptions {}

/** Options of commands that go back in history. */
export const backOptions: readonly OptionSpec[] = [
  {
    flags: '--base <rev>',
    description: 'refuse if what this would do changed since this commit was the newest',
    group: HOW,
  },
  versionOption,
  ...writerOptions,
];

/** The fields of tools for what a call was decided on. */
export function baseInput({ base, versionOf: version }: BaseOptions): object {
  return { base, version };
}

/** Checks a text that becomes a trailer of the commit; the engine asks for the same, but only when an edit is made. */
function plainText(what: string): (value: string) => string {
  return value => {
    if (value !== '' && value === value.trim() && !/\p{Cc}/u.test(value)) return value;
    throw new UsageError(
      `${what} must be one line of plain text without blanks at its ends, not ${JSON.stringify(value.slice(0, 60))}`,
    );
  };
}

export function oneOf(what: string, values: readonly string[]): (value: string) => string {
  return value => {
    if (values.includes(value)) return value;
    throw new UsageError(`${what} must be one of ${values.join(', ')}, not ${JSON.stringify(value)}`);
  };
}
