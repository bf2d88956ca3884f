/**
 * The lock of the engine against other processes of the engine: `<gitdir>/vedit/lock`, one JSON object (Owner).
 * It appears with its whole content (a hard link of a finished file), so a crash never leaves an empty lock, and one
 * that cannot be read was left by a power cut.
 * A lock of a dead process is broken under a guard that belongs to that one token: without it, two processes
 * that both saw the dead owner would each remove a lock, the second one a living one.
 */

import { EditError } from '../errors.ts';
import { createFile, removeIfThere, removeSurely } from './durable.ts';
import { errno, type Fs, isMissing, orNull } from './fs.ts';
import { type Owner, type Processes, parseOwner } from './owner.ts';

export interface EngineLock {
  /** Names this process's files in tmp/. */
  readonly token: string;
  /** Tokens of owners whose lock was taken over: what they left is recovery's to finish. */
  readonly tookOver: readonly string[];
  /** True while somebody else waits for the lock. */
  readonly isWanted: boolean;
  /** False when another process took this lock over: nothing may be written any more. */
  isMine(): Promise<boolean>;
  release(): Promise<void>;
}

export interface LockOptions {
  fs: Fs;
  processes: Processes;
  /** The folder of the lock, which must exist. */
  folder: string;
  /** Milliseconds to wait for a living owner. */
  patience: number;
}

/** Milliseconds; an edit takes a few, so a longer sleep would leave the lock free for nothing. */
const LONGEST_PAUSE = 8;

/** Takes the lock, waiting for a living owner. Throws LOCKED, with the holder, when the patience ends. */
export async function takeEngineLock(options: LockOptions): Promise<EngineLock> {
  const { fs, processes, folder } = options;
  const owner = processes.self();
  const path = `${folder}/lock`;
  const deadline = Date.now() + options.patience;
  const tookOver: string[] = [];
  let holder: Awaited<ReturnType<typeof readHolder>> = null;
  // A lock that is seen to be held is only looked at: each try of taking it writes and removes a file.
  for (
    let pause = 1;
    holder || !(await tryCreate(fs, path, folder, owner));
    holder = await readHolder(fs, path)
  ) {
    if (holder && isDead(processes, holder)) {
      if (await breakDead(options, path, holder)) tookOver.push(holder.token);
    } else if (holder) {
      if (Date.now() > deadline) throw lockedByEngine(holder);
      await sleep(pause * (0.5 + Math.random()));
      pause = Math.min(pause * 2, LONGEST_PAUSE);
    }
  }
  const isMine = async (): Promise<boolean> => (await readHolder(fs, path))?.token === owner.token;
  return { token: owner.token, tookOver, isWanted: false, isMine, release: () => release(fs, path, owner) };
}

async function release(fs: Fs, path: string, owner: Owner): Promise<void> {
  try {
    await removeSurely(fs, path);
  } catch (error) {
    abandoned.add(owner.token);
    throw error;
  }
}

/** Locks that this process let go of and could not remove: it lives, but holds them no more. */
const abandoned = new Set<string>();

/** Links a finished file to the lock's name: atomic, and it fails when the lock is there. */
async function tryCreate(fs: Fs, path: string, folder: string, owner: Owner): Promise<boolean> {
  const draft = `${folder}/${DRAFT}${owner.token}`;
  for (;;) {
    await createFile(fs, draft, new TextEncoder().encode(JSON.stringify(owner)), { sync: false });
    try {
      await fs.link(draft, path);
      return true;
    } catch (error) {
      if (errno(error) === 'EEXIST') return false;
      // The holder of the lock swept the draft away, as it may at any moment.
      if (!isMissing(error)) throw error;
    } finally {
      // A draft that stays is swept away later; an error here would hide that the lock is taken.
      await removeSurely(fs, draft).catch(() => {});
    }
  }
}

const DRAFT = 'lock.draft-';
const GUARD = '.break-';

/**
 * Removes what processes left that died while they took or broke a lock. Only the holder of the lock may. Answers the
 * names in the folder before.
 */
export async function sweepLocks(fs: Fs, processes: Processes, folder: string): Promise<string[]> {
  const names = await fs.readdir(folder);
  for (const name of names) {
    if (name.startsWith(DRAFT)) await removeIfThere(fs, `${folder}/${name}`);
    if (!name.startsWith(`lock${GUARD}`)) continue;
    const holder = await readHolder(fs, `${folder}/${name}`);
    if (holder && isDead(processes, holder)) await removeIfThere(fs, `${folder}/${name}`);
  }
  return names;
}

/** Who holds a lock; TORN for one that a power cut left; `null` when there is none. */
async function readHolder(fs: Fs, path: string): Promise<Owner | typeof TORN | null> {
  const bytes = await orNull(fs.readFile(path));
  return bytes && (parseOwner(new TextDecoder().decode(bytes)) ?? TORN);
}

const TORN = { token: 'torn' } as const;

function isDead(processes: Processes, holder: Owner | typeof TORN): boolean {
  return !('pid' in holder) || abandoned.has(holder.token) || !processes.isAlive(holder);
}

/**
 * Removes the lock at `path` if it still is the dead owner's. The guard's name holds the dead token, so only one
 * process at a time can be between the second look and the removal; a guard left by a crash is broken the same way.
 */
async function breakDead(options: LockOptions, path: string, dead: Pick<Owner, 'token'>): Promise<boolean> {
  const { fs, processes, folder } = options;
  const guard = `${path}${GUARD}${dead.token}`;
  const me = processes.self();
  if (!(await tryCreate(fs, guard, folder, me))) {
    const holder = await readHolder(fs, guard);
    if (holder && isDead(processes, holder)) await breakDead(options, guard, holder);
    return false;
  }
  try {
    if ((await readHolder(fs, path))?.token !== dead.token) return false;
    await removeIfThere(fs, path);
    return true;
  } finally {
    await removeIfThere(fs, guard);
  }
}

function lockedByEngine(holder: Owner | typeof TORN | null): EditError {
  const known = holder && 'pid' in holder ? holder : null;
  const who = known ? `process ${known.pid} on ${known.host || 'this machine'}` : 'an unknown process';
  return new EditError('LOCKED', `Another edit holds the workspace: ${who}. Try again in a moment.`, {
    holder: known && { pid: known.pid, host: known.host },
  });
}

export function sleep(milliseconds: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, milliseconds));
}
