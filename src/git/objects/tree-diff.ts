/** Which paths differ between two trees, reading only the subtrees whose ids differ. */

import { fromLatin1, fromUtf8 } from '../../bytes.ts';
import type { ObjectDatabase } from './object-database.ts';
import { differingPart, isTree, parseTree, type TreeEntry, type TreeRef } from './tree-entries.ts';

export interface TreeChange {
  /** With `/`. One character a byte when `utf8` is false. */
  path: string;
  /** False when the bytes of the path are not UTF-8, so that no request can name it. */
  utf8: boolean;
  before: TreeRef | null;
  after: TreeRef | null;
}

/**
 * The files, links and submodules that differ, in the order of the bytes of their paths; a file that becomes a
 * folder is its removal and the additions below it. `null` is no tree. Throws CORRUPT, STORE_FAILED.
 */
export async function diffTrees(
  objects: ObjectDatabase,
  a: string | null,
  b: string | null,
): Promise<TreeChange[]> {
  const changes: TreeChange[] = [];
  if (a !== b) await collect({ objects, changes }, a, b, '');
  return changes.sort((x, y) => (x.path < y.path ? -1 : x.path > y.path ? 1 : 0)).map(readable);
}

interface Collector {
  objects: ObjectDatabase;
  changes: TreeChange[];
}

async function collect(to: Collector, a: string | null, b: string | null, at: string): Promise<void> {
  const [old, now] = await Promise.all([contentOf(to.objects, a), contentOf(to.objects, b)]);
  const [before, after] = differingPart(old, now).map(entriesOf) as [Entries, Entries];
  for (const [name, old] of before) {
    const now = after.get(name) ?? null;
    if (now === null || now.oid !== old.oid || now.mode !== old.mode) await compare(to, old, now, at + name);
  }
  for (const [name, now] of after) if (!before.has(name)) await compare(to, null, now, at + name);
}

async function contentOf(objects: ObjectDatabase, tree: string | null): Promise<Uint8Array> {
  return tree === null ? new Uint8Array(0) : (await objects.read(tree, 'tree')).content;
}

type Entries = Map<string, TreeEntry>;

function entriesOf(content: Uint8Array): Entries {
  return new Map(parseTree(content).map(entry => [entry.name, entry]));
}

async function compare(to: Collector, a: TreeRef | null, b: TreeRef | null, path: string): Promise<void> {
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
  const path = fromUtf8(fromLatin1(change.path));
  return path === null ? { ...change, utf8: false } : { ...change, path };
}

/** Such a path is the same as bytes and as UTF-8. */
const ASCII = /^[\0-\x7f]*$/;
