/**
 * The trail read backwards. Whoever looks for a few commits among very many asks rows what they are about, and reads only
 * those in full: where commits are kept (trail-index.ts), a row costs a thousandth of reading its commit.
 */

import type { ObjectDatabase } from '../git/objects/object-database.ts';
import { readBelow, readEntry, rowOf, type TrailEntry, type TrailRow } from './entry.ts';

export * from './entry.ts';

export interface EntrySource {
  /** The newest commits of each walk are read as objects: there are few, and the caches have them. */
  readonly few: number;
  /** The row of that commit, and of commits below it along the first parents; `null` where it is not kept. */
  rowsFrom(oid: string): Promise<readonly TrailRow[] | null>;
  learn(entry: TrailEntry): Promise<void>;
}

const sources = new WeakMap<ObjectDatabase, EntrySource>();

/** Makes walks along this database's trails look in `source` for what they come to. */
export function useEntries(objects: ObjectDatabase, source: EntrySource): void {
  sources.set(objects, source);
}

export interface WalkOptions {
  /** On a trail beside the branch: stop where HEAD's own history begins. */
  ownOnly: boolean;
  /** The most commits to read; default: all. */
  limit?: number;
  /** Goes on below a commit that was read, where nothing may be left, with what is kept from the first on. */
  goesOn?: boolean;
  /** Reads each commit itself, although the trail's index holds it. */
  afresh?: boolean;
}

export async function* walkTrail(
  objects: ObjectDatabase,
  oid: string | null,
  options: WalkOptions,
): AsyncGenerator<TrailEntry> {
  for await (const rows of walkRows(objects, oid, options)) for (const row of rows) yield row.entry();
}

/**
 * Walks from `oid` backwards along the first parents, newest first, some commits at a time. A shallow clone ends where its
 * history ends.
 */
export async function* walkRows(
  objects: ObjectDatabase,
  oid: string | null,
  { ownOnly, limit = Number.POSITIVE_INFINITY, goesOn, afresh }: WalkOptions,
): AsyncGenerator<readonly TrailRow[]> {
  const source = afresh ? undefined : sources.get(objects);
  const newest = goesOn ? null : oid;
  let count = 0;
  for (let next = oid; next && count < limit; ) {
    const kept = source && (goesOn || count >= source.few) ? source : null;
    const rows: readonly TrailRow[] =
      (await kept?.rowsFrom(next)) ?? (await readRow(objects, next, newest, kept));
    const own = ownOnly ? ownRows(rows) : rows.length;
    const most = Math.min(own, limit - count);
    if (most > 0) yield most === rows.length ? rows : rows.slice(0, most);
    count += own;
    const last = rows[own - 1];
    if (!last || own < rows.length || (ownOnly && last.line !== undefined)) return;
    next = last.parent;
  }
}

/**
 * Finds the first commit below an edit of other files that may change this one; `null` where the commit itself may do so, or none
 * is below it.
 */
export async function nextAbout(
  objects: ObjectDatabase,
  { meta, parents }: TrailEntry,
  path: string,
): Promise<TrailEntry | null> {
  const [parent, second] = parents;
  if (!meta || !parent || second || meta.paths.includes(path)) return null;
  let last: TrailRow | null = null;
  for await (const rows of walkRows(objects, parent, { ownOnly: false, goesOn: true })) {
    for (const row of rows) if (!row.isPlain || row.paths.includes(path)) return row.entry();
    last = rows.at(-1)!;
  }
  return last?.entry() ?? null;
}

/** Reads one commit as a row; none where the history of a shallow clone ends. */
async function readRow(
  objects: ObjectDatabase,
  oid: string,
  newest: string | null,
  kept: EntrySource | null,
): Promise<TrailRow[]> {
  const entry = await (oid === newest ? readEntry : readBelow)(objects, oid);
  if (entry) await kept?.learn(entry);
  return entry ? [rowOf(entry)] : [];
}

/**
 * Returns how many rows belong to a trail beside the branch: up to the one that it began with, or to that of somebody
 * else.
 */
function ownRows(rows: readonly TrailRow[]): number {
  const at = rows.findIndex(({ op, line }) => op === null || line !== undefined);
  if (at < 0) return rows.length;
  return rows[at]!.op === null ? at : at + 1;
}
