/** Options of a push, and its answer. */

import { type CheckOptions, optionsCheck } from '../../engine/calls/call-options.ts';
import * as option from '../../engine/calls/option.ts';
import { type RemoteOptions, remoteFields } from '../remote.ts';
import type { Unpublished } from './unpublished.ts';

export interface PushOptions extends RemoteOptions {
  /** Publish also text of people that was recorded as outside changes. */
  withOutside?: boolean | undefined;
  /** Publish also commits of HEAD that are on no branch of the remote. */
  withUnpushedCommits?: boolean | undefined;
  /**
   * Publish also what people accepted of the trails: their accepted text, saved or not, and who they are. Others see it as
   * claims of this clone.
   */
  withReviews?: boolean | undefined;
  /** Take trails off the remote whose newest commit is 30 days old, and whose edits have landed. */
  prune?: boolean | undefined;
  /** Say what would be pushed; change nothing. */
  dryRun?: boolean | undefined;
  /** The newest commits that a dry run named: where the trails have others by now, nothing is pushed (STALE). */
  expect?: readonly string[] | undefined;
}

export const checkPush: CheckOptions<PushOptions> = optionsCheck(
  {
    ...remoteFields,
    withOutside: option.flag,
    withUnpushedCommits: option.flag,
    withReviews: option.flag,
    prune: option.flag,
    dryRun: option.flag,
    expect: option.texts,
  },
  { dryRun: true },
);

/** A trail of this clone, or a review of one (`refs/vedit-review/...`), and its ref on the remote. */
export interface PushedTrail {
  trail: string;
  /** The name on the remote; `null` where this clone gets its name with the push. */
  ref: string | null;
  /** Where it was on the remote; `null`: it was not there. */
  from: string | null;
  to: string;
  result: 'pushed' | 'up to date' | 'refused' | 'would be pushed';
}

export interface PushData extends Unpublished {
  remote: string;
  /** The name of this clone; `null` for a dry run before the first push. */
  clone: string | null;
  /** The name that it had: the folder is a copy of the clone of that name, or a trail was begun anew. */
  renamed_from?: string;
  trails: PushedTrail[];
  /** Refs that were taken off the remote (or would be), as their edits have landed. */
  pruned: string[];
  notes: string[];
  dry_run?: true;
}
