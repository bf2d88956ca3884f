/** A look at the lock from outside: who holds it, and how that can be told. Takes nothing and changes nothing. */

import type { LockHolder } from '../../errors.ts';
import type { Fs } from '../fs.ts';
import { OwnerWatch, PACE } from './liveness.ts';
import { isToken, look } from './lock-file.ts';
import { LockQueue } from './lock-queue.ts';
import type { Processes } from './processes.ts';
import { holderOf } from './refusal.ts';

/** The state of the lock, as one look tells it. */
export interface LockReport {
  /** `unknown`: it is held, and whether its owner lives only its lease will tell. */
  state: 'free' | 'alive' | 'dead' | 'unknown';
  /** `null` when the lock is free or cannot be read. */
  holder: LockHolder | null;
  /** The owner's token, or what stands for it. */
  token: string | null;
  /** The evidence for the state, in words. */
  told_by: string | null;
  /** When it was taken, ISO 8601; `null` where only its owner knows. */
  since: string | null;
  /** Its last sign of life, ISO 8601, by the owner's clock. */
  last_sign: string | null;
}

export async function inspectLock(options: {
  fs: Fs;
  processes: Processes;
  folder: string;
}): Promise<LockReport> {
  const { fs, processes, folder } = options;
  const seen = await look(fs, `${folder}/lock`);
  if (!seen) return { state: 'free', holder: null, token: null, told_by: null, since: null, last_sign: null };
  const sockets = seen.file?.socket ? await processes.openSockets(`${folder}/live`) : null;
  const turns = sockets && new LockQueue(sockets, PROBE, () => ({ state: 'free', since: 0 }));
  try {
    const disk = processes.diskOf(folder);
    const verdict = await new OwnerWatch(seen.token, { processes, disk, turns, pace: PACE }).judge(seen);
    if (verdict.kind === 'alive') await turns?.greeted(seen.token);
    const since = turns?.sinceOf(seen.token) ?? null;
    return {
      state: verdict.kind,
      holder: holderOf(seen.file),
      token: seen.token,
      told_by: verdict.how,
      since: since === null ? null : new Date(since).toISOString(),
      last_sign: new Date(Math.max(seen.mtimeMs, seen.ctimeMs)).toISOString(),
    };
  } finally {
    await turns?.close();
  }
}

/** True when the process with this token is reached on its socket: then it lives, and so does the machine that it runs on. */
export async function isReached(
  { processes, folder }: { processes: Processes; folder: string },
  token: string,
): Promise<boolean> {
  const sockets = isToken(token) ? await processes.openSockets(`${folder}/live`) : null;
  if (!sockets) return false;
  const turns = new LockQueue(sockets, PROBE, () => ({ state: 'free', since: 0 }));
  try {
    return (await turns.reach(token)) === 'alive';
  } finally {
    await turns.close();
  }
}

/** The token of a process that only asks: it never waits in line. */
const PROBE = '0'.repeat(24);
