/** Finds what HEAD's newest commits hold that were made while a command ran: a command that commits is as much its own as others. */

import { parseCommit } from '../../git/objects/commit.ts';
import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { lookup } from '../../git/objects/tree.ts';
import { diffTrees } from '../../git/objects/tree-diff.ts';
import type { TrailHead } from '../../trail/head.ts';

/** Commits that are looked at, at most. */
const MOST = 200;

/** The move of HEAD since the trail last looked. */
export interface HeadMove {
  /** True for a path that one of those commits changed. */
  isFresh(path: string): boolean;
  /** Returns the blob of HEAD at a path. */
  held(path: string): Promise<string | null>;
}

/** Finds the commits that HEAD has since a look. `since`: seconds since 1970, when the command began; `looked`: HEAD at the last look. `null` where HEAD did not move. */
export async function headMove(
  objects: ObjectDatabase,
  { head, tip, seen: known, checkedOut }: TrailHead,
  since: number,
  looked: string | null,
): Promise<HeadMove | null> {
  const seen = tip === null ? (looked ?? known) : known;
  if (checkedOut || head === null || seen === null || head === seen) return null;
  const fresh = new Set<string>();
  const { tree } = await read(objects, head);
  let at: string | undefined = head;
  for (let n = 0; n < MOST && at !== undefined && at !== seen; n++) {
    const { parents, author, committer, tree: own } = await read(objects, at);
    // One that was only brought here, or made anew of an older one, holds what others wrote.
    if (committer.seconds < since || parents.length > 1) break;
    const before: string | null = parents[0] === undefined ? null : (await read(objects, parents[0])).tree;
    if (author.seconds >= since || (await amends(objects, parents[0], seen)))
      for (const { path } of await diffTrees(objects, before, own)) fresh.add(path);
    at = parents[0];
  }
  return {
    isFresh: path => fresh.has(path),
    held: async path => (await lookup(objects, tree, path))?.oid ?? null,
  };
}

/** True where the commit amends the one that was seen: it keeps the author's time, and stands on the same parent. */
async function amends(objects: ObjectDatabase, parent: string | undefined, seen: string): Promise<boolean> {
  return parent !== undefined && (await read(objects, seen)).parents[0] === parent;
}

async function read(objects: ObjectDatabase, commit: string): Promise<ReturnType<typeof parseCommit>> {
  return parseCommit((await objects.read(commit)).content);
}
