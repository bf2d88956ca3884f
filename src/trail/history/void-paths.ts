/**
 * Pending edits of which a way back left nothing, where that is pending too: the path is again as it was before them, and
 * together they bring nothing.
 */

import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { isRollback } from '../../operations.ts';
import type { PendingEntry } from '../open-edits.ts';
import { fileAt, sameRecorded } from '../steps.ts';
import { readEntry, type TrailEntry } from '../walk.ts';

/** The commits that were read of one path, oldest first. */
interface Row {
  members: Array<{ entry: TrailEntry; pending: PendingEntry | null }>;
  /** Of each, its place on the trail: the newest commit has the least. */
  places: number[];
  /** How many before each of them are not pending there. */
  closed: number[];
}

/** So many entries are looked at for the one before which the path was as it is after a way back. */
const STATES = 50;

/** Marks them. `walked`: all commits of the trail that were read for them, newest first. */
export async function markVoid(
  objects: ObjectDatabase,
  entries: readonly PendingEntry[],
  walked: readonly TrailEntry[],
): Promise<void> {
  const known = new Set(entries.map(({ entry }) => entry.commit));
  const back = entries.filter(one => mayGoBack(one, known)).reverse();
  if (back.length === 0) return;
  const places = new Map(walked.map(({ commit }, at) => [commit, at]));
  const base = walked.at(-1)?.parents[0];
  if (base !== undefined) places.set(base, walked.length);
  const rows = rowsOf(entries, walked);
  for (const one of back) {
    for (const path of one.paths.filter(name => !one.void.has(name))) {
      const row = rows.get(path)!;
      const last = firstUpTo(row.places, places.get(one.entry.commit)!);
      const since = places.get(one.entry.meta!.restores ?? '');
      const first = takesBackAll(one, row, last, since)
        ? firstUpTo(row.places, since! - 1)
        : await firstBefore(objects, path, row, last, candidates(one, row, last, since));
      if (first !== null)
        for (const { pending } of row.members.slice(first, last + 1)) if (pending) addVoid(pending, path);
    }
  }
}

/** Marks the path in a set of the entry's own: the empty one is shared. */
function addVoid(one: PendingEntry, path: string): void {
  if (one.void.size === 0) one.void = new Set();
  (one.void as Set<string>).add(path);
}

/** A rollback takes back all edits since then, whatever others did to the file in between. */
function takesBackAll(
  { entry }: PendingEntry,
  { places, closed }: Row,
  last: number,
  since?: number,
): boolean {
  if (!isRollback(entry.meta!.op) || since === undefined) return false;
  const first = firstUpTo(places, since - 1);
  return first < last && closed[last + 1] === closed[first];
}

/** Undo and redo of edits that are pending as well are told by what they name. */
function mayGoBack({ entry: { meta }, undone, landed }: PendingEntry, known: ReadonlySet<string>): boolean {
  if (undone || landed) return false;
  const { restores, undoes = [], redoes = [] } = meta!;
  return restores !== undefined || [...undoes, ...redoes].some(id => !known.has(id));
}

/** Indexes of the row: what restores a commit says where to begin. */
function candidates(
  { entry: { meta } }: PendingEntry,
  { places }: Row,
  last: number,
  since?: number,
): number[] {
  const restored = since ?? (meta!.restores === undefined ? undefined : Number.POSITIVE_INFINITY);
  const begin = restored === undefined ? Math.max(0, last - STATES) : firstUpTo(places, restored - 1);
  const end = Math.min(last, begin + STATES);
  const range = Array.from({ length: Math.max(0, end - begin) }, (_, at) => begin + at);
  return begin > 0 && restored === undefined ? [0, ...range] : range;
}

/** The first candidate before which the path was as it is after the last, with nothing in between that landed. */
async function firstBefore(
  objects: ObjectDatabase,
  path: string,
  { members, closed }: Row,
  last: number,
  firsts: readonly number[],
): Promise<number | null> {
  const now = await fileAt(objects, members[last]!.entry.tree, path);
  for (const first of firsts) {
    if (closed[last + 1] !== closed[first]) continue;
    if (sameRecorded(await before(objects, members[first]!.entry, path), now)) return first;
  }
  return null;
}

async function before(objects: ObjectDatabase, entry: TrailEntry, path: string): ReturnType<typeof fileAt> {
  const [parent] = entry.parents;
  return parent ? fileAt(objects, (await readEntry(objects, parent)).tree, path) : null;
}

/** The index of the first that is not greater; they get less and less. */
function firstUpTo(places: readonly number[], most: number): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (places[middle]! > most) low = middle + 1;
    else high = middle;
  }
  return low;
}

function rowsOf(entries: readonly PendingEntry[], walked: readonly TrailEntry[]): Map<string, Row> {
  const byCommit = new Map(entries.map(one => [one.entry.commit, one]));
  const rows = new Map<string, Row>();
  for (const [at, entry] of [...walked.entries()].reverse()) {
    for (const path of entry.meta?.paths ?? []) {
      const row = rows.get(path) ?? { members: [], places: [], closed: [0] };
      const one = byCommit.get(entry.commit);
      const pending = one && !one.landed && !one.held.has(path) && one.paths.includes(path) ? one : null;
      row.members.push({ entry, pending });
      row.places.push(at);
      row.closed.push(row.closed.at(-1)! + (pending ? 0 : 1));
      rows.set(path, row);
    }
  }
  return rows;
}
