/** A look at the lock from outside: who holds it, and how that can be told. Takes nothing and changes nothing. */

import type { LockHolder } from '../../errors.ts';
import type { Fs } from '../fs.ts';
import { OwnerWatch, PACE } from './liveness.ts';
import { isToken, look } from './lock-file.ts';
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

/** Where the lock is, and who looks. */
interface Where {
  fs: Fs;
  processes: Processes;
  folder: string;
}

export async function inspectLock({ fs, processes, folder }: Where): Promise<LockReport> {
  const seen = await look(fs, `${folder}/lock`);
  if (!seen) return { state: 'free', holder: null, token: null, told_by: null, since: null, last_sign: null };
  const pace = { ...PACE, asked: 0 };
  const disk = processes.diskOf(folder);
  const watch = new OwnerWatch(seen.token, { processes, disk, live: `${folder}/live`, pace });
  const verdict = await watch.judge(seen);
  const { heldSince } = watch;
  return {
    state: verdict.kind,
    holder: holderOf(seen.file),
    token: seen.token,
    told_by: verdict.how,
    since: heldSince === null ? null : new Date(heldSince).toISOString(),
    last_sign: new Date(Math.max(seen.mtimeMs, seen.ctimeMs)).toISOString(),
  };
}

/** True when the process with this token is reached on its socket: then it lives, and so does the machine that it runs on. */
export async function isReached(
  { processes, folder }: Pick<Where, 'processes' | 'folder'>,
  token: string,
): Promise<boolean> {
  const sockets = isToken(token) ? await processes.openSockets(`${folder}/live`) : null;
  if (!sockets) return false;
  const { contact, said } = await sockets.ask(token).finally(() => sockets.close());
  return contact === 'open' && !said.includes(' stuck ');
}
