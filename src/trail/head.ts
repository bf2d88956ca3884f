/** The state of the trail at one moment: its ref, its newest commit, and how HEAD stands to it. */

import { parseCommit } from '../git/objects/commit.ts';
import type { ObjectDatabase } from '../git/objects/object-database.ts';
import { readHead, readRef } from '../git/refs/refs.ts';
import type { Repository } from '../git/repository.ts';
import { trailHome } from './home.ts';
import { parseMessage } from './message.ts';

export interface TrailHead {
  ref: string;
  checkedOut: boolean;
  /** The ref's value: the compare of the compare-and-swap. `null`: the trail has not begun. */
  oid: string | null;
  /** The commit that the next one is based on: the trail's newest, else HEAD's; `null` in an empty repository. */
  parent: string | null;
  /** The tree of `parent`. */
  tree: string | null;
  /** HEAD's commit now, `null` on an unborn branch. */
  head: string | null;
  /** On a trail beside the branch: HEAD's commit when the trail last looked. */
  seen: string | null;
}

/** Reads HEAD and the trail's ref. `name` is the option `trail`. Throws CORRUPT, STORE_FAILED. */
export async function readTrail(
  repo: Repository,
  objects: ObjectDatabase,
  name?: string,
): Promise<TrailHead> {
  const head = await readHead(repo);
  const home = trailHome(repo, head, name);
  const oid = home.ref === 'HEAD' ? head.oid : await readRef(repo, home.ref);
  const parent = oid ?? (home.checkedOut ? null : head.oid);
  const commit = parent ? parseCommit((await objects.read(parent)).content) : null;
  const seen = oid && commit ? (parseMessage(commit.message).meta?.head ?? null) : head.oid;
  return { ...home, oid, parent, tree: commit?.tree ?? null, head: head.oid, seen };
}
