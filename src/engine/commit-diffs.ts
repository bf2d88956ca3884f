/** Compares what a commit changed, and what lies between two trees, file by file. */

import { diffTrees, type TreeChange } from '../git/objects/tree-diff.ts';
import { isBelow, namesPaths } from '../history/changed-paths.ts';
import { namedFiles } from '../history/read-steps.ts';
import { renamesOf } from '../history/renames.ts';
import { sameRecorded } from '../history/steps.ts';
import { readEntry, type TrailEntry } from '../history/walk.ts';
import { isMove } from '../operations.ts';
import type { StoreChange } from '../stores/store.ts';
import type { Layer } from './admission/policy/policies.ts';
import { readableDiffs } from './admission/policy/readable.ts';
import { type Context, fromTrail } from './context.ts';
import { type FileDiff, fileDiffOf, fileDiffsOf, type Move } from './file-diffs.ts';
import { recordedFile } from './files/snapshot.ts';

/**
 * Returns what one commit changed against its first parent; `only` is a file or folder of the workspace. `layers`: the
 * policies that hold, for who asks of many commits.
 */
export async function commitDiffs(
  context: Context,
  entry: TrailEntry,
  only?: string,
  layers?: readonly Layer[],
): Promise<FileDiff[]> {
  const hold = layers ?? (await context.policies.layers());
  if (namesPaths(entry))
    return (await namedDiffs(context, entry, hold)).filter(fileDiff => concerns(fileDiff, only));
  const parent = entry.parents[0] ? (await readEntry(context.objects, entry.parents[0])).tree : null;
  const fileDiffs: FileDiff[] = [];
  for await (const fileDiff of eachTreeDiff(context, parent, entry.tree, hold, only))
    fileDiffs.push(fileDiff);
  return fileDiffs;
}

/** True for a file that is, or was, this one or below this folder. */
export function concerns({ path, from }: FileDiff, only: string | undefined): boolean {
  return isBelow(path, only) || (from !== null && isBelow(from, only));
}

/** Returns what the engine's own commit changed: it names the paths, and whether one was moved. */
async function namedDiffs(
  context: Context,
  entry: TrailEntry,
  layers: readonly Layer[],
): Promise<FileDiff[]> {
  const changes: StoreChange[] = [];
  for (const { path: recorded, before, after } of (await namedFiles(context.objects, entry)) ?? []) {
    const path = sameRecorded(before, after) ? null : fromTrail(context, recorded);
    if (path !== null) changes.push(await changeOf(context, path, before, after));
  }
  const fileDiffs = fileDiffsOf(changes, isMove(entry.meta?.op) ? moveOf(changes) : []);
  return readableDiffs(context, fileDiffs, layers);
}

/** Returns the move in the changes of a move's commit: a path that went and one that came. */
function moveOf(changes: readonly StoreChange[]): Move[] {
  const from = changes.find(change => change.after === null);
  const to = changes.find(change => change.after !== null);
  return changes.length === 2 && from && to ? [{ from: from.path, to: to.path }] : [];
}

/**
 * Yields the differences of regular files, one after another; links and submodules are passed over. A file that went
 * and one that came and is much like it are one difference, a move, as git shows it.
 */
export async function* eachTreeDiff(
  context: Context,
  a: string | null,
  b: string | null,
  layers: readonly Layer[],
  only?: string,
): AsyncGenerator<FileDiff> {
  const files = (await diffTrees(context.objects, a, b)).flatMap(change => {
    const path = fromTrail(context, change.path);
    const [before, after] = [regular(change.before), regular(change.after)];
    return path !== null && isBelow(path, only) && (before || after) ? [{ path, before, after }] : [];
  });
  const renames = await renamesOf(files, (path, ref) => ({
    path,
    oid: ref.oid,
    read: () => recordedFile(context, path, ref),
  }));
  const byPath = new Map(files.map(file => [file.path, file]));
  const gone = new Set(renames.values());
  for (const { path, before, after } of files.filter(file => !gone.has(file.path))) {
    const from = renames.get(path) ?? null;
    const old = from === null ? before : byPath.get(from)!.before;
    const file = await changeOf(context, path, old, after);
    yield* await readableDiffs(context, [fileDiffOf(path, from, file.before, file.after)], layers);
  }
}

function regular(ref: TreeChange['before']): TreeChange['before'] {
  return ref?.mode.startsWith('100') ? ref : null;
}

/** The difference between two recorded contents of a path. Throws SPECIAL_FILE for what is no regular file. */
export async function recordedDiff(
  context: Context,
  layers: readonly Layer[],
  path: string,
  ...sides: [before: TreeChange['before'], after: TreeChange['after']]
): Promise<FileDiff> {
  const { before, after } = await changeOf(context, path, ...sides);
  const [shown] = await readableDiffs(context, [fileDiffOf(path, null, before, after)], layers);
  return shown!;
}

async function changeOf(
  context: Context,
  path: string,
  ...sides: [before: TreeChange['before'], after: TreeChange['after']]
): Promise<StoreChange> {
  const [before, after] = await Promise.all(sides.map(ref => ref && recordedFile(context, path, ref)));
  return { path, before: before ?? null, after: after ?? null };
}
