/** Finds the ref that is the trail, and its state at one moment: its newest commit, and how HEAD stands to it. */

import { EditError } from '../errors.ts';
import { exists } from '../fs/durable.ts';
import { orNull } from '../fs/fs.ts';
import { parseCommit } from '../git/objects/commit.ts';
import type { ObjectDatabase } from '../git/objects/object-database.ts';
import { checkRefName, followRef, type Head, readHead, readRef } from '../git/refs/refs.ts';
import type { Repository } from '../git/repository/repository.ts';
import { parseMessage } from './message.ts';
import { mirrorRef, parsePeerName, parsePeerRef } from './peer-names.ts';
import { type TrailEntry, walkTrail } from './walk.ts';

/** The trail's newest commit, and whether the trail is the checked-out branch. */
export type TrailTip = Pick<TrailHead, 'tip' | 'checkedOut'>;

export interface TrailHead extends TrailHome {
  /** The ref's value: the compare of the compare-and-swap. `null`: the ref is not there yet. */
  oid: string | null;
  /** The newest commit of the trail: `oid`, but for a ref that a work tree of the same name left. `null`: nothing was edited yet. */
  tip: string | null;
  /** The commit that the next one is based on: the trail's newest, else HEAD's; `null` in an empty repository. */
  parent: string | null;
  tree: string | null;
  /** HEAD's commit now, `null` on an unborn branch. */
  head: string | null;
  /** The branch that is checked out, without `refs/heads/`; `null`: HEAD is detached. */
  branch: string | null;
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
  const { oid } = home.ref === 'HEAD' ? head : await followRef(repo, home.ref);
  if (home.mirror) return mirrored(objects, home, oid);
  const tip = home.checkedOut || oid === null || (await isOwn(repo, oid)) ? oid : null;
  const parent = tip ?? (home.checkedOut ? null : head.oid);
  const newest = parent ? await readTip(objects, parent) : null;
  const [tree, seen] = [newest?.tree ?? null, tip && newest ? newest.head : head.oid];
  return { ...home, oid, tip, parent, tree, head: head.oid, branch: branchOf(head), seen };
}

/**
 * In a linked work tree, where its trail stood when its folder was made: a work tree of the same name may have left one. Git
 * deletes the file with the work tree.
 */
export const beganAfter = ({ gitDir }: Repository): string => `${gitDir}/vedit/began-after`;

/** False for the trail of a linked work tree that had the name before, and was removed. */
async function isOwn(repo: Repository, oid: string): Promise<boolean> {
  if (repo.worktree === null) return true;
  const began = await orNull(repo.fs.readFile(beganAfter(repo)));
  return began !== null && new TextDecoder().decode(began) !== oid;
}

/** True where no commit has to bring the trail up to HEAD: it is the branch, has not begun, or saw HEAD where it stands. */
export function isInStep({ checkedOut, tip, head, seen }: TrailHead): boolean {
  return checkedOut || tip === null || head === null || head === seen;
}

/** Reads the tree of a commit, and the HEAD that it names. */
async function readTip(
  objects: ObjectDatabase,
  commit: string,
): Promise<{ tree: string; head: string | null }> {
  const { tree, message } = parseCommit((await objects.read(commit, 'commit')).content);
  return { tree, head: parseMessage(message).meta?.head ?? null };
}

/** The trail of another clone or work tree stands on the HEAD of that, whatever is checked out here. Throws INVALID_INPUT. */
async function mirrored(objects: ObjectDatabase, home: TrailHome, oid: string | null): Promise<TrailHead> {
  if (oid === null) throw noTrail(home.ref);
  const { tree, head } = await readTip(objects, oid);
  return { ...home, oid, tip: oid, parent: oid, tree, head, branch: null, seen: head };
}

function noTrail(ref: string): EditError {
  const trail = ref.replace(/^refs\/vedit-peers\/([^/]+)\/trail\//, '$1/').replace(TRAIL_PREFIX, '');
  const next = ref.startsWith(TRAIL_PREFIX)
    ? `git for-each-ref ${TRAIL_PREFIX} lists those of this repository.`
    : 'vedit fetch brings those of the remote, and vedit peers lists them.';
  return new EditError('INVALID_INPUT', `There is no history ${trail} here. ${next}`, {
    field: 'trail',
    trail,
  });
}

interface TrailHome {
  /** The full name of the ref: `refs/heads/main`, `refs/vedit/main`, or `HEAD` when HEAD is detached. */
  ref: string;
  /** True when the trail is what is checked out, so that HEAD and index have to stay in step. */
  checkedOut: boolean;
  /** True for the trail of another clone or work tree: here it is read alone. */
  mirror?: true;
}

export const TRAIL_PREFIX = 'refs/vedit/';

/**
 * The home of the trail: that of the folder, whatever is checked out. `name` (option `trail`) picks another: `HEAD`; that of
 * another work tree or clone, as `<clone>/<name>`, to read it; and where there are no files, any name below `refs/vedit/`. Throws
 * INVALID_INPUT for any other, and for a name that git does not allow.
 */
export function trailHome(repo: Repository, head: Head, name?: string): TrailHome {
  const inherited = repo.inheritsHome ? 'HEAD' : undefined;
  const wanted = name ?? (repo.bare ? 'HEAD' : (repo.config.get('vedit.trail') ?? inherited));
  if (wanted === 'HEAD') return { ref: head.ref ?? 'HEAD', checkedOut: true };
  if (wanted === undefined) return { ref: ownRef(repo), checkedOut: false };
  const mirror = parsePeerRef(wanted) ?? parsePeerName(wanted);
  if (mirror) return { ref: mirrorRef(mirror), checkedOut: false, mirror: true };
  const ref = namedTrail(wanted);
  if (repo.bare || ref === ownRef(repo)) return { ref, checkedOut: false };
  if (ref !== MAIN && !ref.startsWith(WORKTREE)) throw oneTrail(wanted);
  return { ref, checkedOut: false, mirror: true };
}

const MAIN = `${TRAIL_PREFIX}main`;
const WORKTREE = `${TRAIL_PREFIX}worktree/`;

/** The ref of the folder's own trail beside the branch. */
function ownRef({ worktree }: Repository): string {
  return worktree === null ? MAIN : WORKTREE + worktree;
}

function oneTrail(name: string): EditError {
  const shown = JSON.stringify(name.slice(0, 80));
  return new EditError(
    'INVALID_INPUT',
    `${shown} cannot name a history here: a folder has one, whatever is checked out. Leave trail out for it (git config --unset vedit.trail, where that names one); to record on the checked-out branch itself, give HEAD (git config vedit.trail HEAD keeps it so).`,
    { field: 'trail' },
  );
}

/** Returns the ref of a named trail, as git shortens it or whole. */
function namedTrail(name: string): string {
  const ref = name.startsWith('refs/') ? name : TRAIL_PREFIX + name.replace(/^vedit\//, '');
  if (ref.startsWith(TRAIL_PREFIX) && checkRefName(ref)) return ref;
  throw new EditError(
    'INVALID_INPUT',
    `${JSON.stringify(name.slice(0, 80))} cannot name a history: those that are named are below refs/vedit/, with letters, digits, "-" and "/". To record on the checked-out branch itself, give HEAD.`,
    { field: 'trail' },
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
  if ((await readRef(repo, ownRef(repo))) !== null) return false;
  const head = await readHead(repo);
  let isEdit = false;
  for await (const { meta } of walkTrail(objects, head.oid, { ownOnly: true, limit: LOOKED })) {
    if (!isOnBranch({ meta })) return false;
    isEdit = true;
  }
  return isEdit;
}

/**
 * True for a commit that the engine made on a branch. Commits beside one name HEAD's; beside one that has no commit yet, the
 * first begins the trail.
 */
export function isOnBranch({ meta }: Pick<TrailEntry, 'meta'>): boolean {
  return meta !== null && meta.head === undefined && meta.line === undefined;
}

function branchOf(head: Head): string | null {
  return head.ref?.startsWith('refs/heads/') ? head.ref.slice('refs/heads/'.length) : null;
}
