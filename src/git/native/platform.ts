/** The platform of the engine in Node: the disk, zlib and crypto, and the processes of the machine. */

import { AsyncLocalStorage } from 'node:async_hooks';
import { lstatSync } from 'node:fs';
import type { Fs } from '../../fs/fs.ts';
import type { Processes } from '../../fs/lock/processes.ts';
import { nodeFs } from '../../fs/node/node-fs.ts';
import { nodeProcesses } from '../../fs/node/processes.ts';
import type { TurnStore } from '../../fs/open-turns.ts';
import type { Codec } from '../objects/object.ts';
import type { RunProgram, StartGit } from '../run-git.ts';
import { nativeCodec } from './codec.ts';

export { processesOf } from '../../fs/lock/processes.ts';

export interface NodePlatform {
  fs: Fs;
  codec: Codec;
  processes: Processes;
  startGit: StartGit;
  runProgram: RunProgram;
  windows: boolean;
  folder: string | undefined;
  turns: TurnStore | undefined;
  /** `undefined` on Windows. */
  euid: number | undefined;
}

/** Returns what the engine uses of Node. `brief`: for a process that ends after one call. */
export function nodePlatform({ brief }: { brief?: boolean | undefined } = {}): NodePlatform {
  return {
    fs: nodeFs(),
    codec: nativeCodec,
    processes: nodeProcesses({ brief: brief ?? false }),
    startGit,
    runProgram: async (program, call) =>
      (await import('./system-git.ts')).systemProgram(process.env)(program, call),
    windows: process.platform === 'win32',
    folder: process.env.PWD,
    // Node tells of every promise once it follows turns, a tenth of the time of one edit.
    turns: brief ? undefined : newTurns(),
    euid: process.geteuid?.(),
  };
}

/** Tells in which turn a step of this process is; in a browser nothing does. */
export const newTurns = (): TurnStore => new AsyncLocalStorage();

/** For file systems that are given. */
export { nativeCodec as givenCodec } from './codec.ts';

/** The part of a given file system that tells what it is over. */
export interface GivenFs {
  promises: { lstat(path: string, options: { bigint: true }): Promise<unknown> };
}

/** True when a given file system is over the real disk: Node's own module, a copy, or a proxy of it. */
export async function isDisk(given: GivenFs, path: string): Promise<boolean> {
  try {
    const { dev, ino } = Object(await given.promises.lstat(path, { bigint: true }));
    const real = lstatSync(path, { bigint: true });
    // Without a number of the device there is no telling.
    return BigInt(dev) === real.dev && BigInt(ino) === real.ino;
  } catch {
    return false;
  }
}

/** Nothing of the environment says where git works, or how; who the user is, and where their config is, stays. */
export const startGit: StartGit = async (args, cwd) => {
  const { spawn } = await import('node:child_process');
  const kept = Object.entries(process.env).filter(([name]) => !name.toUpperCase().startsWith('GIT_'));
  const env = Object.fromEntries(kept);
  return new Promise((resolve, reject) => {
    const child = spawn('git', [...args], { cwd, env, stdio: 'ignore', detached: true, windowsHide: true });
    child.once('error', error => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') resolve(null);
      else reject(error);
    });
    child.once('exit', code => resolve(code ?? -1));
    child.unref();
  });
};
