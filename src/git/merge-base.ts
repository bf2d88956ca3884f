/** The best common ancestors of two commits, as `git merge-base --all` tells them. */

import type { ObjectDatabase } from './objects/object-database.ts';
import { isAncestor, NewestFirst } from './rev-list.ts';

const A = 1;
const B = 2;
/** Below a common ancestor that was found. */
const STALE = 4;

interface Node {
  oid: string;
  parents: readonly string[];
  seconds: number;
  flags: number;
}

/**
 * The common ancestors of `a` and `b` that no other one has in its history, sorted by id; none where the histories have
 * nothing in common, or a shallow clone does not have it. Throws CORRUPT, STORE_FAILED.
 */
export async function mergeBases(objects: ObjectDatabase, a: string, b: string): Promise<string[]> {
  if (a === b) return [a];
  const common = await commonAncestors(objects, a, b);
  const best: string[] = [];
  for (const one of common) {
    // Where a clock was wrong, one that is below another was found first.
    const others = common.filter(other => other !== one);
    const below = await Promise.all(others.map(other => isAncestor(objects, one, other)));
    if (!below.includes(true)) best.push(one);
  }
  return best.sort();
}

async function commonAncestors(objects: ObjectDatabase, a: string, b: string): Promise<string[]> {
  const nodes = new Map<string, Node>();
  const queue = new NewestFirst<Node>();
  // How many of the queue may lead to a better one.
  let open = 0;
  const add = async (oid: string, flags: number): Promise<void> => {
    let node = nodes.get(oid);
    if (node && (node.flags & flags) === flags) return;
    if (!node) {
      const info = await objects.commitInfo(oid);
      if (!info) return;
      node = { oid, parents: info.parents, seconds: info.seconds, flags: 0 };
      nodes.set(oid, node);
    }
    // A new entry for what is known more of: the old one, if it still waits, counts as it stands.
    const next = { ...node, flags: node.flags | flags };
    nodes.set(oid, next);
    queue.add(next);
    if ((next.flags & STALE) === 0) open++;
  };
  await add(a, A);
  await add(b, B);
  const found = new Set<string>();
  while (open > 0) {
    const taken = queue.take();
    if (!taken) break;
    if ((taken.flags & STALE) === 0) open--;
    let { flags } = nodes.get(taken.oid)!;
    if ((flags & (A | B)) === (A | B)) {
      if ((flags & STALE) === 0) found.add(taken.oid);
      flags |= STALE;
    }
    for (const parent of taken.parents) await add(parent, flags);
  }
  return [...found].filter(oid => (nodes.get(oid)!.flags & STALE) === 0);
}
