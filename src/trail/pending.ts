/**
 * What of the trail is not in a branch yet. An edit is in it when a commit of the branch says so (Vedit-Lands), when the
 * branch holds the trail's own commit, or when HEAD held the same at its paths the last time that the trail looked.
 */

import { commitsBetween } from '../git/between.ts';
import { parseCommit } from '../git/objects/commit.ts';
import type { ObjectDatabase } from '../git/objects/object-database.ts';
import { diffTrees } from '../git/objects/tree-diff.ts';
import { landedIn } from './lands.ts';
import { UndoState } from './undo.ts';
import { type TrailEntry, walkTrail } from './walk.ts';

export interface PendingQuery {
  /** The trail's newest commit, brought up to HEAD; `null` when it has not begun. */
  tip: string | null;
  /** True when the trail is the checked-out branch. */
  checkedOut: boolean;
  /** HEAD's commit. */
  head: string | null;
  /** The newest commit of the branch in question. */
  target: string | null;
  /** Look at all of the trail, also at what HEAD holds. */
  all?: boolean;
  /** The most commits of the trail to read; default: all. */
  limit?: number;
}

export interface PendingEntry {
  entry: TrailEntry;
  /** Its paths that HEAD does not hold as the trail does. */
  paths: string[];
  /** True when a later commit took it back. */
  undone: boolean;
  /** True when a commit of the branch holds it. */
  landed: boolean;
}

/** Edits, what takes them back, and outside changes, oldest first; landed ones are among them, marked. */
export async function pendingEntries(objects: ObjectDatabase, query: PendingQuery): Promise<PendingEntry[]> {
  const walk = query.checkedOut ? notInTarget : notInHead;
  const found: PendingEntry[] = [];
  const order: TrailEntry[] = [];
  for await (const { entry, paths, undone } of walk(objects, query)) {
    order.push(entry);
    if (paths.length > 0) found.push({ entry, paths, undone, landed: false });
  }
  const exclude = query.checkedOut ? query.tip : (found.at(-1)?.entry.meta?.head ?? null);
  const { rows, commits } = await landedIn(objects, found.length > 0 ? query.target : null, exclude);
  const landed = new Set(order.filter(entry => rows.note(entry) !== null).map(({ commit }) => commit));
  for (const one of found) one.landed = landed.has(one.entry.commit) || commits.has(one.entry.commit);
  return found.reverse();
}

interface Walked {
  entry: TrailEntry;
  paths: string[];
  undone: boolean;
}

/** Beside the branch, newest first: what is below a join with HEAD is open only where the join differs from HEAD. */
async function* notInHead(objects: ObjectDatabase, query: PendingQuery): AsyncGenerator<Walked> {
  const state = new UndoState();
  let open: ReadonlySet<string> | null = null;
  for await (const entry of walkTrail(objects, query.tip, { ownOnly: true, ...limitOf(query) })) {
    if (entry.commit === query.target || (entry.commit === query.head && !query.all)) return;
    state.note(entry);
    const { paths, op } = entry.meta!;
    if (op === 'sync' && !query.all) {
      const kept = await keptPaths(objects, entry);
      open = open === null ? kept : intersection(kept, open);
      if (open.size === 0) return;
    }
    const own = open === null ? [...paths] : paths.filter(path => open!.has(path));
    yield { entry, paths: own, undone: state.isUndone(entry.commit) };
  }
}

function limitOf({ limit }: PendingQuery): { limit?: number } {
  return limit === undefined ? {} : { limit };
}

async function keptPaths(objects: ObjectDatabase, sync: TrailEntry): Promise<ReadonlySet<string>> {
  const [, head] = sync.parents;
  const tree = head === undefined ? null : parseCommit((await objects.read(head)).content).tree;
  return new Set((await diffTrees(objects, tree, sync.tree)).map(change => change.path));
}

function intersection(a: ReadonlySet<string>, b: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...a].filter(one => b.has(one)));
}

/** On the checked-out branch, newest first: the engine's commits that another branch does not have. */
async function* notInTarget(objects: ObjectDatabase, query: PendingQuery): AsyncGenerator<Walked> {
  if (query.tip === null) return;
  const missing = await commitsBetween(objects, query.tip, query.target);
  const state = new UndoState();
  for await (const entry of walkTrail(objects, query.tip, { ownOnly: false })) {
    if (!missing.has(entry.commit)) return;
    state.note(entry);
    yield { entry, paths: [...(entry.meta?.paths ?? [])], undone: state.isUndone(entry.commit) };
  }
}

/**
 * Of pending entries, the edits that still have something to bring: not landed, and not taken back. What takes back or
 * puts back edits that are all among them brings nothing besides.
 */
export function openEdits(entries: readonly PendingEntry[]): PendingEntry[] {
  const open = entries.filter(({ entry, landed }) => !landed && entry.meta!.op !== 'outside');
  const known = new Set(open.map(({ entry }) => entry.commit));
  return open.filter(({ entry, undone }) => {
    const named = [...(entry.meta!.undoes ?? []), ...(entry.meta!.redoes ?? [])];
    return !undone && (named.length === 0 || !named.every(oid => known.has(oid)));
  });
}
