/** The objects that commits bring: what a server needs that has the parents of them. */

import { parseCommitHead } from './commit.ts';
import type { PackInput } from './object.ts';
import type { ObjectDatabase } from './object-database.ts';
import { isGitlink, isTree, parseTree, type TreeEntry } from './tree-entries.ts';

/**
 * These commits, and of their trees what none of their parents has at the same place, each object once. All parents outside of `commits` have to be where the objects go. Throws CORRUPT, STORE_FAILED.
 */
export async function newObjects(
  objects: ObjectDatabase,
  commits: ReadonlySet<string>,
): Promise<Map<string, PackInput>> {
  const collector = new Collector(objects);
  for (const oid of await oldestFirst(objects, commits)) await collector.addCommit(oid);
  return collector.found;
}

class Collector {
  readonly found = new Map<string, PackInput>();
  readonly #objects: ObjectDatabase;

  constructor(objects: ObjectDatabase) {
    this.#objects = objects;
  }

  async addCommit(oid: string): Promise<void> {
    const { content } = await this.#objects.read(oid, 'commit');
    const { tree, parents } = parseCommitHead(content);
    const before: string[] = [];
    for (const parent of parents) {
      const known = await this.#objects.readOrNull(parent);
      // The history of a shallow clone ends somewhere.
      if (known?.type === 'commit') before.push(parseCommitHead(known.content).tree);
    }
    await this.#addTree(tree, before);
    this.found.set(oid, { oid, type: 'commit', content });
  }

  async #addTree(oid: string, before: readonly string[]): Promise<void> {
    if (this.found.has(oid) || before.includes(oid)) return;
    const { content } = await this.#objects.read(oid, 'tree');
    const olds = await Promise.all(before.map(tree => this.#entries(tree)));
    for (const entry of parseTree(content)) {
      const same = olds.flatMap(old => old.get(entry.name) ?? []);
      if (!isGitlink(entry.mode) && same.every(one => one.oid !== entry.oid)) await this.#add(entry, same);
    }
    this.found.set(oid, { oid, type: 'tree', content });
  }

  async #add({ mode, oid }: TreeEntry, before: readonly TreeEntry[]): Promise<void> {
    if (isTree(mode))
      return this.#addTree(
        oid,
        before.filter(one => isTree(one.mode)).map(one => one.oid),
      );
    if (this.found.has(oid)) return;
    const { content } = await this.#objects.read(oid, 'blob');
    this.found.set(oid, { oid, type: 'blob', content });
  }

  async #entries(tree: string): Promise<Map<string, TreeEntry>> {
    const { content } = await this.#objects.read(tree, 'tree');
    return new Map(parseTree(content).map(entry => [entry.name, entry]));
  }
}

/** Orders commits, parents before their children. */
async function oldestFirst(objects: ObjectDatabase, commits: ReadonlySet<string>): Promise<string[]> {
  const order: string[] = [];
  const seen = new Set<string>();
  const stack = [...commits].map(oid => ({ oid, isDone: false }));
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (next.isDone) order.push(next.oid);
    if (next.isDone || seen.has(next.oid)) continue;
    seen.add(next.oid);
    stack.push({ oid: next.oid, isDone: true });
    const parents = (await objects.commitInfo(next.oid))?.parents ?? [];
    for (const oid of parents) if (commits.has(oid)) stack.push({ oid, isDone: false });
  }
  return order;
}
