/** The commits that one commit has in its history and another has not, as `git rev-list <exclude>..<from>` finds them. */

import { type ParsedCommit, parseCommit } from './objects/commit.ts';
import type { ObjectDatabase } from './objects/object-database.ts';

/** After the last commit that could count, so many others are looked at in case a clock was wrong. Git takes 5. */
const SLOP = 20;

/**
 * By id, without order. `null` excludes nothing. History that is not there (a shallow clone) ends where it ends. Reads
 * no further back than needed, as long as commits are younger than their parents. Throws CORRUPT, STORE_FAILED.
 */
export async function commitsBetween(
  objects: ObjectDatabase,
  from: string,
  exclude: string | null,
): Promise<Map<string, ParsedCommit>> {
  const search = new Search(objects);
  if (exclude !== null) await search.add(exclude, true);
  await search.add(from, false);
  await search.run();
  return search.visible();
}

interface Node {
  commit: ParsedCommit;
  hidden: boolean;
  /** True when its parents were added. */
  done: boolean;
}

class Search {
  readonly #objects: ObjectDatabase;
  readonly #nodes = new Map<string, Node>();
  /** Oldest first, so that the youngest is at the end. */
  readonly #queue: Node[] = [];
  /** How many of the queue are not hidden. */
  #open = 0;

  constructor(objects: ObjectDatabase) {
    this.#objects = objects;
  }

  async add(oid: string, hidden: boolean): Promise<void> {
    const known = this.#nodes.get(oid);
    if (known) {
      if (hidden) this.#hide(known);
      return;
    }
    const object = await this.#objects.readOrNull(oid);
    if (object?.type !== 'commit') return;
    const node = { commit: parseCommit(object.content), hidden, done: false };
    this.#nodes.set(oid, node);
    this.#queue.splice(this.#place(node), 0, node);
    if (!hidden) this.#open++;
  }

  async run(): Promise<void> {
    for (let slop = SLOP; this.#queue.length > 0 && slop > 0; ) {
      if (this.#open === 0) slop--;
      const node = this.#queue.pop()!;
      if (!node.hidden) this.#open--;
      node.done = true;
      for (const parent of node.commit.parents) await this.add(parent, node.hidden);
    }
  }

  visible(): Map<string, ParsedCommit> {
    const shown = [...this.#nodes].filter(([, node]) => !node.hidden);
    return new Map(shown.map(([oid, node]) => [oid, node.commit]));
  }

  /** What was taken for visible may turn out to be in the history of the excluded commit. */
  #hide(start: Node): void {
    const next = [start];
    for (let node = next.pop(); node; node = next.pop()) {
      if (node.hidden) continue;
      node.hidden = true;
      if (!node.done) this.#open--;
      else next.push(...node.commit.parents.flatMap(oid => this.#nodes.get(oid) ?? []));
    }
  }

  #place(node: Node): number {
    let [low, high] = [0, this.#queue.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (secondsOf(this.#queue[middle]!) < secondsOf(node)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function secondsOf(node: Node): number {
  return node.commit.committer.seconds;
}
