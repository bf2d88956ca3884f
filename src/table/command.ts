/**
 * The contract of a command, which is a tool and a command line at once: its fields are plain data, of which the tool's
 * schema (schema.ts) and the options of the command line are made. Nothing is loaded with it.
 */

import type { EditName } from '../edits/index.ts';
import type { Answer, DoneData } from '../engine/answer.ts';
import type { CommonInput, CommonToolInput } from '../engine/change/edit-input.ts';
import type { ReplyData } from '../engine/rejections/remark.ts';
import type { BlameData } from '../queries/blame.ts';
import type { DiffData } from '../queries/diff/compare.ts';
import type { LogData, ShowData } from '../queries/log/history.ts';
import type { StatusData } from '../queries/status.ts';
import type { VerifyData } from '../queries/verify.ts';
import type { ViewData } from '../queries/view.ts';
import type { Camelled } from '../spelling.ts';
import type { Session } from '../workspace/session.ts';

/** Kinds of fields, with the values that they have. */
export interface Kinds {
  text: string;
  texts: string[];
  flag: boolean;
  count: number;
  /** ISO 8601, or as people say it. */
  time: string;
  /** First and last line of a file. */
  lines: readonly number[];
  /** A file or folder: on the command line it is relative to the folder there. */
  path: string;
  paths: string[];
  edits: Array<Record<string, unknown>>;
}

export interface Extra {
  /** Other names that models send for it. */
  aliases?: readonly string[];
  /** All that it can be. */
  of?: readonly string[];
  /** The option or the argument of the command line that gives it, as commander reads it. */
  flag?: string;
  arg?: string;
}

/** A field; the words about it are read by models, and printed by help. */
export interface Field<Kind extends keyof Kinds = keyof Kinds> extends Extra {
  kind: Kind;
  about: string;
  required?: boolean;
}

export type CommandFields = Readonly<Record<string, Field>>;

/** Makes a field that may be left out. */
export function may<Kind extends keyof Kinds, const More extends Extra>(
  kind: Kind,
  about: string,
  more?: More,
): Field<Kind> & More {
  return { kind, about, ...more } as Field<Kind> & More;
}

/** Makes a field that has to be given. */
export function must<Kind extends keyof Kinds, const More extends Extra>(
  kind: Kind,
  about: string,
  more?: More,
): Field<Kind> & More & { required: true } {
  return { ...may(kind, about, more), required: true } as Field<Kind> & More & { required: true };
}

type ValueOf<F> = F extends { of: ReadonlyArray<infer Word> }
  ? Word
  : F extends Field<infer Kind>
    ? Kinds[Kind]
    : never;

/** The checked input that fields describe. */
export type InputOf<F extends CommandFields> = {
  [K in keyof F as F[K] extends { required: true } ? K : never]: ValueOf<F[K]>;
} & { [K in keyof F as F[K] extends { required: true } ? never : K]?: ValueOf<F[K]> | undefined };

/** The fields of every call that makes a commit, in the order in which they are listed. */
export const RECORDED: ReadonlyArray<keyof CommonToolInput> = [
  'dry_run',
  'edit_id',
  'call_id',
  'reason',
  'allow_secret',
];

export interface Command {
  name: ToolName;
  /** A few words for people. */
  title: string;
  /** The description that the model reads. */
  description: string;
  fields: CommandFields;
  /** True where it changes no file, and yet says something that stays. */
  says?: boolean;
  /** Those it has of the fields of edits; where it can be a dry run, it is one that writes. */
  common?: ReadonlyArray<keyof CommonToolInput>;
  /** True when it cuts its message itself, at a limit that its input may set. */
  ownLimit?: boolean;
  /** An input that works. */
  example: Record<string, unknown>;
  /** Reads the raw input before it is checked. */
  lenient?(raw: unknown): unknown;
  /** `input`: the checked fields, as options of the library are spelled. */
  run(session: Session, input: never): Promise<Answer<unknown>>;
}

/** Gives `run` the types of the command's fields, and of the data that it promises. */
export function command<Name extends ToolName, const Own extends CommandFields>(
  definition: Omit<Command, 'run'> & {
    name: Name;
    fields: Own;
    run(session: Session, input: Camelled<InputOf<Own>> & CommonInput): Promise<Answer<ToolData[Name]>>;
  },
): Command {
  return definition;
}

/** By tool, the data of its answer. */
export interface ToolData extends Record<EditName, DoneData> {
  view: ViewData;
  change: DoneData;
  preview: DoneData;
  undo: DoneData;
  redo: DoneData;
  revert: DoneData;
  rollback: DoneData;
  restore: DoneData;
  reply: ReplyData;
  log: LogData;
  show: ShowData;
  diff: DiffData;
  blame: BlameData;
  status: StatusData;
  verify: VerifyData;
}

export type ToolName = keyof ToolData;

const PATH = ['file_path', 'filePath', 'file'] as const;

/** Chooses edits by a file or folder of theirs. */
export const onlyOf = (about: string, more?: { flag?: string; arg?: string }): Field<'path'> =>
  may('path', about, { aliases: PATH, ...more });

export const file = (about: string): Field<'path'> & { required: true } =>
  must('path', about, { aliases: PATH });

export const lines: Field<'lines'> = may('lines', 'First and last line, from 1; -1 as last is the end.', {
  aliases: ['range', 'lines'],
});

/** The fields that choose what undo and redo are about. */
export const whichEdits: {
  count: Field<'count'>;
  scope: Field<'text'> & { of: readonly ['session', 'trail'] };
} = {
  count: may('count', 'How many edits; default 1.', { aliases: ['n', 'steps'] }),
  scope: may('text', 'Your own edits (default), or anybody’s on the trail.', { of: ['session', 'trail'] }),
};

/** The fields that name what a way back was decided on. */
export const stillSo: Readonly<Record<'base' | 'version', Field<'text'>>> = {
  base: may(
    'text',
    'The newest commit when you decided this. Refused as STALE if what it would do changed since.',
  ),
  version: may(
    'text',
    'The version of the file when you decided this. Refused as STALE if it is another now.',
  ),
};

/** A person means the whole history; one who names a session means that session's edits. */
export function scopeOf({ session }: Readonly<Record<string, unknown>>): 'trail' | 'session' {
  return session === undefined ? 'trail' : 'session';
}
