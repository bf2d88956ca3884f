/** Tells who holds the lock, and how that was found out: to who looks from outside, and to who is refused. */

import { EditError, type LockHolder } from '../../errors.ts';
import type { Fs } from '../fs.ts';
import { OwnerWatch, PACE, type Verdict } from './liveness.ts';
import { isToken, readLockFile } from './lock-file.ts';
import type { Processes } from './processes.ts';

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

interface Where {
  fs: Fs;
  processes: Processes;
  folder: string;
}

/** Looks at the lock. Takes nothing and changes nothing. */
export async function inspectLock({ fs, processes, folder }: Where): Promise<LockReport> {
  const seen = await readLockFile(fs, `${folder}/lock`);
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
export async function isReached({ processes, folder }: Where, token: string): Promise<boolean> {
  const sockets = isToken(token) ? await processes.openSockets(`${folder}/live`) : null;
  if (!sockets) return false;
  const { contact, said } = await sockets.ask(token).finally(() => sockets.close());
  return contact === 'open' && !said.includes(' stuck ');
}

function holderOf(file: LockHolder | null): LockHolder | null {
  return file && { pid: file.pid, host: file.host };
}

/** The last words of every LOCKED refusal that is about the engine's own lock. */
const DOCTOR = 'vedit doctor tells more';

/** Creates LOCKED for a lock that cannot be had, with what to do. */
export function lockedByEngine(
  file: LockHolder | null,
  verdict: Verdict,
  sinceMs: number | null,
  here: LockHolder,
): EditError {
  const holder = holderOf(file);
  const left = verdict.kind === 'unknown' ? Math.ceil(verdict.lastsFor / 1000) : null;
  const message = `Another edit holds the repository: ${whoWords(holder, here)}${sinceWords(sinceMs)} (${verdict.how}). ${nextWords(verdict, left)}`;
  return new EditError('LOCKED', message, {
    holder,
    since: sinceMs === null ? null : new Date(sinceMs).toISOString(),
    told_by: verdict.how,
    takeover_in_seconds: left,
  });
}

function nextWords({ kind }: Verdict, left: number | null): string {
  const again = 'Try again in a moment';
  if (kind === 'unknown')
    return `${again}: without a sign of life the lock is taken over in about ${left} s. ${DOCTOR}, and vedit doctor --unlock takes it now.`;
  return `${again}. If it is stopped or hangs, end that process, or take the lock from it with vedit doctor --unlock; ${DOCTOR}.`;
}

export function whoWords(holder: LockHolder | null, here: LockHolder): string {
  if (!holder) return 'an unknown process';
  const host = holder.host === here.host || holder.host === '' ? 'this machine' : holder.host;
  return `process ${holder.pid} on ${host}`;
}

function sinceWords(sinceMs: number | null): string {
  if (sinceMs === null) return '';
  const seconds = Math.max(0, (Date.now() - sinceMs) / 1000);
  return `, for ${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
}
