/**
 * The trail read backwards, as far as it tells which commits are about a file or a session and what became of edits: whoever
 * looks for a few commits among very many reads only those in full. Where commits are kept (kept-entries.ts), a row costs a
 * thousandth of reading its commit.
 */

import type { ObjectDatabase } from '../git/objects/object-database.ts';
import { isMerge, isSync } from '../operations.ts';
import { summaryOf } from './rows-summary.ts';
import {
  type EntrySource,
  entrySource,
  readBelow,
  readEntry,
  sidesOf,
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
    changes: async () => null,
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
  const left = options.limit ?? Number.POSITIVE_INFINITY;
  const walked = { newest: options.goesOn ? null : oid, count: 0, left };
  yield* rowsOfLine(objects, oid, options, walked, null);
}

async function* rowsOfLine(
  objects: ObjectDatabase,
  start: string | null,
  options: WalkOptions,
  walked: { newest: string | null; count: number; left: number },
  within: ReadonlySet<string> | null,
): AsyncGenerator<readonly TrailRow[]> {
  const source = entrySource(objects);
  for (let next = start; next && walked.left > 0 && (!within || within.has(next)); ) {
    const kept = source && (options.goesOn || walked.count >= source.few) ? source : null;
    const read: readonly TrailRow[] =
      (await kept?.rowsFrom(next)) ?? (await readRow(objects, next, walked.newest, kept));
    const rows = within ? read.slice(0, countWithin(read, within)) : read;
    const own = Math.min(options.ownOnly ? ownRows(rows) : rows.length, toMerge(rows, options));
    const most = Math.min(own, walked.left);
    if (most > 0) yield most === rows.length ? rows : rows.slice(0, most);
    const last = rows[own - 1];
    walked.count += own;
    walked.left -= own;
    if (!last || walked.left <= 0) return;
    const join =
      isMerge(last.op) && options.joined ? await sidesOf(objects, await last.entry(), options, within) : null;
    if (join) yield* rowsOfLine(objects, join.first, options, walked, join.within);
    const ends = own < rows.length && !isMerge(last.op);
    if (!join && (ends || (options.ownOnly && last.trail !== undefined))) return;
    next = join ? join.rest : last.parent;
  }
}

/** How many of them come before one that the other side of a merge has, too. */
function countWithin(rows: readonly TrailRow[], within: ReadonlySet<string>): number {
  const at = rows.findIndex(({ commit }) => !within.has(commit));
  return at < 0 ? rows.length : at;
}

/** Up to the first merge, where the walk parts. */
function toMerge(rows: readonly TrailRow[], { joined }: WalkOptions): number {
  const known = joined && summaryOf(rows);
  if (known && ![...known.ops].some(isMerge)) return rows.length;
  const at = joined ? rows.findIndex(({ op }) => isMerge(op)) : -1;
  return at < 0 ? rows.length : at + 1;
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
  const known = summaryOf(rows);
  if (known && !known.begins && !known.ops.has(null)) return rows.length;
  const at = rows.findIndex(({ op, trail }) => op === null || trail !== undefined);
  if (at < 0) return rows.length;
  return rows[at]!.op === null ? at : at + 1;
}
