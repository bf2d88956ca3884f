/** A folder of the engine's, processes of a test's own making, and locks that others left. */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Pace } from '../../src/fs/lock/liveness.ts';
import type { LockFile } from '../../src/fs/lock/lock-file.ts';
import { type Processes, randomToken } from '../../src/fs/lock/processes.ts';
import { nodeProcesses } from '../../src/fs/node/processes.ts';

/** A lease that ends soon, and owners that are asked at once. */
export const QUICK: Pace = { look: 20, longestGap: 5_000, looks: 5, refused: 60, asked: 0 };

/** A folder that is removed when the test ends. */
export function scratch(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vedit-lock-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** As a process of its own to the engine, though it is this one: it has other tokens. */
export function anotherProcess(changes: Partial<Processes> = {}): Processes {
  const all = nodeProcesses();
  const { self } = all;
  return { ...all, self, ...changes };
}

/** As a process that sees no more of others than the lock file: in another container, on another machine. */
export function stranger(host: string, changes: Partial<Processes> = {}): Processes {
  const self = { ...nodeProcesses().self, host, boot: `boot of ${host}`, space: `pid:[1] ${host}`, pid: 7 };
  return anotherProcess({ self, openSockets: async () => null, ...changes });
}

/** What a process of this machine would have written that is gone. */
export function deadLock(changes: Partial<LockFile> = {}): LockFile {
  const { self } = nodeProcesses();
  const disk = nodeProcesses().diskOf(tmpdir());
  const gone = { pid: 2 ** 22 - 3, started: '1', token: randomToken() };
  return { format: 2, ...self, ...gone, disk, socket: null, ...changes };
}

export function plant(folder: string, lock: object | string): void {
  writeFileSync(join(folder, 'lock'), typeof lock === 'string' ? lock : JSON.stringify(lock));
}

/** The names in the engine's folder, those of `live` too. */
export function names(folder: string): string[] {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return all.filter(name => name !== 'live').sort();
}

/** A process that does nothing until it is killed. */
export function idleProcess(): ChildProcess {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}
