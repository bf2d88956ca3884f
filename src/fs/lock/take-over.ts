/**
 * Taking a lock over whose owner is dead, so that there is no moment at which it is free while what the dead one left is not
 * repaired: whoever dies after this and before the repair leaves a lock of a dead owner again.
 *
 * A guard, named after the dead owner, makes sure that only one waiter is between the second look and the replacement:
 * without it two of them would each replace a lock, the second one a living owner's. The guard is the new lock itself under
 * another name, and renaming it is what takes over. So a waiter that was taken for dead there and goes on finds its guard
 * gone, or renames that of its successor to where that one wants it.
 */

import { removeIfThere } from '../durable.ts';
import { errno, isMissing } from '../fs.ts';
import { readLockFile, type Seen } from './lock-file.ts';
import type { LockRegistration } from './registration.ts';

/** Asked of the owner of a guard that is in the way. */
export type IsDead = (guard: Seen) => Promise<boolean>;

/**
 * Replaces the lock that was `seen` by one of this process. Answers the token of the one whose work is to be repaired, or `null`
 * when somebody was faster, or the owner gave a sign of life.
 */
export async function takeOver(seat: LockRegistration, seen: Seen, isDead: IsDead): Promise<string[] | null> {
  const { fs } = seat.options;
  try {
    if (!(await seize(seat, seat.path, seen, isDead))) return null;
  } catch (error) {
    if (!isMissing(error)) throw error;
    // Swept away by who took this process for dead: it takes another seat.
    seat.usable = false;
    return null;
  }
  await seat.took();
  const names = ['', '.lock', '.draft'].map(ending => seen.token + ending);
  for (const name of seen.file ? names : [])
    await removeIfThere(fs, `${seat.live}/${name}`).catch(() => false);
  return [seen.token];
}

/** Replaces the file at `path`, a lock or a guard, if it still is what was seen. True when it is this process's then. */
async function seize(seat: LockRegistration, path: string, seen: Seen, isDead: IsDead): Promise<boolean> {
  const { fs } = seat.options;
  const guard = `${seat.live}/${seen.token}.guard`;
  if (!(await takeGuard(seat, guard, isDead))) return false;
  try {
    const now = await readLockFile(fs, path);
    if (now?.state !== seen.state) {
      await dropGuard(seat, guard);
      return now?.token === seat.token;
    }
    await fs.rename(guard, path);
  } catch (error) {
    if (!isMissing(error)) {
      // The guard of a process that lives would be in everybody's way.
      await dropGuard(seat, guard).catch(() => {});
      throw error;
    }
  }
  // What cannot be looked at is ours as a rule, and would be held by nobody; before a change is made it is looked at again.
  return readLockFile(fs, path).then(
    after => after?.token === seat.token,
    () => true,
  );
}

async function takeGuard(seat: LockRegistration, guard: string, isDead: IsDead): Promise<boolean> {
  const { fs } = seat.options;
  try {
    await fs.link(seat.file, guard);
    return true;
  } catch (error) {
    if (errno(error) !== 'EEXIST') throw error;
  }
  const holder = await readLockFile(fs, guard);
  if (!holder || !(await isDead(holder))) return false;
  return seize(seat, guard, holder, isDead);
}

/** Removes the guard where it is this process's own: somebody may have taken it over. */
async function dropGuard(seat: LockRegistration, guard: string): Promise<void> {
  const { fs } = seat.options;
  if ((await readLockFile(fs, guard))?.token === seat.token) await removeIfThere(fs, guard);
}
