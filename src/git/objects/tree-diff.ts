/** Lists the paths that differ between two trees, reading only the subtrees whose ids differ, and no more than a limit of them. */

import { fromLatin1, nameOf } from '../../bytes.ts';
import { gitName } from '../../c-quote.ts';
import { EditError } from '../../errors.ts';
import type { ObjectDatabase } from './object-database.ts';
import { differingPart, isTree, parseTree, type TreeEntry, type TreeRef } from './tree-entries.ts';

export interface TreeChange {
  /** The path with `/`, its names as `nameOf` gives them. */
  path: string;
  /** False when the bytes of the path are not UTF-8, so that no request can name it. */
  utf8: boolean;
  before: TreeRef | null;
  after: TreeRef | null;
}

/**
 * The files, links and submodules that differ, in the order of the bytes of their paths; a file that becomes a
 * folder is its removal and the additions below it. `null` is no tree. Throws CORRUPT, STORE_FAILED, and TOO_LARGE where
 * more entries differ than the database allows.
 */
export async function diffTrees(
  objects: ObjectDatabase,
  a: string | null,
  b: string | null,
): Promise<TreeChange[]> {
  const changes: TreeChange[] = [];
  if (a !== b) await collect({ objects, changes, left: objects.maxEntries }, a, b, '');
  return changes.sort((x, y) => (x.path < y.path ? -1 : x.path > y.path ? 1 : 0)).map(readable);
}

interface Collector {
  objects: ObjectDatabase;
  changes: TreeChange[];
  /** The number of entries that may still be looked at. */
  left: number;
}

/** Bytes of trees that cost as much as an entry that differs: large ones may be hung up again and again. */
const BYTES = 1024;

async function collect(to: Collector, a: string | null, b: string | null, at: string): Promise<void> {
  const [old, now] = await Promise.all([contentOf(to.objects, a), contentOf(to.objects, b)]);
  spend(to, (old.length + now.length) / BYTES, at);
  const [before, after] = differingPart(old, now).map(entriesOf) as [Entries, Entries];
  for (const [name, old] of before) {
    const now = after.get(name) ?? null;
    if (now === null || now.oid !== old.oid || now.mode !== old.mode) await compare(to, old, now, at + name);
  }
  for (const [name, now] of after) if (!before.has(name)) await compare(to, null, now, at + name);
}

function spend(from: Collector, entries: number, at: string): void {
  from.left -= entries;
  if (from.left >= 0) return;
  const limit = from.objects.maxEntries;
  const path = nameOf(fromLatin1(at.replace(/\/$/, '')));
  const message = `More than ${limit} entries differ between two trees (the last was in ${gitName(path.slice(0, 200))}/), and no more are compared. If that is meant, git config vedit.maxEntries allows more.`;
  throw new EditError('TOO_LARGE', message, { limit, path });
}

async function contentOf(objects: ObjectDatabase, tree: string | null): Promise<Uint8Array> {
  return tree === null ? new Uint8Array(0) : (await objects.read(tree, 'tree')).content;
}

type Entries = Map<string, TreeEntry>;

function entriesOf(content: Uint8Array): Entries {
  return new Map(parseTree(content).map(entry => [entry.name, entry]));
}

async function compare(to: Collector, a: TreeRef | null, b: TreeRef | null, path: string): Promise<void> {
  spend(to, 1, path);
  const [before, after] = [fileRef(a), fileRef(b)];
  if (before !== null || after !== null) to.changes.push({ path, utf8: true, before, after });
  const [from, into] = [treeOf(a), treeOf(b)];
  if (from !== into) await collect(to, from, into, `${path}/`);
}

function fileRef(ref: TreeRef | null): TreeRef | null {
  return ref === null || isTree(ref.mode) ? null : { mode: ref.mode, oid: ref.oid };
}

function treeOf(ref: TreeRef | null): string | null {
  return ref !== null && isTree(ref.mode) ? ref.oid : null;
}

/** Paths are collected as bytes, which is also the order to sort them in. */
function readable(change: TreeChange): TreeChange {
  if (ASCII.test(change.path)) return change;
  const path = nameOf(fromLatin1(change.path));
  return { ...change, path, utf8: path.isWellFormed() };
}

/** Such a path is the same as bytes and as UTF-8. */
const ASCII = /^[\0-\x7f]*$/;
