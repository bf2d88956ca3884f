/** A commit of the trail, as a whole and as a row of what it is about. */

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
  /** The ids that the commit was asked for under, with the hash of what was asked. */
  editId?: string | undefined;
  call?: string | undefined;
  editHash?: string | undefined;
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
  const { parents, tree, author, committer, message } = parseCommit(content);
  const { subject, reason, meta } = parseMessage(message);
  const lands = meta ? [] : presentLands(parseLands(message), presentIds);
  return {
    ...{ commit: oid, parents, tree, subject, reason, author, meta },
    time: committer.seconds,
    ...(lands.length > 0 ? { lands } : {}),
  };
}

export function factsOf(entry: TrailEntry): RowFacts {
  const { commit, time, parents, meta } = entry;
  const { op = null, paths = [], head, branch, line, session, agent, turn } = meta ?? {};
  const { editId, call, editHash } = meta ?? {};
  const about = { op, paths, head, branch, line, session, agent, turn, editId, call, editHash };
  return { commit, time, parent: parents[0] ?? null, ...about, isPlain: isPlain(entry) };
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
