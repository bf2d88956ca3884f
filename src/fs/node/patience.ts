/** Waiting out what other programs on Windows do to a file for a moment: indexers and virus scanners keep it open. */

import { setTimeout as sleep } from 'node:timers/promises';
import { errno } from '../fs.ts';

const BUSY: ReadonlySet<string> = new Set(['EPERM', 'EACCES', 'EBUSY']);

/** In milliseconds: together about 2 s. */
const PAUSES: readonly number[] = [2, 5, 10, 25, 50, 100, 200, 400, 600, 600];

/** Runs an action again while it fails with a code that other programs cause; its last error when they go on. */
export async function patiently(action: () => void, pauses: readonly number[] = PAUSES): Promise<void> {
  for (const pause of pauses) {
    try {
      return action();
    } catch (error) {
      if (!BUSY.has(errno(error) ?? '')) throw error;
      await sleep(pause);
    }
  }
  action();
}
