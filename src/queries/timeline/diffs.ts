/** Finds what each entry of a timeline changed, of the files that are wanted, and the lines of it that others wrote. */

import type { Layer } from '../../engine/admission/policy/policies.ts';
import { commitDiffs, recordedDiff } from '../../engine/commit-diffs.ts';
import { type Context, fromTrail } from '../../engine/context.ts';
import type { FileDiff } from '../../engine/file-diffs.ts';
import { diffTrees, type TreeChange } from '../../git/objects/tree-diff.ts';
import { isOutside } from '../../operations.ts';
import { textFile } from '../../text/document.ts';
import { type Lines, linesOf } from '../../text/lines.ts';
import { isBelow, namesPaths } from '../../trail/changed-paths.ts';
import { readEntry, type TrailEntry } from '../../trail/walk.ts';
import { type BroughtFile, lineSources, mayBring, type Sources } from '../line-sources.ts';

/**
 * The files that are wanted: those below `path`; of commits that the engine did not make, `edited` ones first. `layers`: the
 * policies that hold.
 */
export interface Wanted {
  path: string | undefined;
  edited: ReadonlySet<string>;
  layers: readonly Layer[];
}

/** The most files to show of a commit that the engine did not make. */
const MAX_FOREIGN_FILES = 100;

/** The most lines that are looked up besides those that diffs add. */
const MOST_LINES = 500_000;

/** Differences that are shown, and how many files of the commit are not. */
export interface ShownDiffs {
  fileDiffs: FileDiff[];
  others: number;
}

/** Diffs a commit for the page. A person's commit may change any number of files; of a sync only the edited ones are of interest. */
export async function shownDiffs(
  context: Context,
  { path: below, edited, layers }: Wanted,
  entry: TrailEntry,
): Promise<ShownDiffs> {
  const isWanted = (path: string | null): boolean =>
    path !== null && isBelow(path, below?.replace(/\/$/, ''));
  if (namesPaths(entry)) {
    const all = await commitDiffs(context, entry, undefined, layers);
    const fileDiffs = all.filter(({ path, from }) => isWanted(path) || isWanted(from));
    return { fileDiffs, others: all.length - fileDiffs.length };
  }
  const { objects } = context;
  const [parent] = entry.parents;
  const before = parent && (await objects.has(parent)) ? (await readEntry(objects, parent)).tree : null;
  const all = await diffTrees(objects, before, entry.tree);
  const changes = all.filter(({ path }) => isWanted(fromTrail(context, path)));
  const shown = changes.filter(isRegular);
  const isEdited = ({ path }: TreeChange): boolean => edited.has(fromTrail(context, path) ?? '');
  const rest = entry.meta ? [] : shown.filter(change => !isEdited(change));
  const fileDiffs: FileDiff[] = [];
  for (const { path, before: old, after } of [...shown.filter(isEdited), ...rest].slice(0, MAX_FOREIGN_FILES))
    fileDiffs.push(await recordedDiff(context, layers, fromTrail(context, path)!, old, after));
  return { fileDiffs, others: changes.length - fileDiffs.length };
}

function isRegular({ before, after, utf8 }: TreeChange): boolean {
  return utf8 && [before, after].every(ref => ref === null || ref.mode.startsWith('100'));
}

/** Looks up the lines of the entries, newest first, that others wrote than the diffs tell, in one pass through history. */
export async function timelineSources(
  context: Context,
  wanted: Wanted,
  entries: readonly TrailEntry[],
): Promise<Sources> {
  const asked: BroughtFile[] = [];
  let left = MOST_LINES;
  for (const entry of entries.filter(mayBring))
    for (const fileDiff of (await shownDiffs(context, wanted, entry)).fileDiffs) {
      const lines = linesAfter(fileDiff);
      // A page counts lines as diffs do, which is by line feeds alone.
      if (!lines || lines.lineBreak === '\r') continue;
      // A way back may leave a line that is now again that of somebody else, where the whole file is as it was.
      const count = entry.parents.length > 1 || isOutside(entry.meta!.op) ? 0 : lines.count;
      asked.push(count <= left ? { entry, fileDiff, count } : { entry, fileDiff });
      left -= Math.min(count, left);
    }
  return lineSources(context, asked);
}

function linesAfter({ path, after, binary }: FileDiff): Lines | null {
  return after && !binary ? linesOf(textFile(path, after.bytes, after.version).text) : null;
}
