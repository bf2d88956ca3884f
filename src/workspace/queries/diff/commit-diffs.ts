/** What a commit changed, and what lies between two trees, file by file. */

import { diffTrees } from '../../../git/objects/tree-diff.ts';
import { isSync } from '../../../operations.ts';
import { isBelow } from '../../../trail/changed-paths.ts';
import { readEntry, type TrailEntry } from '../../../trail/walk.ts';
import { entryDiffs } from '../../change/repeated.ts';
import { type Context, fromTrail } from '../../context.ts';
import { type FileDiff, fileDiffOf } from '../../file-diffs.ts';
import { recordedFile } from '../../files/snapshot.ts';

/** What one commit changed against its first parent; `only` is a file or folder of the workspace. */
export async function commitDiffs(context: Context, entry: TrailEntry, only?: string): Promise<FileDiff[]> {
  const isOwn = entry.meta && !isSync(entry.meta.op);
  if (isOwn) return (await entryDiffs(context, entry)).filter(fileDiff => concerns(fileDiff, only));
  const parent = entry.parents[0] ? (await readEntry(context.objects, entry.parents[0])).tree : null;
  return treeDiffs(context, parent, entry.tree, only);
}

function concerns({ path, from }: FileDiff, only: string | undefined): boolean {
  return isBelow(path, only) || (from !== null && isBelow(from, only));
}

async function treeDiffs(
  context: Context,
  a: string | null,
  b: string | null,
  only?: string,
): Promise<FileDiff[]> {
  const fileDiffs: FileDiff[] = [];
  for await (const fileDiff of eachTreeDiff(context, a, b, only)) fileDiffs.push(fileDiff);
  return fileDiffs;
}

/** Of the regular files, one after another; links and submodules are passed over. */
export async function* eachTreeDiff(
  context: Context,
  a: string | null,
  b: string | null,
  only?: string,
): AsyncGenerator<FileDiff> {
  for (const change of await diffTrees(context.objects, a, b)) {
    const path = fromTrail(context, change.path);
    if (path === null || !isBelow(path, only)) continue;
    const [before, after] = await Promise.all(
      [change.before, change.after].map(ref =>
        ref?.mode.startsWith('100') ? recordedFile(context, path, ref) : null,
      ),
    );
    if (before || after) yield fileDiffOf(path, null, before ?? null, after ?? null);
  }
}
