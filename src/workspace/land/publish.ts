/**
 * How landed commits reach a branch: under git's locks, with the branch's old value compared, and with a journal from
 * which recovery brings the index in step. The work tree is not touched.
 */

import { EditError } from '../../errors.ts';
import { createFile, emptyFolder, parentOf, syncFolder } from '../../git/durable.ts';
import { lockedByGit, releaseGitLocks, tryGitLocks, type WantedLock } from '../../git/git-locks.ts';
import { draftJournal, type JournalStaged, publishJournal, removeJournal } from '../../git/journal.ts';
import { syncFolders, syncObjects, writeObjects } from '../../git/objects/loose.ts';
import { type EncodedObject, ZERO_OID } from '../../git/objects/object.ts';
import { appendReflog, reflogPaths } from '../../git/refs/reflog.ts';
import { readHead, readRef, refPath } from '../../git/refs/refs.ts';
import { sleep } from '../../git/sleep.ts';
import { type Context, looseOf } from '../context.ts';
import { failureWords } from '../failure.ts';
import { BesideGc } from '../publish/beside-gc.ts';
import { checkPlaces, wantedLocks, writeToken } from '../publish/hold.ts';
import { followBranch } from './index.ts';
import type { LandTarget } from './target.ts';

export interface Landing {
  target: LandTarget;
  objects: readonly EncodedObject[];
  staged: readonly JournalStaged[];
  /** The commit for the branch, and its line in the reflog; `null` when git itself makes commits and moves the branch. */
  move: { commit: string; committer: string; summary: string } | null;
}

/** Somebody moved the branch between the planning and git's own look at it. */
export class BranchMoved extends Error {}

export type Landed<T> = { done: true; value: T; warnings: string[] } | { done: false };

/**
 * Writes the objects, takes the locks, lets `act` commit (git, or the move of the ref) and brings the index in step.
 * `done: false`: the branch moved before; nothing happened. What `act` throws passes through: nothing was published.
 */
export async function publishLanding<T>(
  context: Context,
  landing: Landing,
  token: string,
  act: () => Promise<T>,
): Promise<Landed<T>> {
  const attempt = new Attempt(context, landing, token);
  await attempt.prepare();
  try {
    if (!(await attempt.lock())) return { done: false };
    const value = await act();
    await attempt.move();
    return { done: true, value, warnings: await attempt.follow() };
  } catch (error) {
    await attempt.judge(error);
    throw error;
  } finally {
    await attempt.end();
  }
}

/** Writes objects durably, where no gc deletes them; a commit of git's may name them afterwards. */
export async function storeObjects(context: Context, objects: readonly EncodedObject[]): Promise<BesideGc> {
  await syncObjects(context.fs, await writeObjects(looseOf(context), objects));
  const gc = new BesideGc(context, objects);
  // What fails here is tried again when the branch has moved.
  await gc.keep().catch(() => {});
  return gc;
}

/** True when the branch is where it was when the landing was planned. */
export async function isUnmoved(
  { repo }: Context,
  { ref, commit, checkedOut }: LandTarget,
): Promise<boolean> {
  if (!checkedOut) return (await readRef(repo, ref)) === commit;
  const head = await readHead(repo);
  return (head.ref ?? 'HEAD') === ref && head.oid === commit;
}

class Attempt {
  readonly #context: Context;
  readonly #landing: Landing;
  readonly #token: string;
  readonly #locks: WantedLock[];
  #gc: BesideGc | null = null;
  #held: string[] = [];
  /** True when the index could not be brought in step: recovery will. */
  #unfinished = false;

  constructor(context: Context, landing: Landing, token: string) {
    this.#context = context;
    this.#landing = landing;
    this.#token = token;
    this.#locks = locksOf(context, landing);
  }

  async prepare(): Promise<void> {
    const { fs, codec, workFolder: folder, repo } = this.#context;
    const { target, staged, move, objects } = this.#landing;
    await checkPlaces(this.#context, target);
    this.#gc = await storeObjects(this.#context, objects);
    await writeToken(this.#context, this.#token);
    if (move) await createFile(fs, `${folder}/tmp/ref`, new TextEncoder().encode(`${move.commit}\n`));
    const landing = { ref: target.ref, from: target.commit, staged: [...staged] };
    await draftJournal(fs, codec, folder, {
      format: 1,
      token: this.#token,
      ref: target.ref,
      refPath: refPath(repo, target.ref),
      old: target.commit,
      new: move?.commit ?? ZERO_OID,
      locks: this.#locks.map(lock => lock.path),
      objects: [],
      store: null,
      index: null,
      ...(target.checkedOut ? { landing } : {}),
    });
    await publishJournal(fs, folder);
    await syncFolder(fs, folder);
  }

  async lock(): Promise<boolean> {
    const { fs, patience, repo } = this.#context;
    const deadline = Date.now() + patience.git;
    for (let busy = await tryGitLocks(fs, this.#locks); busy; busy = await tryGitLocks(fs, this.#locks)) {
      if (Date.now() > deadline) throw await lockedByGit(fs, busy, repo.commonDir);
      await sleep(5 + Math.random() * 20);
    }
    this.#held = this.#locks.map(lock => lock.path);
    return isUnmoved(this.#context, this.#landing.target);
  }

  /** An error of the rename leaves open whether it happened: the ref itself tells. */
  async move(): Promise<void> {
    const { target, move } = this.#landing;
    if (!move) return;
    const { fs, repo } = this.#context;
    const path = refPath(repo, target.ref);
    const paths = await reflogPaths(fs, repo, target.ref, target.checkedOut);
    const { commit, committer, summary: message } = move;
    await appendReflog(fs, paths, { old: target.commit, new: commit, committer, message });
    try {
      await fs.rename(`${path}.lock`, path);
    } catch (error) {
      if ((await readRef(repo, target.ref).catch(() => null)) !== commit) throw error;
    }
    this.#held = this.#held.filter(lock => lock !== `${path}.lock`);
  }

  /** The commits are made: an error here is a warning, and the journal stays. */
  async follow(): Promise<string[]> {
    const { target, staged } = this.#landing;
    const { fs, workFolder: folder, repo } = this.#context;
    try {
      const landing = { ref: target.ref, from: target.commit, staged: [...staged] };
      if (target.checkedOut) await followBranch(this.#context, landing, `${folder}/tmp/index`);
      await syncFolders(fs, [parentOf(refPath(repo, target.ref)), repo.gitDir]);
      await this.#gc?.settle();
      return [];
    } catch (error) {
      this.#unfinished = true;
      return [
        `The commits are made, but not everything behind them is finished (${failureWords(error)}); the next edit finishes it.`,
      ];
    }
  }

  /** After an error that leaves open how far it came: what it left is recovery's to finish. */
  async judge(error: unknown): Promise<void> {
    if (error instanceof EditError || error instanceof BranchMoved) return;
    this.#unfinished = !(await isUnmoved(this.#context, this.#landing.target).catch(() => false));
  }

  async end(): Promise<void> {
    const { fs, workFolder: folder } = this.#context;
    await releaseGitLocks(fs, this.#held).catch(() => {});
    if (this.#unfinished) return;
    await removeJournal(fs, folder).catch(() => {});
    await emptyFolder(fs, `${folder}/tmp`).catch(() => {});
  }
}

/** Git takes the locks of the branch and of HEAD itself; the index is held against everybody else, as git does too. */
function locksOf(context: Context, { target, move }: Landing): WantedLock[] {
  const { ref, checkedOut, commit: oid, tree } = target;
  const trail = { ref, checkedOut, oid, parent: oid, tree, head: oid, seen: oid };
  const all = wantedLocks(context, trail);
  if (move) return all;
  return all.filter(lock => lock.path === `${context.repo.gitDir}/index.lock`);
}
