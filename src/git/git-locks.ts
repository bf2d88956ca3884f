/**
 * Git's own locks: `<file>.lock`, created exclusively, as lockfile.h of git describes. Each of ours is a hard link of
 * a finished, synced file, so a crash never leaves one that cannot be recognised as ours. A lock that somebody else
 * holds is never removed.
 */

import { EditError } from '../errors.ts';
import { sleep } from '../fs/all-done.ts';
import { ensureFolder, parentOf, removeSurely, syncFolder } from '../fs/durable.ts';
import { errno, type Fs, isMissing } from '../fs/fs.ts';

/** One lock to take: the lock file, and the staged file whose content it shall have. */
export interface WantedLock {
  path: string;
  staged: string;
}

/** The time to wait while somebody else holds one of the locks, and what a refusal needs to name its file. */
export interface LockPatience {
  fs: Fs;
  /** The common git folder, for the refusal. */
  commonDir: string;
  /** In milliseconds. */
  patience: number;
}

/**
 * Takes all locks in the order given, as soon as all are free. False when `goesOn`, which is asked before each further try,
 * says so. Throws LOCKED; then none is taken.
 */
export async function takeGitLocks(
  wanted: readonly WantedLock[],
  { fs, commonDir, patience }: LockPatience,
  goesOn: () => Promise<boolean> = async () => true,
): Promise<boolean> {
  const deadline = performance.now() + patience;
  for (let pause = 2; ; pause = Math.min(pause * 2, 60)) {
    const busy = await tryAll(fs, wanted);
    if (!busy) return true;
    if (await isSame(fs, busy, wanted[0]!.staged)) {
      await removeSurely(fs, busy);
      continue;
    }
    if (performance.now() > deadline) throw await lockedByGit(fs, busy, commonDir);
    await sleep(pause * (0.5 + Math.random()));
    if (!(await goesOn())) return false;
  }
}

/** Takes all locks or none. Answers the path of the one that is held by somebody else, or `null`. */
async function tryAll(fs: Fs, wanted: readonly WantedLock[]): Promise<string | null> {
  const taken: string[] = [];
  try {
    for (const lock of wanted) {
      const isTaken = await fs.link(lock.staged, lock.path).then(
        () => true,
        error => linkAgain(fs, lock, error),
      );
      if (!isTaken) {
        await releaseGitLocks(fs, taken);
        return lock.path;
      }
      taken.push(lock.path);
    }
    return null;
  } catch (error) {
    await releaseGitLocks(fs, taken).catch(() => {});
    throw error;
  }
}

/** True for a lock that was left behind: only the engine makes such links, and who waits here has the engine's lock. */
async function isSame(fs: Fs, lock: string, staged: string): Promise<boolean> {
  const [there, own] = [await fs.lstat(lock), await fs.lstat(staged)];
  return there !== null && there.ino === own?.ino && there.dev === own.dev;
}

/** Removes our locks, the last taken first. One that cannot be removed does not keep the others; its error is thrown. */
export async function releaseGitLocks(fs: Fs, paths: readonly string[]): Promise<void> {
  const errors: unknown[] = [];
  for (const path of [...paths].reverse()) await removeSurely(fs, path).catch(error => errors.push(error));
  if (errors.length > 0) throw errors[0];
}

/** Creates LOCKED for a lock of git that stays for too long: names the file, relative to the git folder, and its age. */
export async function lockedByGit(fs: Fs, path: string, gitDir: string): Promise<EditError> {
  const stat = await fs.lstat(path);
  const age = stat ? Math.max(0, Math.round(Date.now() / 1000 - Number(stat.mtimeNs / 1_000_000_000n))) : 0;
  const file = path.startsWith(`${gitDir}/`)
    ? path.slice(gitDir.length + 1)
    : path.split('/').slice(-2).join('/');
  const hint = 'If no git command is running, that lock was left by a crash: remove it by hand.';
  const message = `A git process holds ${file} (for ${age} s). Try again when it has finished. ${hint}`;
  return new EditError('LOCKED', message, { file, age_seconds: age });
}

/** Takes a lock whose folder was missing. False where somebody else holds it; a file in place of the folder is no lock. */
async function linkAgain(fs: Fs, { staged, path }: WantedLock, first: unknown): Promise<boolean> {
  let failure = first;
  for (let tries = 1; errno(failure) !== 'EEXIST'; tries++) {
    // Only folders of refs come and go. Without the others the work tree or the repository is gone, and stays so.
    if (!isMissing(failure) || tries === 3 || !path.includes('/refs/')) throw failure;
    await makeFolder(fs, parentOf(path));
    try {
      await fs.link(staged, path);
      return true;
    } catch (error) {
      failure = error;
    }
  }
  return false;
}

/** Makes the folder of a ref, durably: a power cut must not take it. */
async function makeFolder(fs: Fs, path: string): Promise<void> {
  for (const made of await ensureFolder(fs, path)) await syncFolder(fs, parentOf(made));
}
