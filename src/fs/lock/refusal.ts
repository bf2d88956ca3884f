/** The refusal when the lock cannot be had: who holds it, how that was found out, and what to do. */

import { EditError, type LockHolder } from '../../errors.ts';
import type { Verdict } from './liveness.ts';

export function holderOf(file: LockHolder | null): LockHolder | null {
  return file && { pid: file.pid, host: file.host };
}

/** Ends every LOCKED of the engine's own lock. */
const DOCTOR = 'vedit doctor tells more';

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
