/** A commit of the trail, as a whole and as a row of what it is about. */

import { includesText } from '../bytes.ts';
import { type Identity, parseCommit, parseCommitHead } from '../git/objects/commit.ts';
import { isOid } from '../git/objects/object.ts';
import type { ObjectDatabase } from '../git/objects/object-database.ts';
import { isHead, isUndoable } from '../operations.ts';
import type { CommitChanges } from './changes.ts';
import { type Lands, parseLands, presentLands } from './landing/lands-trailer.ts';
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
  /** The edits that have landed with the commit of a person, as its message says. */
  lands?: readonly Lands[];
}

/** As much of a commit as tells what it is about, and what became of others: short, and kept (trail-index.ts). */
export interface RowFacts {
  commit: string;
  /** Seconds since 1970. */
  time: number;
  /** The first parent. */
  parent: string | null;
  /** As the commit's trailers say; `null` for commits that the engine did not make. */
  op: string | null;
  paths: readonly string[];
  head?: string | undefined;
  branch?: string | undefined;
  line?: string | undefined;
  session?: string | undefined;
  agent?: string | undefined;
  turn?: string | undefined;
  /**
   * True for a commit that changes the paths that it names and no others, and says nothing of other commits: neither does it
   * take back, put back or restore anything, nor bring HEAD.
   */
  isPlain: boolean;
  /** The short keys that the commit is found by, where it was asked for under an id. */
  keys?: readonly string[] | undefined;
}

export interface TrailRow extends RowFacts {
  entry(): Promise<TrailEntry>;
  /** Returns what the commit changed in files; `null` where that is not kept. A promise only where it must be read. */
  changes(): CommitChanges | null | Promise<CommitChanges | null>;
}

export async function readEntry(objects: ObjectDatabase, oid: string): Promise<TrailEntry> {
  return parseEntry(objects, oid, (await objects.read(oid, 'commit')).content);
}

/** Reads the tree of a commit: nothing else of it is looked at. */
export async function treeOf(objects: ObjectDatabase, commit: string): Promise<string> {
  return parseCommitHead((await objects.read(commit, 'commit')).content).tree;
}

/** Reads the next commit of a history; `null` where that of a shallow clone ends. Throws CORRUPT where it is broken. */
export async function readBelow(objects: ObjectDatabase, oid: string): Promise<TrailEntry | null> {
  const entry = await readEntryOrNull(objects, oid);
  return entry || (await objects.isShallow()) ? entry : readEntry(objects, oid);
}

/** Reads a commit; `null` for what is not there, or not a commit: an id that a message names may be any text. */
export async function readEntryOrNull(objects: ObjectDatabase, oid: string): Promise<TrailEntry | null> {
  const object = isOid(oid) ? await objects.readOrNull(oid) : null;
  return object?.type === 'commit' ? parseEntry(objects, oid, object.content) : null;
}

function parseEntry({ presentIds }: ObjectDatabase, oid: string, content: Uint8Array): TrailEntry {
  if (!includesText(content, 'Vedit-')) return othersEntry(oid, content);
  const entry = wholeEntry(oid, content);
  return entry.lands ? { ...entry, lands: presentLands(entry.lands, presentIds) } : entry;
}

/**
 * Returns the entry of a commit that no trailer of the engine stands in. Its words are parsed when they are asked for:
 * walks come to many such commits, and nobody asks for the words of most.
 */
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

export function factsOf(entry: TrailEntry): RowFacts {
  const { commit, time, parents, meta } = entry;
  const { op = null, paths = [], head, branch, line, session, agent, turn } = meta ?? {};
  const about = { op, paths, head, branch, line, session, agent, turn };
  const keys = keysIn(entry)?.map(shortKey);
  return { commit, time, parent: parents[0] ?? null, ...about, isPlain: isPlain(entry), keys };
}

export function rowOf(entry: TrailEntry): TrailRow {
  return { ...factsOf(entry), entry: async () => entry, changes: () => null };
}

function isPlain({ meta, parents }: TrailEntry): boolean {
  if (meta === null || isHead(meta.op) || parents.length > 1) return false;
  return meta.undoes === undefined && meta.redoes === undefined && meta.restores === undefined;
}

/**
 * True for the first commit of a trail beside the branch. What lies below is HEAD's history, whoever made it.
 */
export function beginsTrail(entry: TrailEntry): boolean {
  return entry.meta?.line !== undefined;
}

/** True for a commit that `undo` can take back: an edit, a change, a rollback. */
export function isEdit({ meta }: TrailEntry): boolean {
  return isUndoable(meta?.op);
}

/*
 * The keys of edits are made from the ids that they were asked for under: the caller's own (`edit_id`), and those of tool
 * calls, which count within a session. Rows have them as short hashes: they only say where to look, and whoever finds a
 * commit by one reads there what the key is.
 */

/** A request with an id: the caller's own for it, or that of the tool call. */
export type RequestId = { editId: string; call?: undefined } | { editId?: undefined; call: string };

/** A request with an id, and what tells it apart: the hash of its tool and input, and its session. */
export type IdentifiedRequest = RequestId & { editHash: string; session: string };

/** The texts by which an edit is found: with its tool and input, and with its session; '' for none. */
type RequestKeys = readonly [same: string, own: string];

export function keysOf({ editId, call, editHash, session }: IdentifiedRequest): RequestKeys {
  if (call !== undefined) return [['call', call, editHash, session].join('\t'), ''];
  return [['id', editId, editHash].join('\t'), ['own', editId, session].join('\t')];
}

/** Returns the keys of a commit; `null` of one that was not asked for under an id. */
export function keysIn({ meta }: { meta: TrailMeta | null }): RequestKeys | null {
  const { editId, call, editHash, session = '' } = meta ?? {};
  if (editHash === undefined) return null;
  if (editId !== undefined) return keysOf({ editId, editHash, session });
  return call === undefined ? null : keysOf({ call, editHash, session });
}

/** Hashes a key: two independent 32-bit hashes, of multiplications as in MurmurHash. '' stays ''. */
export function shortKey(key: string): string {
  if (key === '') return '';
  let high = 0x9e3779b9 ^ key.length;
  let low = 0x85ebca6b ^ key.length;
  for (let at = 0; at < key.length; at++) {
    const unit = key.charCodeAt(at);
    high = Math.imul(high ^ unit, 0x5bd1e995);
    low = Math.imul(low ^ unit, 0x1b873593);
    high ^= high >>> 13;
    low ^= low >>> 15;
  }
  return `${(high >>> 0).toString(36)}.${(low >>> 0).toString(36)}`;
}
