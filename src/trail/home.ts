/**
 * Where the trail is. In a repository of the engine's own (made by it, a clone of one, bare, in memory, or with
 * `git config vedit.trail HEAD`) it is the checked-out branch; in a person's repository it is `refs/vedit/<branch>`,
 * and HEAD, branch and index are never touched.
 */

import { EditError } from '../errors.ts';
import { exists } from '../fs/durable.ts';
import type { ObjectDatabase } from '../git/objects/object-database.ts';
import { checkRefName } from '../git/refs/ref-name.ts';
import { type Head, readHead, readRef } from '../git/refs/refs.ts';
import type { Repository } from '../git/repository/repository.ts';
import { mirrorRef, parsePeerName, parsePeerRef } from './peer-names.ts';
import { type TrailEntry, walkTrail } from './walk.ts';

export interface TrailHome {
  /** The full name of the ref: `refs/heads/main`, `refs/vedit/main`, or `HEAD` when HEAD is detached. */
  ref: string;
  /** True when the trail is what is checked out, so that HEAD and index have to stay in step. */
  checkedOut: boolean;
  /** True for a trail beside the branch that was picked by its name: it stays when another branch is checked out. */
  named: boolean;
  /** True for the mirror of another clone's trail: it is read, and only fetch moves it. */
  mirror?: true;
}

/** The prefix of every trail in a person's repository. */
export const TRAIL_PREFIX = 'refs/vedit/';

/**
 * The home of the trail for what HEAD points to now. `name` (option `trail`) picks another: `HEAD`, a name below
 * `refs/vedit/`, or the `<clone>/<branch>` of another clone's trail. Throws INVALID_INPUT for any other ref, and for a name that git does not allow.
 */
export function trailHome(repo: Repository, head: Head, name?: string): TrailHome {
  const inherited = repo.inheritsHome ? 'HEAD' : undefined;
  const wanted = name ?? (repo.bare ? 'HEAD' : (repo.config.get('vedit.trail') ?? inherited));
  if (wanted === 'HEAD') return { ref: head.ref ?? 'HEAD', checkedOut: true, named: false };
  const mirror = wanted === undefined ? null : (parsePeerRef(wanted) ?? parsePeerName(wanted));
  if (mirror) return { ref: mirrorRef(mirror), checkedOut: false, named: true, mirror: true };
  if (wanted !== undefined) return { ref: namedTrail(wanted), checkedOut: false, named: true };
  return { ref: TRAIL_PREFIX + (branchOf(head) ?? detachedName(repo)), checkedOut: false, named: false };
}

/** A name as git shortens it, `vedit/main`, is that trail, not one of a branch `vedit/main`. */
function namedTrail(name: string): string {
  const ref = name.startsWith('refs/') ? name : TRAIL_PREFIX + name.replace(/^vedit\//, '');
  const shown = JSON.stringify(name.slice(0, 80));
  if (!ref.startsWith(TRAIL_PREFIX)) {
    const short = name.replace(/^refs\/[^/]*\/?/, '');
    throw notBelow(shown, checkRefName(TRAIL_PREFIX + short) ? short : 'main');
  }
  if (checkRefName(ref)) return ref;
  throw new EditError(
    'INVALID_INPUT',
    `${shown} cannot name a trail: git does not allow refs/vedit/ with that name. Use letters, digits, "-" and "/".`,
    { field: 'trail' },
  );
}

/** Edits would move a branch without its index and files, or overwrite refs that mean something else. */
function notBelow(shown: string, short: string): EditError {
  const next = `Give ${JSON.stringify(short)} for refs/vedit/${short}; to record on the checked-out branch itself, HEAD (git config vedit.trail HEAD keeps it so).`;
  return new EditError(
    'INVALID_INPUT',
    `${shown} cannot name a trail: trails that are named are below refs/vedit/. ${next}`,
    { field: 'trail', trail: short },
  );
}

/** A clone has no config of the repository that it was made of: where the first edit is made, this file keeps what HEAD told. */
export const inheritedMark = (folder: string): string => `${folder}/trail`;

/** So far below HEAD a trail beside the branch is looked for that the branch was set to. */
const LOOKED = 200;

/**
 * True in a clone of a repository whose checked-out branch is the trail: HEAD is a commit that the engine made on a
 * branch, and nothing was edited here yet; or it was so when the first edit was made. `folder` is the engine's own.
 */
export async function inheritsHome(
  repo: Repository,
  objects: ObjectDatabase,
  folder: string,
): Promise<boolean> {
  if (repo.bare || repo.config.get('vedit.trail') !== undefined) return false;
  if (await exists(repo.fs, inheritedMark(folder))) return true;
  if (await exists(repo.fs, `${folder}/tmp`)) return false;
  const head = await readHead(repo);
  const branch = branchOf(head);
  if (branch !== null && (await readRef(repo, TRAIL_PREFIX + branch)) !== null) return false;
  let isEdit = false;
  for await (const { meta } of walkTrail(objects, head.oid, { ownOnly: true, limit: LOOKED })) {
    if (!isOnBranch({ meta })) return false;
    isEdit = true;
  }
  return isEdit;
}

/**
 * True for a commit that the engine made on a branch. Commits beside one name HEAD's; beside one that has no commit yet, the
 * first names the trail.
 */
export function isOnBranch({ meta }: Pick<TrailEntry, 'meta'>): boolean {
  return meta !== null && meta.head === undefined && meta.trail === undefined;
}

function branchOf(head: Head): string | null {
  return head.ref?.startsWith('refs/heads/') ? head.ref.slice('refs/heads/'.length) : null;
}

/** Two linked work trees may both be detached; each has a trail of its own. */
function detachedName(repo: Repository): string {
  return repo.worktree ? `detached-${repo.worktree}` : 'detached';
}
