/** Checks the options of the calls about reviews. */

import * as z from 'zod';
import { type CheckOptions, type FieldsOf, optionsCheck } from '../engine/calls/call-options.ts';
import * as option from '../engine/calls/option.ts';
import type { Person } from '../engine/editor.ts';
import { EditError } from '../errors.ts';
import type { HunkLines } from '../line/text-lines.ts';

export interface ReviewOptions {
  /** Only hunks with lines of this session, by its id or the beginning of that. */
  session?: string | undefined;
  /** Only hunks with lines of this turn of an agent: its id, the start of it, or `latest`. */
  turn?: string | undefined;
  /** Only this file or folder. */
  path?: string | undefined;
  /** With the path of a file: its hunks at these lines, cut at them, each part with the edits of its own lines. */
  lines?: HunkLines | undefined;
  /** Only hunks that were edited since then. */
  since?: Date | undefined;
  /** Hunks of files that are no text hold their bytes too. */
  bytes?: boolean | undefined;
  /** The first files alone, at least one, of about so many edits; the answer says where there are `more`. */
  first?: number | undefined;
  /** The person whose review it is; default: the workspace's user. */
  reviewer?: Person | undefined;
}

/** The person whose action it is. */
export interface ReviewBy {
  /** Default: the workspace's user. */
  reviewer?: Person | undefined;
  /** The reviewer is an agent: what it says is shown as that, and ends no rejection of a person. */
  asAgent?: boolean | undefined;
}

/** The hunks of a file: as a hunk of a review names itself. */
export interface NamedHunks {
  /** Only this half of a file that was renamed; default: both. */
  alone?: boolean | undefined;
  /** Without `lines`: all hunks of the file. */
  lines?: HunkLines | undefined;
  /** The commit that the lines were read at; default: the file as it is now. */
  at?: string | undefined;
  /** The version that the hunk had: where the file still has it, the lines are those of the file as it is now. */
  version?: string | undefined;
}

export interface AcceptOptions extends NamedHunks, ReviewBy {
  /** Everything that is not reviewed. */
  all?: boolean | undefined;
  /** A file, or a folder where no lines are named. */
  path?: string | undefined;
  /** All that this session wrote, but for hunks that hold lines of others too. */
  session?: string | undefined;
  /** Only text from outside that nobody claims, below `path` where that is given: it is the reviewer's from then on. */
  unclaimed?: boolean | undefined;
  /** The edit at which the files held what is meant. */
  upTo?: string | undefined;
}

export interface RejectOptions extends NamedHunks, ReviewBy {
  path: string;
  /** Told to the agent. */
  reason?: string | undefined;
  /** Also what was built on it since, text of people too. */
  together?: boolean | undefined;
  dryRun?: boolean | undefined;
}

export interface CommentOptions extends Omit<NamedHunks, 'alone'>, ReviewBy {
  path: string;
  /** Told to the agent. */
  text: string;
}

export interface UnreviewOptions extends ReviewBy {
  /** The commit of the acceptance or the rejection that is meant; default: the last one. */
  of?: string | undefined;
}

const person = (): z.ZodOptional<z.ZodType<Person>> =>
  z.strictObject({ name: z.string(), email: z.string() }).optional();

const lines = (): z.ZodOptional<z.ZodType<HunkLines>> =>
  z.strictObject({ start_line: z.int().nonnegative(), end_line: z.int().nonnegative() }).optional();

const by: FieldsOf<ReviewBy> = { reviewer: person, asAgent: option.flag };

const named: FieldsOf<NamedHunks> = { lines, at: option.text, version: option.text, alone: option.flag };

export const checkReview: CheckOptions<ReviewOptions> = optionsCheck(
  {
    ...{ session: option.text, turn: option.text, path: option.text, since: option.date, bytes: option.flag },
    ...{ lines, first: option.positive, reviewer: person },
  },
  { path: 'src' },
);

const acceptOptions: CheckOptions<AcceptOptions> = optionsCheck(
  {
    ...named,
    all: option.flag,
    path: option.text,
    session: option.text,
    upTo: option.text,
    unclaimed: option.flag,
    ...by,
  },
  { path: 'src/auth.ts' },
);

/** Throws INVALID_INPUT where nothing says what to accept. */
export const checkAccept: CheckOptions<AcceptOptions> = (call, options) => {
  const given = acceptOptions(call, options);
  const { all, path, session, upTo, unclaimed, lines: some } = given;
  if (!all && !unclaimed && path === undefined && session === undefined && upTo === undefined)
    throw wrong(
      'Say what to accept: a path (with lines, or all of it), a session, upTo an edit, or all.',
      'all',
    );
  if (some && path === undefined) throw wrong('Lines are those of a file: name its path too.', 'path');
  return given;
};

export const checkReject: CheckOptions<RejectOptions> = optionsCheck(
  {
    ...named,
    path: option.requiredText,
    reason: option.text,
    together: option.flag,
    dryRun: option.flag,
    ...by,
  },
  { path: 'src/auth.ts', reason: 'tokens must expire' },
);

export const checkComment: CheckOptions<CommentOptions> = optionsCheck(
  {
    ...{ path: option.requiredText, text: option.requiredText },
    ...{ lines, at: option.text, version: option.text, ...by },
  },
  { path: 'src/auth.ts', text: 'why not a constant?' },
);

export const checkUnreview: CheckOptions<UnreviewOptions> = optionsCheck({ ...by, of: option.text }, {});

function wrong(words: string, field: string): EditError {
  return new EditError('INVALID_INPUT', `${words} Nothing was done.`, { field });
}
