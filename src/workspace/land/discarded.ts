/** What the person took back by hand, which is no part of a landing: files that hold again what the branch has. */

import { EditError } from '../../errors.ts';
import { lookup } from '../../git/objects/tree.ts';
import type { TrailHead } from '../../trail/head.ts';
import type { PendingEntry } from '../../trail/pending.ts';
import type { Picker } from '../../trail/pick.ts';
import { type Context, fromTrail } from '../context.ts';
import { Snapshot } from '../snapshot.ts';
import type { LandTarget } from './target.ts';

/** A path of the trail, and the newest of the edits that stay behind there. */
export interface Discarded {
  path: string;
  commit: string;
  /** True when the edits left no file there. */
  deleted: boolean;
}

/**
 * Of the paths that the landing would change, those whose file is as the branch has it. Only where the branch is the one
 * that the files belong to and the trail lies beside it: elsewhere a file says nothing of what the person wants.
 */
export async function findDiscarded(
  context: Context,
  trail: TrailHead,
  target: LandTarget,
  chosen: readonly PendingEntry[],
  picker: Picker,
): Promise<Discarded[]> {
  if (!target.checkedOut || trail.checkedOut || !context.store.separate) return [];
  const snapshot = new Snapshot(context, trail);
  const wanted = new Set([...picker.changes().keys(), ...picker.conflicts.map(one => one.path)]);
  const found: Discarded[] = [];
  for (const path of [...wanted].sort()) {
    if (!(await isAsOnBranch(snapshot, picker, path))) continue;
    const newest = chosen.findLast(one => one.paths.includes(path) && one.entry.meta!.op !== 'outside');
    if (!newest) continue;
    const { commit, tree } = newest.entry;
    found.push({ path, commit, deleted: (await lookup(context.objects, tree, path)) === null });
  }
  return found;
}

async function isAsOnBranch(snapshot: Snapshot, picker: Picker, path: string): Promise<boolean> {
  const name = fromTrail(snapshot.context, path);
  if (name === null) return false;
  try {
    const file = (await snapshot.resolve(name)) === name ? await snapshot.file(name) : null;
    return await snapshot.conversion.isRecorded(name, file, picker.before(path));
  } catch (error) {
    // What cannot be read, or is left out of a sparse checkout, was not taken back.
    if (error instanceof EditError) return false;
    throw error;
  }
}

/** The edits without those paths; an edit of which nothing is left waits for another landing. */
export function withoutPaths(
  chosen: readonly PendingEntry[],
  discarded: readonly Discarded[],
): PendingEntry[] {
  if (discarded.length === 0) return [...chosen];
  const gone = new Set(discarded.map(one => one.path));
  const kept = chosen.map(one => ({ ...one, paths: one.paths.filter(path => !gone.has(path)) }));
  return kept.filter(one => one.paths.length > 0);
}

/** For the answer: what stays behind, and the way back. */
export function discardedNote(context: Context, discarded: readonly Discarded[]): string {
  const way = ({ path, commit, deleted }: Discarded): string =>
    deleted
      ? `delete ${nameOf(context, path)}`
      : `restore ${nameOf(context, path)} --from ${commit.slice(0, 12)}`;
  const paths = discarded.map(one => nameOf(context, one.path)).join(', ');
  return `Left out, because the files hold what the branch has (their edits were taken back by hand): ${paths}. To land them all the same, bring them back first: ${way(discarded[0]!)}.`;
}

export function allDiscarded(context: Context, discarded: readonly Discarded[]): EditError {
  const paths = discarded.map(one => nameOf(context, one.path));
  return new EditError('NO_CHANGE', `Nothing is left to land. ${discardedNote(context, discarded)}`, {
    discarded: paths,
  });
}

function nameOf(context: Context, path: string): string {
  return fromTrail(context, path) ?? path;
}
