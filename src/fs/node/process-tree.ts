/** Reads which process started which from /proc (proc_pid_stat(5)); where there is none, only the parent of this one is known. */

import fs from 'node:fs';
import { bootTime, readOr } from './boot.ts';

interface Listed {
  pid: number;
  parent: number;
  /** In ticks since the machine started; '' where that is not known. */
  started: string;
  /** The name of its program, cut off after 15 bytes; '' where it is not known. */
  name: string;
}

/** So far up is looked. */
const MOST_ANCESTORS = 16;

/** The processes that this one was started by, the nearest first. */
export function ancestors(): Array<Omit<Listed, 'parent'>> {
  const found: Listed[] = [];
  let pid = process.ppid;
  while (pid > 1 && found.length < MOST_ANCESTORS) {
    const one = listed(pid) ?? { pid, parent: 0, started: '', name: '' };
    found.push(one);
    pid = one.parent;
  }
  return found.map(({ parent: _parent, ...one }) => one);
}

/** Ticks a second in /proc, whatever the kernel counts in. */
const TICKS = 100;
/** Milliseconds by which the moment of a start may be off. */
const SLACK = 1_000;

/**
 * True while a process lives that `root`, or one that it started, has started since this moment, in milliseconds since 1970;
 * this one, and those that it was started by, do not count. `null` where that cannot be told.
 */
export function startedBelow(root: number, since: number): boolean | null {
  if (process.platform !== 'linux') return null;
  const all = allListed();
  if (all === null) return null;
  const parents = new Map(all.map(({ pid, parent }) => [pid, parent]));
  const own = new Set([process.pid, ...ancestors().map(({ pid }) => pid)]);
  const boot = bootTime();
  const isBelow = (pid: number): boolean => {
    let at = parents.get(pid);
    for (let depth = 0; at !== undefined && at > 1 && depth < 100; depth++) {
      if (at === root) return true;
      at = parents.get(at);
    }
    return false;
  };
  return all.some(one => !own.has(one.pid) && begunAt(one, boot) >= since - SLACK && isBelow(one.pid));
}

/** Take in processes whose parents ended. */
const REAPERS: ReadonlySet<string> = new Set(['systemd', 'init']);

/** Lists when processes began, in milliseconds since 1970, that work in this folder and whose parents ended. `null`: it cannot be told. */
export function orphansIn(folder: string): number[] | null {
  if (process.platform !== 'linux') return null;
  const all = allListed();
  if (all === null) return null;
  const reapers = new Set(
    all.filter(({ pid, name }) => pid === 1 || REAPERS.has(name)).map(({ pid }) => pid),
  );
  const boot = bootTime();
  const found = all.filter(({ pid, parent }) => reapers.has(parent) && worksIn(pid, folder));
  return found.map(one => begunAt(one, boot));
}

function worksIn(pid: number, folder: string): boolean {
  try {
    return `${fs.readlinkSync(`/proc/${pid}/cwd`)}/`.startsWith(`${folder}/`);
  } catch {
    return false;
  }
}

function begunAt({ started }: Listed, boot: number): number {
  return boot + (Number(started) / TICKS) * 1_000;
}

function allListed(): Listed[] | null {
  try {
    const names = fs.readdirSync('/proc').filter(name => /^\d+$/.test(name));
    return names.map(name => listed(Number(name))).filter(one => one !== null);
  } catch {
    return null;
  }
}

/** Fields are counted after the name, which may hold blanks and brackets. One that has ended counts as none. */
function listed(pid: number): Listed | null {
  const stat = readOr(`/proc/${pid}/stat`);
  if (stat === null) return null;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return null;
  const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
  return { pid, parent: Number(fields[1]), started: fields[19] ?? '', name };
}
