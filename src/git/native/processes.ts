/** Processes of this machine: pid, start time and boot id tell a living owner of a lock from a dead one. */

import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { type Owner, type Processes, randomToken } from '../owner.ts';

export function nodeProcesses(): Processes {
  const me = { pid: process.pid, boot: bootId(), host: hostname(), started: startedAt(process.pid) };
  return {
    boot: () => me.boot || null,
    self: () => ({ ...me, token: randomToken() }),
    isAlive: owner => isAlive(owner, me),
    isRunning: (pid, host) => host !== me.host || exists(pid),
  };
}

/** A lock from another machine (a shared folder) may be alive: only its own machine can tell. */
function isAlive(owner: Owner, me: Omit<Owner, 'token'>): boolean {
  if (owner.host !== me.host) return true;
  if (owner.boot !== me.boot) return false;
  if (!exists(owner.pid)) return false;
  const started = startedAt(owner.pid);
  return started === '' || owner.started === '' || started === owner.started;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Linux has a boot id; elsewhere a pid and its start time must do. */
function bootId(): string {
  return readOr('/proc/sys/kernel/random/boot_id', '').trim();
}

/** Field 22 of proc_pid_stat(5), counted after the name, which may hold blanks and brackets. */
function startedAt(pid: number): string {
  const stat = readOr(`/proc/${pid}/stat`, '');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function readOr(path: string, fallback: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return fallback;
  }
}
