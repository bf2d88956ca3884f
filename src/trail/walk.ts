/**
 * The trail read backwards. Whoever looks for a few commits among very many asks rows what they are about, and reads only
 * those in full: where commits are kept (trail-index.ts), a row costs a thousandth of reading its commit.
 */

import type { ObjectDatabase } from '../git/objects/object-database.ts';
import { revList } from '../git/rev-list.ts';
import { isMerge } from '../operations.ts';
import { beginsTrail, readBelow, readEntry, rowOf, type TrailEntry, type TrailRow } from './entry.ts';

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

export function hasMerge(rows: readonly TrailRow[]): boolean {
  return rows.some(({ op }) => isMerge(op));
}

export interface WalkOptions {
  /** On a trail beside the branch: stop where HEAD's own history begins. */
  ownOnly: boolean;
  /** The most commits to read; default: all. */
  limit?: number;
  /**
   * Goes through merges too, to both sides. Default: along the first parents alone, where a merge stands for all that came
   * in with it.
   */
  joined?: 'all' | undefined;
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
 * Walks from `oid` backwards along the first parents, newest first, some commits at a time; with `joined` through merges, and
 * no commit before a child of it. A shallow clone ends where its history ends.
 */
export async function* walkRows(
  objects: ObjectDatabase,
  oid: string | null,
  options: WalkOptions,
): AsyncGenerator<readonly TrailRow[]> {
  const left = options.limit ?? Number.POSITIVE_INFINITY;
  const walked = { newest: options.goesOn ? null : oid, count: 0, left };
  yield* rowsOfLine(objects, oid, options, walked, null);
}

/** `within`: where the line belongs to one side of a merge, the commits that the other side has not. */
async function* rowsOfLine(
  objects: ObjectDatabase,
  start: string | null,
  options: WalkOptions,
  walked: { newest: string | null; count: number; left: number },
  within: ReadonlySet<string> | null,
): AsyncGenerator<readonly TrailRow[]> {
  const source = options.afresh ? undefined : sources.get(objects);
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
    const isJoin = isMerge(last.op);
    const join =
      isJoin && options.joined ? await sidesOf(objects, await last.entry(), options, within) : null;
    if (join) yield* rowsOfLine(objects, join.first, options, walked, join.within);
    const begins = options.ownOnly && last.trail !== undefined;
    if (!join && ((own < rows.length && !isJoin) || begins)) return;
    next = join ? join.rest : last.parent;
  }
}

/** The two sides of a merge, as they are walked: all that the first one has for itself, and then the other. */
export interface Sides {
  first: string;
  /** The commits that the first side has, and the other one has not. */
  within: ReadonlySet<string>;
  /** `null`: what is below is not the trail's. */
  rest: string | null;
}

/** Finds the sides of a merge; `null` for what joins no histories. The side that was edited last comes first. */
export async function sidesOf(
  objects: ObjectDatabase,
  entry: TrailEntry,
  { ownOnly }: WalkOptions,
  within: ReadonlySet<string> | null,
): Promise<Sides | null> {
  const [own, theirs] = entry.parents;
  if (!isMerge(entry.meta?.op) || own === undefined || theirs === undefined) return null;
  const begins = ownOnly && beginsTrail(entry);
  const [a, b] = [await objects.commitInfo(own), await objects.commitInfo(theirs)];
  const isOwnNewer = !begins && a !== null && b !== null && a.seconds > b.seconds;
  const [first, rest] = isOwnNewer ? [own, theirs] : [theirs, own];
  const news = await revList(objects, first, rest);
  return {
    first,
    within: within ? new Set([...news].filter(one => within.has(one))) : news,
    rest: begins ? null : rest,
  };
}

/**
 * Returns how many rows come before the first whose commit is not in `within`: the other side of a merge has that, too.
 */
function countWithin(rows: readonly TrailRow[], within: ReadonlySet<string>): number {
  const at = rows.findIndex(({ commit }) => !within.has(commit));
  return at < 0 ? rows.length : at;
}

/** Returns how many rows come up to the first merge, where the walk parts. */
function toMerge(rows: readonly TrailRow[], { joined }: WalkOptions): number {
  const at = joined ? rows.findIndex(({ op }) => isMerge(op)) : -1;
  return at < 0 ? rows.length : at + 1;
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
  const at = rows.findIndex(({ op, trail }) => op === null || trail !== undefined);
  if (at < 0) return rows.length;
  return rows[at]!.op === null ? at : at + 1;
}
