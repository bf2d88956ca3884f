/**
 * Reads what the system says of the present start of the machine, and of which process started which: from /proc where there
 * is one, elsewhere only the parent of this process is known.
 */

import fs from 'node:fs';
import { uptime } from 'node:os';

let known: string | null | undefined;

/** The id of this start of the machine; `null` where that cannot be read, which equals nothing, itself included. */
export function bootId(): string | null {
  known ??= read();
  return known;
}

function read(): string | null {
  if (process.platform === 'linux') return readOr('/proc/sys/kernel/random/boot_id');
  if (process.platform === 'darwin') return output('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid']);
  if (process.platform === 'win32') return windowsBootId();
  return null;
}

function windowsBootId(): string | null {
  const key =
    'HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Memory Management\\PrefetchParameters';
  const value = /BootId\s+REG_DWORD\s+(\S+)/.exec(output('reg.exe', ['query', key, '/v', 'BootId']) ?? '');
  return value && `windows ${value[1]}`;
}

function output(program: string, args: string[]): string | null {
  // Loaded where it is needed: Linux has a file.
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const options = { encoding: 'utf8', timeout: 5_000, windowsHide: true } as const;
  const { status, stdout } = spawnSync(program, args, options);
  return status === 0 && stdout.trim() !== '' ? stdout.trim() : null;
}

export function readOr(path: string): string | null {
  try {
    return fs.readFileSync(path, 'utf8').trim() || null;
  } catch {
    return null;
  }
}

/** When this machine started, in milliseconds since 1970, by its clock as it is now. */
export function bootTime(): number {
  return Date.now() - uptime() * 1000;
}

/** The most ancestors of a process that are looked at. */
const MOST_ANCESTORS = 16;

/** The processes that this one was started by, the nearest first. */
export function ancestors(): Array<{ pid: number; started: string; name: string }> {
  const found: Array<{ pid: number; started: string; name: string }> = [];
  for (let pid = process.ppid; pid > 1 && found.length < MOST_ANCESTORS; ) {
    const { parent, started, name } = statOf(pid) ?? { parent: 0, started: '', name: '' };
    found.push({ pid, started, name });
    pid = parent;
  }
  return found;
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

function begunAt({ started }: ProcessStat, boot: number): number {
  return boot + (Number(started) / TICKS) * 1_000;
}

function allListed(): ProcessStat[] | null {
  if (process.platform !== 'linux') return null;
  try {
    const names = fs.readdirSync('/proc').filter(name => /^\d+$/.test(name));
    return names
      .map(name => statOf(Number(name)))
      .filter(one => one !== null && !one.isEnded) as ProcessStat[];
  } catch {
    return null;
  }
}

export interface ProcessStat {
  pid: number;
  parent: number;
  /** In ticks since the machine started; '' where that is not known. */
  started: string;
  name: string;
  /** It has ended, and its parent has not asked for it yet. */
  isEnded: boolean;
}

/** Reads proc_pid_stat(5); `null` where there is none. Fields count after the name, which may hold blanks and brackets. */
export function statOf(pid: number | 'self'): ProcessStat | null {
  const stat = readOr(`/proc/${pid}/stat`);
  if (stat === null) return null;
  const [state = '', parent, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
  const isEnded = state === 'Z' || state === 'X';
  return { pid: Number.parseInt(stat, 10), parent: Number(parent), started: fields[17] ?? '', name, isEnded };
}
