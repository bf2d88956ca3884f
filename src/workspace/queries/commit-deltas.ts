/** What a commit changed, and what lies between two trees, file by file. */

import { diffTrees } from '../../git/objects/tree-diff.ts';
import { isBelow } from '../../trail/changed-paths.ts';
import { readEntry, type TrailEntry } from '../../trail/walk.ts';
import { entryDeltas } from '../change/repeated.ts';
import { type Context, fromTrail } from '../context.ts';
import { type Delta, deltaOf } from '../deltas.ts';
import { recordedFile } from '../files/snapshot.ts';

/** What one commit changed against its first parent; `only` is a file or folder of the workspace. */
export async function commitDeltas(context: Context, entry: TrailEntry, only?: string): Promise<Delta[]> {
  const isOwn = entry.meta && entry.meta.op !== 'sync';
  if (isOwn) return (await entryDeltas(context, entry)).filter(delta => concerns(delta, only));
  const parent = entry.parents[0] ? (await readEntry(context.objects, entry.parents[0])).tree : null;
  return treeDeltas(context, parent, entry.tree, only);
}

function concerns({ path, from }: Delta, only: string | undefined): boolean {
  return isBelow(path, only) || (from !== null && isBelow(from, only));
}

async function treeDeltas(
  context: Context,
  a: string | null,
  b: string | null,
  only?: string,
): Promise<Delta[]> {
  const deltas: Delta[] = [];
  for await (const delta of eachTreeDelta(context, a, b, only)) deltas.push(delta);
  return deltas;
}

/** Of the regular files, one after another; links and submodules are passed over. */
export async function* eachTreeDelta(
  context: Context,
  a: string | null,
  b: string | null,
  only?: string,
): AsyncGenerator<Delta> {
  for (const change of await diffTrees(context.objects, a, b)) {
    const path = fromTrail(context, change.path);
    if (path === null || !isBelow(path, only)) continue;
    const [before, after] = await Promise.all(
      [change.before, change.after].map(ref =>
        ref?.mode.startsWith('100') ? recordedFile(context, path, ref) : null,
      ),
    );
    if (before || after) yield deltaOf(path, null, before ?? null, after ?? null);
  }
}
