/**
 * Walks of history, as `git rev-list` and `git merge-base --is-ancestor` make them. Every question about ancestors is asked
 * here. History that is not there (a shallow clone) ends where it ends.
 */

import { firstNotBefore } from '../sorted.ts';
import type { CommitInfo } from './objects/commit.ts';
import type { ObjectDatabase } from './objects/object-database.ts';

/** The part of a commit that a walk needs, with its id. */
export interface WalkedCommit extends CommitInfo {
  oid: string;
}

/** After the last commit that could count, so many older ones are looked at in case a clock was wrong. Git takes 5. */
const SLOP = 20;

/**
 * The ids of the commits that `from` has in its history and `exclude` has not (`git rev-list <exclude>..<from>`), without
 * order. `null` excludes nothing, a list what any of them has. Reads no further back than needed, as far as commits are younger
 * than their parents. Throws CORRUPT, STORE_FAILED.
 */
export async function revList(
  objects: ObjectDatabase,
  from: string,
  exclude: string | readonly string[] | null,
): Promise<Set<string>> {
  const excluded = typeof exclude === 'string' ? [exclude] : (exclude ?? []);
  const search = new Search(objects, null);
  await search.run(from, excluded);
  return search.visible();
}

/** True when `descendant` has `ancestor` in its history, or is that commit. Throws CORRUPT, STORE_FAILED. */
export async function isAncestor(
  objects: ObjectDatabase,
  ancestor: string,
  descendant: string,
): Promise<boolean> {
  if (ancestor === descendant) return true;
  const search = new Search(objects, ancestor);
  await search.run(ancestor, [descendant]);
  return search.isHidden(ancestor);
}

/** Walks a commit and its first parents, newest first. */
export async function* firstParents(
  objects: ObjectDatabase,
  start: string | null,
): AsyncGenerator<WalkedCommit> {
  for (let oid = start; oid !== null; ) {
    const info: CommitInfo | null = await objects.commitInfo(oid);
    if (info === null) return;
    yield { oid, ...info };
    oid = info.parents[0] ?? null;
  }
}

/**
 * Yields commits and their ancestors, newest first by the committers' clocks. `stop`: a commit whose parents are not followed;
 * `lenient`: one that cannot be read is as one that is not there.
 */
export async function* ancestors(
  objects: ObjectDatabase,
  tips: readonly string[],
  { stop, lenient }: { stop?: string | null; lenient?: boolean } = {},
): AsyncGenerator<WalkedCommit> {
  const seen = new Set<string>();
  const queue = new NewestFirst<WalkedCommit>();
  const add = async (oid: string): Promise<void> => {
    if (seen.has(oid)) return;
    seen.add(oid);
    const read = objects.commitInfo(oid);
    const info = await (lenient ? read.catch(() => null) : read);
    if (info) queue.add({ oid, ...info });
  };
  for (const tip of tips) await add(tip);
  for (let next = queue.take(); next; next = queue.take()) {
    yield next;
    if (next.oid !== stop) for (const parent of next.parents) await add(parent);
  }
}

/** A queue in order of the clocks. Of equal ones the first added goes first. */
class NewestFirst<T extends { seconds: number }> {
  /** In order; the one that is taken next is the last. */
  readonly #items: T[] = [];

  get newest(): T | undefined {
    return this.#items.at(-1);
  }

  take(): T | undefined {
    return this.#items.pop();
  }

  add(item: T): void {
    const isBefore = (at: number): boolean => this.#items[at]!.seconds < item.seconds;
    this.#items.splice(firstNotBefore(0, this.#items.length, isBefore), 0, item);
  }
}

/** From where a search came to a commit. */
const FROM = 1;
const EXCLUDE = 2;

interface Node extends CommitInfo {
  /** The sides from which the commit is reached: the bits FROM and EXCLUDE. */
  reached: number;
  /** True when the commit's parents were added to the walk. */
  done: boolean;
}

class Search {
  readonly #objects: ObjectDatabase;
  /** The search is whether the excluded commit leads to this one, and may end when it does. */
  readonly #target: string | null;
  readonly #nodes = new Map<string, Node>();
  readonly #queue = new NewestFirst<Node>();
  /** The number of nodes in the queue that may change the answer. */
  #open = 0;
  #slop = SLOP;
  /** The clock of the oldest visible commit. */
  #oldest = Number.POSITIVE_INFINITY;

  constructor(objects: ObjectDatabase, target: string | null) {
    this.#objects = objects;
    this.#target = target;
  }

  async run(from: string, exclude: readonly string[]): Promise<void> {
    await this.#add(from, FROM);
    for (const one of exclude) await this.#add(one, EXCLUDE);
    while (this.#hasMore()) {
      if (this.#target !== null && this.isHidden(this.#target)) return;
      const node = this.#queue.take()!;
      if (this.#isOpen(node)) this.#open--;
      if (node.reached === FROM) this.#oldest = Math.min(this.#oldest, node.seconds);
      node.done = true;
      for (const parent of node.parents) await this.#add(parent, node.reached);
    }
  }

  isHidden(oid: string): boolean {
    return ((this.#nodes.get(oid)?.reached ?? 0) & EXCLUDE) !== 0;
  }

  visible(): Set<string> {
    const found = new Set<string>();
    for (const [oid, node] of this.#nodes) if (node.reached === FROM) found.add(oid);
    return found;
  }

  /** Hidden commits that are left may lead to visible ones, as long as they are not older. */
  #hasMore(): boolean {
    const next = this.#queue.newest;
    if (!next) return false;
    if (this.#open > 0) return true;
    if (this.#target !== null) return false;
    return next.seconds >= this.#oldest || this.#slop-- > 0;
  }

  /** True for a node that may change the answer. As in git, a search for a target ends when all that is left was reached from both sides. */
  #isOpen({ reached }: Node): boolean {
    return this.#target === null ? reached === FROM : reached !== (FROM | EXCLUDE);
  }

  async #add(oid: string, reached: number): Promise<void> {
    const known = this.#nodes.get(oid);
    if (known) return this.#reach(known, reached);
    const info = await this.#objects.commitInfo(oid);
    if (!info) return;
    const node: Node = { ...info, reached, done: false };
    this.#nodes.set(oid, node);
    this.#queue.add(node);
    if (this.#isOpen(node)) this.#open++;
  }

  /** Notes that what was reached from one side may turn out to be in the history of the other, and all that is below it. */
  #reach(start: Node, reached: number): void {
    const next = [start];
    for (let node = next.pop(); node; node = next.pop()) {
      if ((node.reached | reached) === node.reached) continue;
      const wasOpen = this.#isOpen(node);
      node.reached |= reached;
      if (node.done) next.push(...node.parents.flatMap(oid => this.#nodes.get(oid) ?? []));
      else if (wasOpen && !this.#isOpen(node)) this.#open--;
    }
  }
}
