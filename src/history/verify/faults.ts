/** The faults that a check of the trail can find. */

import { EditError } from '../../errors.ts';

export const FAULT_KINDS = {
  unreadable: 'an object of the history is missing or damaged',
  foreign: 'a commit that the engine did not make stands in the history',
  rewritten: 'a commit says that the engine made it, and somebody else committed it',
  link: 'a commit does not stand on the commit that it says it was made on',
  paths: 'a commit changes other paths than its trailers name',
  lines: 'a commit adds or removes another number of lines than its subject says',
  head: 'a commit that joins HEAD to the history holds what neither of them had',
  back: 'an undo, redo, revert, rollback or restore is not what it says',
  names: 'a commit names another one that is not there',
  review: 'a review does not hold what its commits say',
  signature: 'a statement of the newest commit is not signed, not in its place, or of a commit that is gone',
  expected: 'a commit that was expected is not in the history',
  interrupted: 'an edit was interrupted, and no call has repaired it yet',
} as const;

export type FaultKind = keyof typeof FAULT_KINDS;

export interface Fault {
  kind: FaultKind;
  /** Full id; `null` when it is about no single commit. */
  commit: string | null;
  /** As the trail records it; for a file, as the workspace names it. */
  path: string | null;
  message: string;
}

export function fault(
  kind: FaultKind,
  commit: string | null,
  message: string,
  path: string | null = null,
): Fault {
  return { kind, commit, path, message };
}

/** Runs a check; an object that cannot be read is a fault of the commit, any other error passes through. */
export async function faultsOf(
  commit: string,
  path: string | null,
  check: () => Promise<Fault[]>,
): Promise<Fault[]> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof EditError) || !UNREADABLE.has(error.code)) throw error;
    return [fault('unreadable', commit, error.message, path)];
  }
}

const UNREADABLE: ReadonlySet<string> = new Set(['CORRUPT', 'STORE_FAILED', 'TOO_LARGE']);
