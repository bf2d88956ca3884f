/** Options of the calls that read, apart from the calls themselves: each is loaded with its first use. */

import * as z from 'zod';
import { lineNumber } from '../edits/fields.ts';
import { type CheckOptions, type FieldsOf, optionsCheck } from '../engine/calls/call-options.ts';
import * as option from '../engine/calls/option.ts';
import type { RefusalOptions } from '../engine/change/refusals.ts';
import type { LogChoice } from './log/log-filter.ts';

export { FAULT_KINDS } from '../history/verify/faults.ts';

export interface ViewInput {
  path: string;
  /** First and last line, 1-based; -1 is the end of the file. */
  viewRange?: readonly number[] | undefined;
  /** In place of lines: a symbol, by its name. */
  symbol?: string | undefined;
  /** List the symbols of the file with their lines, in place of the text. */
  outline?: boolean | undefined;
  /** A commit, as findCommit takes it. */
  at?: string | undefined;
  /** The most characters to show, notices not counted; default 60,000, at least 50. */
  maxCharacters?: number | undefined;
  /** The most entries of a folder; default 1,000. */
  maxEntries?: number | undefined;
}

const viewRange = (): z.ZodOptional<z.ZodType<readonly number[]>> =>
  z.array(lineNumber()).length(2).optional();

export const checkView: CheckOptions<ViewInput> = optionsCheck(
  {
    path: option.requiredText,
    viewRange,
    symbol: option.text,
    outline: option.flag,
    at: option.text,
    maxCharacters: option.positive,
    maxEntries: option.positive,
  },
  { path: 'src/auth.ts', viewRange: [1, 40] },
);

export interface BlameInput {
  path: string;
  /** First and last line, 1-based; -1 is the end. */
  viewRange?: readonly number[] | undefined;
  /** A commit; default: the trail's head. */
  at?: string | undefined;
  /** A longer range is cut, with a notice; default: all of it. */
  maxLines?: number | undefined;
  /** Looks past changes of white space alone, as `git blame -w`. */
  ignoreSpace?: boolean | undefined;
}

export const checkBlame: CheckOptions<BlameInput> = optionsCheck(
  {
    path: option.requiredText,
    viewRange,
    at: option.text,
    maxLines: option.positive,
    ignoreSpace: option.flag,
  },
  { path: 'src/auth.ts', viewRange: [1, 20] },
);

export interface DiffOptions {
  /** Commits, as findCommit takes them. */
  from?: string | undefined;
  to?: string | undefined;
  /** Only this file or folder. */
  path?: string | undefined;
  /** Instead of two commits: what this turn of an agent changed; its id, the start of it, or `latest`. */
  turn?: string | undefined;
  /** Instead of two commits: what changed outside the engine and is not recorded yet. */
  outside?: boolean | undefined;
}

export const checkDiff: CheckOptions<DiffOptions> = optionsCheck(
  { from: option.text, to: option.text, path: option.text, turn: option.text, outside: option.flag },
  { from: '~2', to: '@' },
);

export interface LogOptions extends LogChoice {
  /** The most entries. */
  limit?: number | undefined;
  /** Read also how much each entry changed, or the diffs; of the path alone when one is given. */
  stats?: boolean | undefined;
  patch?: boolean | undefined;
}

export const logFields: FieldsOf<LogOptions> = {
  path: option.text,
  session: option.text,
  agent: option.text,
  turn: option.text,
  author: option.text,
  op: option.text,
  since: option.date,
  revisions: option.text,
  search: option.text,
  limit: option.natural,
  stats: option.flag,
  patch: option.flag,
};

export const checkLog: CheckOptions<LogOptions> = optionsCheck(logFields, { path: 'src', limit: 10 });

export interface TimelineOptions {
  limit?: number | undefined;
}

export const checkTimeline: CheckOptions<TimelineOptions> = optionsCheck(
  { limit: option.natural },
  { limit: 100 },
);

export const checkRefusals: CheckOptions<RefusalOptions> = optionsCheck(
  {
    path: option.text,
    session: option.text,
    agent: option.text,
    op: option.text,
    since: option.date,
    limit: option.natural,
  },
  { session: 's1', limit: 10 },
);

export interface VerifyOptions {
  /** Commits noted earlier (ids, or 4 or more digits of one) that must still be in the trail. */
  expect?: readonly string[] | undefined;
  /**
   * The id of a commit noted earlier (or 7 or more digits of it), up to which the trail was found sound: only commits since
   * then are checked, and files that they name. Where it is no longer in the trail, that is a fault, and all is checked.
   */
  since?: string | undefined;
  /** Told of each commit read. */
  onCommit?: ((count: number) => void) | undefined;
}

export const checkVerify: CheckOptions<VerifyOptions> = optionsCheck(
  { expect: option.texts, since: option.text, onCommit: option.callback<(count: number) => void> },
  { expect: ['1a2b3c4'], since: '1a2b3c4' },
);

export const checkShow: CheckOptions<{ commit: string }> = optionsCheck(
  { commit: option.requiredText },
  { commit: '@' },
);
