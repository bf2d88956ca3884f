/** The checkpoint of the model. */

import { type Steps, takeLock } from './edit.ts';
import { newJournal, nextNumber, settle } from './journal.ts';
import type { World } from './world.ts';

/**
 * A checkpoint: a new journal is begun under the lock; the old ones are made durable in their own place without it and
 * removed, oldest first.
 */
export function* checkpoint(world: World, token: number): Steps<'done'> {
  if (world.lock !== null) return 'done';
  if (world.flaws.has('checkpoint before recovery')) world.lock = token;
  else if (!(yield* takeLock(world, token))) return 'done';
  const number = nextNumber(world);
  yield 'number';
  // Its name is taken where somebody took the lock over and began a journal.
  if (world.lock !== token || nextNumber(world) !== number) return 'done';
  for (const other of [...world.tmp.keys()]) if (world.dead.has(other)) world.tmp.delete(other);
  const fresh = newJournal(world);
  yield 'new journal';
  if (world.lock === token) world.lock = null;
  yield 'free';
  yield* settle(world, fresh.number);
  return 'done';
}
