/** Processes of this machine. What is said of another one holds across namespaces and containers, or is not said. */

import fs from 'node:fs';
import { hostname } from 'node:os';
import { type Disk, type Processes, type ProcessIdentity, randomToken } from '../lock/processes.ts';
import { ancestors, bootId, bootTime, orphansIn, readOr, startedBelow, statOf } from './proc.ts';

/** One for each kind: the lock knows a process by it. */
const made = new Map<boolean, Processes>();

/** Tells of the processes of this machine. `brief`: for a process that ends after one call. */
export function nodeProcesses({ brief = false }: { brief?: boolean } = {}): Processes {
  const known = made.get(brief);
  if (known) return known;
  let self: ProcessIdentity | null = null;
  const processes: Processes = {
    get self() {
      self ??= identity();
      return self;
    },
    newToken,
    diskOf,
    isAlive: (owner, disk) => isAlive(owner, processes.self, disk),
    ancestors,
    startedBelow,
    orphansIn,
    bootTime,
    openSockets: async folder => (await import('./sockets.ts')).openSocketFolder(folder),
    brief,
    get mostFiles() {
      return mostFiles();
    },
    alone: false,
    removeAtExit,
  };
  made.set(brief, processes);
  return processes;
}

/** Reads how many files this process may have open; `undefined` where /proc does not tell. */
function mostFiles(): number | undefined {
  const found = /^Max open files\s+(\d+)/m.exec(readOr('/proc/self/limits') ?? '');
  return found ? Number(found[1]) : undefined;
}

function identity(): ProcessIdentity {
  const space = spaceOf();
  const started = (space === null ? null : statOf('self'))?.started ?? '';
  return { pid: process.pid, host: hostname(), boot: bootId(), space, started };
}

/** The pool of a process may be that of a clone of its machine; the kernel is told when it was cloned. */
function newToken(): string {
  try {
    const fd = fs.openSync('/dev/urandom', 'r');
    try {
      const bytes = Buffer.alloc(12);
      if (fs.readSync(fd, bytes) === bytes.length) return bytes.toString('hex');
    } finally {
      fs.closeSync(fd);
    }
  } catch {
    // Where there is no such file.
  }
  return randomToken();
}

/**
 * The numbers of the PID and time namespace: processes that share them, on one kernel, mean the same by a pid and a start
 * time. `null` where /proc is that of another namespace. macOS and Windows have no such namespaces.
 */
function spaceOf(): string | null {
  if (process.platform === 'darwin' || process.platform === 'win32')
    return `${process.platform} ${hostname()}`;
  try {
    if (fs.readlinkSync('/proc/self') !== String(process.pid)) return null;
    return `${fs.readlinkSync('/proc/self/ns/pid')} ${timeSpace()}`;
  } catch {
    return null;
  }
}

/** Returns the id of the time namespace; kernels before 5.6 have none. */
function timeSpace(): string {
  try {
    return fs.readlinkSync('/proc/self/ns/time');
  } catch {
    return 'time';
  }
}

/**
 * Only of a process that counts its pid as this one does. On a disk that machines share nothing is said: clones of a virtual
 * machine have the same boot id and the same namespaces.
 */
function isAlive(owner: ProcessIdentity, me: ProcessIdentity, disk: Disk): boolean | null {
  if (disk === 'other' || owner.boot === null || owner.boot !== me.boot) return null;
  if (owner.space === null || owner.space !== me.space) return null;
  if (!exists(owner.pid)) return false;
  const { started = '', isEnded = false } = statOf(owner.pid) ?? {};
  if (isEnded) return false;
  return started === '' || owner.started === '' ? null : started === owner.started;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** File systems that only the kernel sees which has mounted them; numbers of statfs(2), and on macOS of APFS and HFS. */
const LOCAL: ReadonlySet<number> = new Set(
  process.platform === 'darwin'
    ? [0x1a, 0x11]
    : [
        0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x858458f6, 0xf2f52010, 0x2fc12fc1, 0xca451a4e,
        0x3153464a, 0x52654973, 0x3434,
      ],
);
const OVERLAY = 0x794c7630;

function diskOf(folder: string): Disk {
  if (process.platform === 'win32') return /^[a-z]:/i.test(folder) ? 'local' : 'other';
  try {
    // Some kernels answer a signed number.
    const type = (fs.statfsSync(folder).type % 2 ** 32) >>> 0;
    if (LOCAL.has(type)) return 'local';
    return process.platform === 'linux' && type === OVERLAY ? 'layered' : 'other';
  } catch {
    return 'other';
  }
}

const leftovers = new Set<readonly string[]>();

function removeAtExit(paths: readonly string[]): () => void {
  if (leftovers.size === 0) process.once('exit', removeLeftovers);
  leftovers.add(paths);
  return () => {
    leftovers.delete(paths);
    if (leftovers.size === 0) process.off('exit', removeLeftovers);
  };
}

function removeLeftovers(): void {
  for (const path of [...leftovers].flat()) fs.rmSync(path, { force: true });
}
