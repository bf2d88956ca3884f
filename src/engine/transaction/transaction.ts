/**
 * A transaction: all that an edit, a way back, the recording of an outside change or a landing publishes as one. It is planned and
 * published again where somebody was faster who does not wait for the engine's lock: git, an editor.
 */

import { EditError } from '../../errors.ts';
import { sleep } from '../../fs/all-done.ts';
import { formatIdentity } from '../../git/objects/commit.ts';
import type { EncodedObject } from '../../git/objects/object.ts';
import type { TrailHead } from '../../history/head.ts';
import type { StoreChange } from '../../stores/store.ts';
import type { Context } from '../context.ts';
import { committer } from '../identity.ts';
import type { IndexEdit, Landing, RecordedPath } from './journal/record.ts';

export interface Transaction {
  /** The ref that moves, and what it must still hold. */
  trail: Pick<TrailHead, 'ref' | 'checkedOut' | 'oid' | 'head'>;
  commit: string;
  objects: readonly EncodedObject[];
  changes: readonly StoreChange[];
  /** Each changed path, as the trail names it, with its entry in the new tree. */
  paths: readonly RecordedPath[];
  /** Bytes of files of which git records others: no object of the change has them, and recovery needs them. */
  exact: readonly EncodedObject[];
  /** Entries of git's index to keep in step; `null` on a trail beside the branch. */
  index: IndexEdit[] | null;
  /** For the reflog, where there is one: makes `Name <email> seconds zone`, and what happened. */
  committer: () => string;
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
    committer: () => formatIdentity(committer(context)),
    summary: `vedit: ${summary}`,
  };
}

/** The number of times that a change is planned on what is there before it is refused as LOCKED. */
export const TRIES = 20;

/** Milliseconds before the first try that waits; each further pause is twice as long, up to the second number. */
const [FIRST_PAUSE, LONGEST_PAUSE] = [1, 64];
/** The first tries do not wait: as a rule somebody was faster once. */
const AT_ONCE = 4;

/**
 * Plans and publishes, again while somebody who is not of the engine was faster. `attempt` answers `null` then; `what`: what
 * they changed. Throws LOCKED.
 */
export async function publishWithRetry<T>(what: string, attempt: () => Promise<T | null>): Promise<T> {
  for (let tries = 1; tries <= TRIES; tries++) {
    const done = await attempt();
    if (done !== null) return done;
    const pause = Math.min(FIRST_PAUSE * 2 ** (tries - AT_ONCE), LONGEST_PAUSE);
    if (tries > AT_ONCE && tries < TRIES) await sleep(pause * (0.5 + Math.random()));
  }
  throw lostTheRace(what);
}

/** Creates the LOCKED error for a change that somebody else was faster than each time. */
export function lostTheRace(what: string): EditError {
  return new EditError(
    'LOCKED',
    `Git or an editor changed ${what} ${TRIES} times while this was being written. Try again when they are idle.`,
  );
}
