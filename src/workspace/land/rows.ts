/**
 * Edits that land together and follow each other at a path, so that what they come to is there to be read: before the first
 * of them and after the last. However many there are, two looks into trees say it.
 */

import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import type { Pick, PickRow } from '../../trail/history/cherry-pick.ts';
import type { PendingEntry } from '../../trail/open-edits.ts';
import { fileAt, heldBy } from '../../trail/steps.ts';

/**
 * Rows of the picks, one for each path whose edits from the first that is picked to the last are all picked, as they were
 * made, and with nothing in between that brings changes which it does not name. `entries`: all that is pending, oldest
 * first. The trail is taken to be sound, as `verify` checks it: its commits change the paths that they name, and no others.
 */
export async function rowsOf(
  objects: ObjectDatabase,
  entries: readonly PendingEntry[],
  picks: readonly Pick[],
): Promise<PickRow[]> {
  const wanted = new Map(picks.map(pick => [pick.entry.commit, pick]));
  const rows: PickRow[] = [];
  for (const [path, touching] of touchedPaths(entries, picks)) {
    const isPicked = ({ entry: { commit } }: PendingEntry): boolean =>
      wanted.get(commit)?.paths.includes(path) ?? false;
    const row = touching.slice(touching.findIndex(isPicked), touching.findLastIndex(isPicked) + 1);
    const [first, last] = [row[0]!, row.at(-1)!];
    const isRevised = row.some(({ entry }) => wanted.get(entry.commit)?.instead?.has(path));
    if (first.stretch !== last.stretch || isRevised || !row.every(isPicked)) continue;
    const from = await heldBy(objects, first.entry.parents[0], path);
    const to = await fileAt(objects, last.entry.tree, path);
    rows.push({ path, entries: row.map(({ entry }) => entry), from, to });
  }
  return rows;
}

/** By path of the picks, all entries that are about it. */
function touchedPaths(
  entries: readonly PendingEntry[],
  picks: readonly Pick[],
): ReadonlyMap<string, PendingEntry[]> {
  const found = new Map<string, PendingEntry[]>(picks.flatMap(({ paths }) => paths.map(path => [path, []])));
  for (const one of entries) for (const path of one.entry.meta!.paths) found.get(path)?.push(one);
  return found;
}
