/** Lists what one side of a merge did since the two had all in common. */

import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { revList } from '../../git/rev-list.ts';
import { isMerge } from '../../operations.ts';
import { isEdit, readEntryOrNull, type TrailEntry } from '../walk.ts';

/** The commits that `tip` has in its history and `other` has not, parents first. */
export async function entriesNotIn(
  objects: ObjectDatabase,
  tip: string,
  other: string,
): Promise<TrailEntry[]> {
  const wanted = await revList(objects, tip, other);
  const found = new Map<string, TrailEntry>();
  const stack = [tip];
  const entries = new Map<string, TrailEntry>();
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const entry = entries.get(top) ?? (wanted.has(top) ? await readEntryOrNull(objects, top) : null);
    if (!entry || found.has(top)) {
      stack.pop();
      continue;
    }
    const open = entries.has(top) ? [] : entry.parents.filter(one => wanted.has(one) && !found.has(one));
    entries.set(top, entry);
    if (open.length > 0) stack.push(...open);
    else {
      found.set(top, entry);
      stack.pop();
    }
  }
  return [...found.values()];
}

/** The edits of another clone that came in with a merge, parents first; none for any other commit. */
export async function editsMerged(objects: ObjectDatabase, entry: TrailEntry): Promise<TrailEntry[]> {
  const { meta, parents } = entry;
  const [after, last] = (isMerge(meta?.op) && meta?.merges?.split('..')) || [];
  const theirs = last ?? parents[1];
  const known = last === undefined ? parents[0] : after;
  if (after === undefined || theirs === undefined || known === undefined) return [];
  return (await entriesNotIn(objects, theirs, known)).filter(isEdit);
}
