/**
 * Says how long to wait before a server is asked again. A pure rule: the transports, the sync of hosts and the simulation of
 * many hosts (docs/hosts.md) all follow it.
 */

export interface Backoff {
  /** The most times that the server is asked, the first one included. */
  tries: number;
  /** Milliseconds before the second try, on average; each further one waits twice as long. */
  pause: number;
  /** The longest pause, on average. */
  longest: number;
}

/** A server that said no, or whose answer was lost: it may be locked for a moment. */
export const REFUSED: Backoff = { tries: 3, pause: 300, longest: 10_000 };

/** Another host came first: what it pushed was fetched and merged, which took its time already. */
export const MOST_RACES: Backoff = { tries: 12, pause: 50, longest: 2_000 };

/** After a pause of at most so many milliseconds a host goes on from the value that a lost push told, and asks for no newer one. */
export const STILL_NEW = 150;

/**
 * Milliseconds before the next try after `failed` of them (1 for the first); `null` when it is not tried again. `random` is
 * from 0 to 1: many who were turned away at once do not come back at once.
 */
export function pauseAfter(failed: number, random: number, backoff: Backoff): number | null {
  if (failed >= backoff.tries) return null;
  const average = Math.min(backoff.pause * 2 ** (failed - 1), backoff.longest);
  return average * (0.5 + random);
}
