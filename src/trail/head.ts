/** Finds the ref that is the trail, and its state at one moment: its newest commit, and how HEAD stands to it. */

import { EditError } from '../errors.ts';
import { exists } from '../fs/durable.ts';
import { parseCommit } from '../git/objects/commit.ts';
import type { ObjectDatabase } from '../git/objects/object-database.ts';
import { checkRefName, followRef, type Head, readHead, readRef } from '../git/refs/refs.ts';
import type { Repository } from '../git/repository/repository.ts';
import { workTreeWith } from '../git/repository/worktrees.ts';
import { parseMessage } from './message.ts';
import { mirrorRef, parsePeerName, parsePeerRef } from './peer-names.ts';
import { type TrailEntry, walkTrail } from './walk.ts';

/** The trail's newest commit, and whether the trail is the checked-out branch. */
export type TrailTip = Pick<TrailHead, 'tip' | 'checkedOut'>;

export interface TrailHead extends TrailHome {
  /** The ref's value: the compare of the compare-and-swap. `null`: the ref is not there yet. */
  oid: string | null;
  /** The newest commit of the trail: `oid`, or that of the trail that it continues. `null`: nothing was edited yet. */
  tip: string | null;
  /** The ref of another trail, on whose newest commit the next one is made; `null`: it goes on from its own. */
  continues: string | null;
  /** The commit that the next one is based on: the trail's newest, else HEAD's; `null` in an empty repository. */
  parent: string | null;
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
  const { elsewhere } = repo;
  const head = elsewhere ? { ref: null, oid: await readRef(repo, elsewhere.branch) } : await readHead(repo);
  const home = { ...trailHome(repo, head, name), ...(elsewhere ? { elsewhere: elsewhere.folder } : {}) };
  const { oid } = home.ref === 'HEAD' ? head : await followRef(repo, home.ref);
  if (home.mirror) return mirrored(objects, home, oid);
  const parent = oid ?? (home.checkedOut ? null : head.oid);
  const tip = parent ? (knownTip(objects, parent) ?? (await readTip(objects, parent))) : null;
  const [tree, seen] = [tip?.tree ?? null, oid && tip ? tip.head : head.oid];
  return { ...home, oid, tip: oid, continues: null, parent, tree, head: head.oid, seen };
}

/** True where no commit has to bring the trail up to HEAD: it is the branch, has not begun, or saw HEAD where it stands. */
export function isInStep({ checkedOut, tip, head, seen }: TrailHead): boolean {
  return checkedOut || tip === null || head === null || head === seen;
}

interface Tip {
  commit: string;
  tree: string;
  head: string | null;
}

/** The one that was read or made last: the next edit is made on it as a rule. */
const tips = new WeakMap<ObjectDatabase, Tip>();

/** Remembers the tip of a trail that was just made, so that its message is not read back. */
export function noteTip(objects: ObjectDatabase, tip: Tip): void {
  tips.set(objects, tip);
}

function knownTip(objects: ObjectDatabase, commit: string): Tip | null {
  const known = tips.get(objects);
  return known?.commit === commit ? known : null;
}

async function readTip(objects: ObjectDatabase, commit: string): Promise<Tip> {
  const { tree, message } = parseCommit((await objects.read(commit, 'commit')).content);
  const tip = { commit, tree, head: parseMessage(message).meta?.head ?? null };
  tips.set(objects, tip);
  return tip;
}

/** Another clone's trail stands on the HEAD of that clone, whatever is checked out here. Throws INVALID_INPUT. */
async function mirrored(objects: ObjectDatabase, home: TrailHome, oid: string | null): Promise<TrailHead> {
  const name = home.ref.replace(/^refs\/vedit-peers\/([^/]+)\/trail\//, '$1/');
  if (oid === null)
    throw new EditError(
      'INVALID_INPUT',
      `The history ${name} of another clone is not here. vedit fetch brings those of the remote, and vedit peers lists them; a history of your own of that name is refs/vedit/${name}.`,
      { field: 'trail', trail: name },
    );
  const { tree, head } = await readTip(objects, oid);
  return { ...home, oid, tip: oid, continues: null, parent: oid, tree, head, seen: head };
}

/** The trail as it stands when its next commit is made on the newest one of another trail. */
export async function continuing(
  objects: ObjectDatabase,
  trail: TrailHead,
  other: { ref: string; oid: string },
): Promise<TrailHead> {
  const { tree, head: seen } = await readTip(objects, other.oid);
  return { ...trail, tip: other.oid, continues: other.ref, parent: other.oid, tree, seen };
}

interface TrailHome {
  /** The full name of the ref: `refs/heads/main`, `refs/vedit/main`, or `HEAD` when HEAD is detached. */
  ref: string;
  /** True when the trail is what is checked out, so that HEAD and index have to stay in step. */
  checkedOut: boolean;
  /** True for a trail beside the branch that was picked by its name: it stays when another branch is checked out. */
  named: boolean;
  /** True for the mirror of another clone's trail: it is read, and only fetch moves it. */
  mirror?: true;
  /** The work tree where the files of a trail that was picked by its name are: its branch is checked out there. */
  elsewhere?: string;
}

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

/** Returns the ref of a named trail. A name as git shortens it, `vedit/main`, is that trail, not one of a branch `vedit/main`. */
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
    `${shown} cannot name a history: git does not allow refs/vedit/ with that name. Use letters, digits, "-" and "/".`,
    { field: 'trail' },
  );
}

/** Edits would move a branch without its index and files, or overwrite refs that mean something else. */
function notBelow(shown: string, short: string): EditError {
  const next = `Give ${JSON.stringify(short)} for refs/vedit/${short}; to record on the checked-out branch itself, HEAD (git config vedit.trail HEAD keeps it so).`;
  return new EditError(
    'INVALID_INPUT',
    `${shown} cannot name a history: those that are named are below refs/vedit/. ${next}`,
    { field: 'trail', trail: short },
  );
}

/** A clone has no config of the repository that it was made of: where the first edit is made, this file keeps what HEAD told. */
export const inheritedMark = (folder: string): string => `${folder}/trail`;

/** The most commits below HEAD among which a trail that the branch was set to is looked for. */
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

/** Finds where the files of the trail of this name are, if another work tree has its branch checked out. */
export async function filesElsewhere(
  repo: Repository,
  name: string | undefined,
): Promise<Repository['elsewhere']> {
  if (name === undefined || name === 'HEAD' || repo.bare) return undefined;
  if (parsePeerRef(name) ?? parsePeerName(name)) return undefined;
  const branch = `refs/heads/${name.replace(/^(refs\/)?vedit\//, '')}`;
  const folder = await workTreeWith(repo, branch);
  return folder === null ? undefined : { branch, folder };
}

/** True for a trail that was picked by the name of a branch that is checked out nowhere: the files here say nothing of it. */
export async function isAway(
  repo: Repository,
  { ref, named, mirror, elsewhere }: TrailHome,
): Promise<boolean> {
  if (!named || mirror || elsewhere !== undefined) return false;
  const branch = `refs/heads/${ref.slice(TRAIL_PREFIX.length)}`;
  return (await readHead(repo)).ref !== branch && (await readRef(repo, branch)) !== null;
}

function branchOf(head: Head): string | null {
  return head.ref?.startsWith('refs/heads/') ? head.ref.slice('refs/heads/'.length) : null;
}

/** Two linked work trees may both be detached; each has a trail of its own. */
function detachedName(repo: Repository): string {
  return repo.worktree ? `detached-${repo.worktree}` : 'detached';
}
