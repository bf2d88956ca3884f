/** The trail read backwards: each commit with what its message says, along the first parents. */

import { includesText } from '../bytes.ts';
import { type Identity, parseCommit, parseCommitHead } from '../git/objects/commit.ts';
import { isOid } from '../git/objects/object.ts';
import type { ObjectDatabase } from '../git/objects/object-database.ts';
import { isUndoable } from '../operations.ts';
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
  /** Of walkRows: goes on below a commit that was read, where nothing may be left, with what is kept from the first on. */
  goesOn?: boolean;
}

/** From `oid` backwards along the first parents, newest first. A shallow clone ends where its history ends. */
export async function* walkTrail(
  objects: ObjectDatabase,
  oid: string | null,
  options: WalkOptions,
): AsyncGenerator<TrailEntry> {
  const limit = options.limit ?? Number.POSITIVE_INFINITY;
  const source = sources.get(objects);
  for (let next = oid, count = 0; next && count < limit; count++) {
    const kept = source && count >= source.few ? source : null;
    const known: TrailEntry | null = (await kept?.get(next)) ?? null;
    const entry: TrailEntry | null = known ?? (await (next === oid ? readEntry : readBelow)(objects, next));
    if (entry && !known) await kept?.learn(entry);
    if (!entry || (options.ownOnly && !entry.meta)) return;
    yield entry;
    if (options.ownOnly && beginsTrail(entry)) return;
    next = entry.parents[0] ?? null;
  }
}

/**
 * True for the first commit of a trail beside the branch. What lies below is HEAD's history, whoever made it: the
 * engine itself, while the branch was the trail; or another trail that was merged into the branch.
 */
export function beginsTrail(entry: TrailEntry): boolean {
  return entry.meta?.trail !== undefined;
}

/** True for a commit that `undo` can take back: an edit, a change, a rollback. */
export function isEdit(entry: TrailEntry): boolean {
  return isUndoable(entry.meta?.op);
}
