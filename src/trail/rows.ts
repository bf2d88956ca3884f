/**
 * The trail read backwards, as far as it tells which commits are about a file or a session and what became of edits: whoever
 * looks for a few commits among very many reads only those in full. Where commits are kept (kept-entries.ts), a row costs a
 * thousandth of reading its commit.
 */

import type { ObjectDatabase } from '../git/objects/object-database.ts';
import { isSync } from '../operations.ts';
import {
  type EntrySource,
  entrySource,
  readBelow,
  readEntry,
  type TrailEntry,
  type TrailRow,
  type WalkOptions,
} from './walk.ts';

export function rowOf(entry: TrailEntry): TrailRow {
  const { commit, time, parents, meta } = entry;
  return {
    commit,
    time,
    parent: parents[0] ?? null,
    op: meta?.op ?? null,
    paths: meta?.paths ?? [],
    head: meta?.head,
    trail: meta?.trail,
    session: meta?.session,
    agent: meta?.agent,
    isPlain: isPlain(entry),
    entry: async () => entry,
  };
}

export function isPlain({ meta, parents }: TrailEntry): boolean {
  if (meta === null || isSync(meta.op) || parents.length > 1) return false;
  return meta.undoes === undefined && meta.redoes === undefined && meta.restores === undefined;
}

/** Walks the commits of walkTrail in its order, some at a time. */
export async function* walkRows(
  objects: ObjectDatabase,
  oid: string | null,
  options: WalkOptions,
): AsyncGenerator<readonly TrailRow[]> {
  const source = entrySource(objects);
  let left = options.limit ?? Number.POSITIVE_INFINITY;
  const first = options.goesOn ? null : oid;
  for (let next = oid, count = 0; next && left > 0; ) {
    const kept = source && (options.goesOn || count >= source.few) ? source : null;
    const rows: readonly TrailRow[] =
      (await kept?.rowsFrom(next)) ?? (await readRow(objects, next, first, kept));
    const own = options.ownOnly ? ownRows(rows) : rows.length;
    const most = Math.min(own, left);
    if (most > 0) yield most === rows.length ? rows : rows.slice(0, most);
    const last = rows[own - 1];
    if (own < rows.length || !last || (options.ownOnly && last.trail !== undefined)) return;
    count += own;
    left -= own;
    next = last.parent;
  }
}

/**
 * The first commit below an edit of other files that may change this one; `null` where the commit itself may do so, or none
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

/** Empty where the history of a shallow clone ends. */
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

/** How many of them belong to a trail beside the branch: up to the one that it began with, or to that of somebody else. */
function ownRows(rows: readonly TrailRow[]): number {
  const at = rows.findIndex(({ op, trail }) => op === null || trail !== undefined);
  if (at < 0) return rows.length;
  return rows[at]!.op === null ? at : at + 1;
}
