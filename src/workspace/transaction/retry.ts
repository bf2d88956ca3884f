/** Publishing again where somebody was faster who does not wait for the engine's lock: git, an editor. */

import { EditError } from '../../errors.ts';
import { sleep } from '../../fs/sleep.ts';

/** The number of times that a change is planned on what is there before it is refused as LOCKED. */
export const TRIES = 20;

/** Milliseconds before the first try that waits; each further pause is twice as long, up to the second number. */
const [FIRST_PAUSE, LONGEST_PAUSE] = [1, 64];
/** The first tries do not wait: as a rule somebody was faster once. */
const AT_ONCE = 4;

/**
 * Plans and publishes, again while somebody who is not of the engine was faster. `attempt` answers `null` then; `what`: what
 * they changed. Throws LOCKED.
 */
export async function publishWithRetry<T>(what: string, attempt: () => Promise<T | null>): Promise<T> {
  for (let tries = 1; tries <= TRIES; tries++) {
    const done = await attempt();
    if (done !== null) return done;
    const pause = Math.min(FIRST_PAUSE * 2 ** (tries - AT_ONCE), LONGEST_PAUSE);
    if (tries > AT_ONCE && tries < TRIES) await sleep(pause * (0.5 + Math.random()));
  }
  throw lostTheRace(what);
}

/** Creates the LOCKED error for a change that somebody else was faster than each time. */
export function lostTheRace(what: string): EditError {
  return new EditError(
    'LOCKED',
    `Git or an editor changed ${what} ${TRIES} times while this was being written. Try again when they are idle.`,
  );
}
