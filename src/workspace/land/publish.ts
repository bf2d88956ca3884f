/**
 * How landed commits reach a branch: as a transaction that moves the branch, or in which git moves it, and after which
 * the index follows. The work tree is not touched.
 */

import { syncObjects, writeObjects } from '../../git/objects/loose.ts';
import type { EncodedObject } from '../../git/objects/object.ts';
import { type Context, looseOf } from '../context.ts';
import type { StagedEntry } from '../transaction/journal/record.ts';
import { publish } from '../transaction/publication.ts';
import type { Outcome } from '../transaction/transaction.ts';
import type { Turn } from '../transaction/writer.ts';
import type { LandTarget } from './target.ts';

export interface Landing {
  target: LandTarget;
  objects: readonly EncodedObject[];
  staged: readonly StagedEntry[];
  /** The commit for the branch, and its line in the reflog; `null` when git itself makes commits and moves the branch. */
  move: { commit: string; committer: string; summary: string } | null;
}

/** Somebody moved the branch between the planning and git's own look at it. */
export class BranchMoved extends Error {}

/**
 * Lets `act` commit (git; told the name of the record), or moves the ref, and brings the index in step. `done: false`: the branch moved before; nothing
 * happened. What `act` throws passes through: nothing was published.
 */
export async function publishLanding(
  context: Context,
  { target, objects, staged, move }: Landing,
  turn: Turn,
  act: (name: string) => Promise<void>,
): Promise<Outcome> {
  const { ref, checkedOut, commit: oid } = target;
  const landing = checkedOut ? { from: oid, staged: [...staged] } : null;
  return publish(
    context,
    {
      trail: { ref, checkedOut, oid, head: oid },
      commit: move?.commit ?? null,
      objects,
      changes: [],
      paths: [],
      exact: [],
      index: null,
      committer: move?.committer ?? '',
      summary: move?.summary ?? '',
      landing,
      ...(move ? {} : { act }),
    },
    turn,
  );
}

/** Writes objects durably; a commit of git's may name them afterwards. */
export async function storeObjects(context: Context, objects: readonly EncodedObject[]): Promise<void> {
  await syncObjects(context.fs, await writeObjects(looseOf(context), objects));
}
