/** What is to be published as one: an edit, a way back, the recording of what others did, or a landing. */

import type { EncodedObject } from '../../git/objects/object.ts';
import type { StoreChange } from '../../stores/store.ts';
import type { TrailHead } from '../../trail/head.ts';
import type { IndexEdit, Landing, RecordedPath } from './record.ts';

/** A change that is ready to be published. */
export interface Transaction {
  /** The ref that moves, and what it must still hold. */
  trail: Pick<TrailHead, 'ref' | 'checkedOut' | 'oid' | 'head'>;
  /** The commit that the ref shall point to; `null`: `act` moves the ref, as git does. */
  commit: string | null;
  objects: readonly EncodedObject[];
  changes: readonly StoreChange[];
  /** What the trail holds of each path after the change, by path of the trail. */
  paths: readonly RecordedPath[];
  /** Bytes of files of which git records others: no object of the change has them, and recovery needs them. */
  exact: readonly EncodedObject[];
  /** Entries of git's index to keep in step; `null` on a trail beside the branch. */
  index: IndexEdit[] | null;
  /** For the reflog: `Name <email> seconds zone`, and what happened. */
  committer: string;
  summary: string;
  /** Of a landing on the checked-out branch: how the index follows. */
  landing?: Landing | null;
  /** Moves the ref in place of the engine, with the locks held; throws when it did not. `name`: of the record. */
  act?: (name: string) => Promise<void>;
}

/** What came of it: done, or somebody moved the ref, a file or the index in between and it must be planned again. */
export type Outcome = { done: true; warnings: string[] } | { done: false };
