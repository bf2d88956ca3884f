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
export async function takeOver(
  registration: LockRegistration,
  seen: Seen,
  isDead: IsDead,
): Promise<string[] | null> {
  const { fs } = registration.options;
  try {
    if (!(await seize(registration, registration.path, seen, isDead))) return null;
  } catch (error) {
    if (!isMissing(error)) throw error;
    // Swept away by who took this process for dead: it takes another one.
    registration.usable = false;
    return null;
  }
  await registration.took();
  const names = ['', '.lock', '.draft'].map(ending => seen.token + ending);
  for (const name of seen.file ? names : [])
    await removeIfThere(fs, `${registration.live}/${name}`).catch(() => false);
  return [seen.token];
}

/** Replaces the file at `path`, a lock or a guard, if it still is what was seen. True when it is this process's then. */
async function seize(
  registration: LockRegistration,
  path: string,
  seen: Seen,
  isDead: IsDead,
): Promise<boolean> {
  const { fs } = registration.options;
  const guard = `${registration.live}/${seen.token}.guard`;
  if (!(await takeGuard(registration, guard, isDead))) return false;
  try {
    const now = await readLockFile(fs, path);
    if (now?.state !== seen.state) {
      await dropGuard(registration, guard);
      return now?.token === registration.token;
    }
    await fs.rename(guard, path);
  } catch (error) {
    if (!isMissing(error)) {
      // The guard of a process that lives would be in everybody's way.
      await dropGuard(registration, guard).catch(() => {});
      throw error;
    }
  }
  // What cannot be looked at is ours as a rule, and would be held by nobody; before a change is made it is looked at again.
  return readLockFile(fs, path).then(
    after => after?.token === registration.token,
    () => true,
  );
}

async function takeGuard(registration: LockRegistration, guard: string, isDead: IsDead): Promise<boolean> {
  const { fs } = registration.options;
  try {
    await fs.link(registration.file, guard);
    return true;
  } catch (error) {
    if (errno(error) !== 'EEXIST') throw error;
  }
  const holder = await readLockFile(fs, guard);
  if (!holder || !(await isDead(holder))) return false;
  return seize(registration, guard, holder, isDead);
}

/** Removes the guard where it is this process's own: somebody may have taken it over. */
async function dropGuard(registration: LockRegistration, guard: string): Promise<void> {
  const { fs } = registration.options;
  if ((await readLockFile(fs, guard))?.token === registration.token) await removeIfThere(fs, guard);
}
