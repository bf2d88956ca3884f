/** The state of the trail at one moment: its ref, its newest commit, and how HEAD stands to it. */

import { EditError } from '../errors.ts';
import { parseCommit } from '../git/objects/commit.ts';
import type { ObjectDatabase } from '../git/objects/object-database.ts';
import { readHead, readRef } from '../git/refs/refs.ts';
import type { Repository } from '../git/repository/repository.ts';
import { type TrailHome, trailHome } from './home.ts';
import { parseMessage } from './message.ts';

export interface TrailHead extends TrailHome {
  /** The ref's value: the compare of the compare-and-swap. `null`: the ref is not there yet. */
  oid: string | null;
  /** The newest commit of the trail: `oid`, or that of the trail that it continues. `null`: nothing was edited yet. */
  tip: string | null;
  /** The ref of another trail, on whose newest commit the next one is made; `null`: it goes on from its own. */
  continues: string | null;
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
  if (home.mirror) return mirrored(objects, home, oid);
  const parent = oid ?? (home.checkedOut ? null : head.oid);
  const commit = parent ? parseCommit((await objects.read(parent)).content) : null;
  const seen = oid && commit ? (parseMessage(commit.message).meta?.head ?? null) : head.oid;
  const tree = commit?.tree ?? null;
  return { ...home, oid, tip: oid, continues: null, parent, tree, head: head.oid, seen };
}

/** Another clone's trail stands on the HEAD of that clone, whatever is checked out here. Throws INVALID_INPUT. */
async function mirrored(objects: ObjectDatabase, home: TrailHome, oid: string | null): Promise<TrailHead> {
  const name = home.ref.replace(/^refs\/vedit-peers\/([^/]+)\/trail\//, '$1/');
  if (oid === null)
    throw new EditError(
      'INVALID_INPUT',
      `The trail ${name} of another clone is not here. vedit fetch brings those of the remote, and vedit peers lists them; a trail of your own of that name is refs/vedit/${name}.`,
      { field: 'trail', trail: name },
    );
  const { tree, message } = parseCommit((await objects.read(oid, 'commit')).content);
  const head = parseMessage(message).meta?.head ?? null;
  return { ...home, oid, tip: oid, continues: null, parent: oid, tree, head, seen: head };
}

/** The trail as it stands when its next commit is made on the newest one of another trail. */
export async function continuing(
  objects: ObjectDatabase,
  trail: TrailHead,
  other: { ref: string; oid: string },
): Promise<TrailHead> {
  const { tree, message } = parseCommit((await objects.read(other.oid, 'commit')).content);
  const seen = parseMessage(message).meta?.head ?? null;
  return { ...trail, tip: other.oid, continues: other.ref, parent: other.oid, tree, seen };
}
