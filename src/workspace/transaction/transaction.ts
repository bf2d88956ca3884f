/** A transaction: all that an edit, a way back, the recording of an outside change or a landing publishes as one. */

import { formatIdentity } from '../../git/objects/commit.ts';
import type { EncodedObject } from '../../git/objects/object.ts';
import type { StoreChange } from '../../stores/store.ts';
import type { TrailHead } from '../../trail/head.ts';
import type { Context } from '../context.ts';
import { committer } from '../identity.ts';
import type { IndexEdit, Landing, RecordedPath } from './journal/record.ts';

/** A change that is ready to be published. */
export interface Transaction {
  /** The ref that moves, and what it must still hold. */
  trail: Pick<TrailHead, 'ref' | 'checkedOut' | 'oid' | 'head'>;
  /** The commit that the ref shall point to. */
  commit: string;
  objects: readonly EncodedObject[];
  changes: readonly StoreChange[];
  /** Each changed path, as the trail names it, with its entry in the new tree. */
  paths: readonly RecordedPath[];
  /** Bytes of files of which git records others: no object of the change has them, and recovery needs them. */
  exact: readonly EncodedObject[];
  /** Entries of git's index to keep in step; `null` on a trail beside the branch. */
  index: IndexEdit[] | null;
  /** For the reflog: `Name <email> seconds zone`, and what happened. */
  committer: string;
  summary: string;
  /** The update of the index for a landing on the checked-out branch. */
  landing?: Landing | null;
}

/** The result of publishing. `done: false`: somebody moved the ref, a file or the index meanwhile; plan again. */
export type Outcome = { done: true; warnings: string[] } | { done: false };

/** A transaction that moves a ref and nothing else, as one that does more begins. */
export function movingRef(
  context: Context,
  { summary, commit, ref, checkedOut, oid, head }: Transaction['trail'] & { commit: string; summary: string },
): Transaction {
  return {
    trail: { ref, checkedOut, oid, head },
    commit,
    objects: [],
    changes: [],
    paths: [],
    exact: [],
    index: null,
    committer: formatIdentity(committer(context)),
    summary: `vedit: ${summary}`,
  };
}
