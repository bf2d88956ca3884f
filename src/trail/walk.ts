/** The trail read backwards: each commit with what its message says, along the first parents. */

import { includesText } from '../bytes.ts';
import { type Identity, parseCommit, parseCommitHead } from '../git/objects/commit.ts';
import { isOid } from '../git/objects/object.ts';
import type { ObjectDatabase } from '../git/objects/object-database.ts';
import { revList } from '../git/rev-list.ts';
import { isMerge, isUndoable } from '../operations.ts';
import type { CommitChanges } from './changes.ts';
import { type Lands, parseLands } from './landing/lands-trailer.ts';
import { parseMessage, type TrailMeta } from './message.ts';

/** One commit of the trail. Commits that the engine did not make have no `meta`. */
export interface TrailEntry {
  commit: string;
  parents: string[];
  tree: string;
  subject: string;
  reason: string;
  author: Identity;
  /** Seconds since 1970. */
  time: number;
  meta: TrailMeta | null;
  /** What a commit of a person says to have landed with it. */
  lands?: readonly Lands[];
}

/** As much of a commit as tells what it is about, and what became of others; see rows.ts. */
export interface TrailRow {
  readonly commit: string;
  /** Seconds since 1970. */
  readonly time: number;
  /** The first parent. */
  readonly parent: string | null;
  /** As the commit's trailers say; `null` for commits that the engine did not make. */
  readonly op: string | null;
  readonly paths: readonly string[];
  readonly head: string | undefined;
  readonly trail: string | undefined;
  readonly session: string | undefined;
  readonly agent: string | undefined;
  /**
   * True for a commit that changes the paths that it names and no others, and says nothing of other commits: neither does it
   * take back, put back or restore anything, nor join histories.
   */
  readonly isPlain: boolean;
  /** All that the commit says. */
  entry(): Promise<TrailEntry>;
  /** What it changed in its files; `null` where that is not kept. */
  changes(): Promise<CommitChanges | null>;
}

export async function readEntry(objects: ObjectDatabase, oid: string): Promise<TrailEntry> {
  return parseEntry(oid, (await objects.read(oid, 'commit')).content);
}

/** The tree of a commit: nothing else of it is looked at. */
export async function treeOf(objects: ObjectDatabase, commit: string): Promise<string> {
  return parseCommitHead((await objects.read(commit, 'commit')).content).tree;
}

/** The next commit of a history; `null` where that of a shallow clone ends. Throws CORRUPT where it is broken. */
export async function readBelow(objects: ObjectDatabase, oid: string): Promise<TrailEntry | null> {
  const entry = await readEntryOrNull(objects, oid);
  return entry || (await objects.isShallow()) ? entry : readEntry(objects, oid);
}

/** `null` for what is not there, or not a commit: an id that a message names may be any text. */
export async function readEntryOrNull(objects: ObjectDatabase, oid: string): Promise<TrailEntry | null> {
  const object = isOid(oid) ? await objects.readOrNull(oid) : null;
  return object?.type === 'commit' ? parseEntry(oid, object.content) : null;
}

function parseEntry(oid: string, content: Uint8Array): TrailEntry {
  return includesText(content, 'Vedit-') ? wholeEntry(oid, content) : othersEntry(oid, content);
}

/** Of a commit that no trailer of the engine stands in. Walks come to many, and nobody asks for the words of most. */
function othersEntry(commit: string, content: Uint8Array): TrailEntry {
  const { tree, parents, seconds } = parseCommitHead(content);
  let whole: TrailEntry | null = null;
  const read = (): TrailEntry => {
    whole ??= wholeEntry(commit, content);
    return whole;
  };
  return {
    commit,
    parents,
    tree,
    get subject() {
      return read().subject;
    },
    get reason() {
      return read().reason;
    },
    get author() {
      return read().author;
    },
    time: seconds,
    meta: null,
  };
}

function wholeEntry(oid: string, content: Uint8Array): TrailEntry {
  const commit = parseCommit(content);
  const { subject, reason, meta } = parseMessage(commit.message);
  const { parents, tree, author } = commit;
  const lands = meta ? [] : parseLands(commit.message);
  return {
    commit: oid,
    parents,
    tree,
    subject,
    reason,
    author,
    time: commit.committer.seconds,
    meta,
    ...(lands.length > 0 ? { lands } : {}),
  };
}

/** Where entries of commits are kept that were read before. */
export interface EntrySource {
  /** The newest commits of each walk are read as objects: there are few, and the caches have them. */
  readonly few: number;
  get(oid: string): Promise<TrailEntry | null>;
  /** The row of that commit, and of commits below it along the first parents; `null` where it is not kept. */
  rowsFrom(oid: string): Promise<readonly TrailRow[] | null>;
  learn(entry: TrailEntry): Promise<void>;
}

const sources = new WeakMap<ObjectDatabase, EntrySource>();

/** From now on, walks along this database's trails look there for what they come to. */
export function useEntries(objects: ObjectDatabase, source: EntrySource): void {
  sources.set(objects, source);
}

export function entrySource(objects: ObjectDatabase): EntrySource | undefined {
  return sources.get(objects);
}

export interface WalkOptions {
  /** On a trail beside the branch: stop where HEAD's own history begins. */
  ownOnly: boolean;
  /** The most commits to read; default: all. */
  limit?: number;
  /**
   * Goes through merges too, to both sides: of hosts that share one trail, or of every trail that was merged as a whole.
   * Default: along the first parents alone, where a merge stands for all that came in with it.
   */
  joined?: 'shared' | 'all' | undefined;
  /** Of walkRows: goes on below a commit that was read, where nothing may be left, with what is kept from the first on. */
  goesOn?: boolean;
}

/**
 * From `oid` backwards along the first parents, newest first; with `joined` through merges, and no commit before a child of
 * it. A shallow clone ends where its history ends.
 */
export async function* walkTrail(
  objects: ObjectDatabase,
  oid: string | null,
  options: WalkOptions,
): AsyncGenerator<TrailEntry> {
  yield* walkLine(objects, oid, options, { newest: oid, count: 0 }, null);
}

/** `within`: where the line belongs to one side of a merge, the commits that the other side has not. */
async function* walkLine(
  objects: ObjectDatabase,
  start: string | null,
  options: WalkOptions,
  walked: { newest: string | null; count: number },
  within: ReadonlySet<string> | null,
): AsyncGenerator<TrailEntry> {
  const limit = options.limit ?? Number.POSITIVE_INFINITY;
  const source = sources.get(objects);
  for (let next = start; next && walked.count < limit && (!within || within.has(next)); walked.count++) {
    const kept = source && walked.count >= source.few ? source : null;
    const known: TrailEntry | null = (await kept?.get(next)) ?? null;
    const read = next === walked.newest ? readEntry : readBelow;
    const entry: TrailEntry | null = known ?? (await read(objects, next));
    if (entry && !known) await kept?.learn(entry);
    if (!entry || (options.ownOnly && !entry.meta)) return;
    yield entry;
    const join = options.joined && (await sidesOf(objects, entry, options, within));
    if (join) yield* walkLine(objects, join.first, options, walked, join.within);
    if (!join && options.ownOnly && beginsTrail(entry)) return;
    next = join ? join.rest : (entry.parents[0] ?? null);
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

/** `null` for what joins no histories that are to be walked through. The side that was edited last comes first. */
export async function sidesOf(
  objects: ObjectDatabase,
  entry: TrailEntry,
  { joined, ownOnly }: WalkOptions,
  within: ReadonlySet<string> | null,
): Promise<Sides | null> {
  const [own, theirs] = entry.parents;
  const isJoined = isMerge(entry.meta?.op) && (joined === 'all' || entry.meta?.shared !== undefined);
  if (!isJoined || own === undefined || theirs === undefined) return null;
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
 * True for the first commit of a trail beside the branch. What lies below is HEAD's history, whoever made it: the
 * engine itself, while the branch was the trail; or another trail that was merged into the branch.
 */
export function beginsTrail(entry: TrailEntry): boolean {
  return entry.meta?.trail !== undefined;
}

/** True for a commit that `undo` can take back: an edit, a change, a rollback. Hosts that share a trail edit nothing by merging. */
export function isEdit({ meta }: TrailEntry): boolean {
  return isUndoable(meta?.op) && meta?.shared === undefined;
}
