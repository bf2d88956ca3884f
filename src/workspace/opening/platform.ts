/** Chooses what a workspace runs on: the disk and its processes, or the file system that the caller gave. */

import type { Fs } from '../../fs/fs.ts';
import type { Processes } from '../../fs/lock/processes.ts';
import type { TurnStore } from '../../fs/open-turns.ts';
import type { PromisesFsModule } from '../../fs/promises-fs.ts';
import type { SimpleFsModule } from '../../fs/simple-fs.ts';
import type { Codec } from '../../git/objects/object.ts';
import type { RunProgram, StartGit } from '../../git/run-git.ts';

/** The options of a workspace that decide it; see WorkspaceOptions. */
export interface PlatformOptions {
  root: string;
  fs?: PromisesFsModule | SimpleFsModule | undefined;
  brief?: boolean | undefined;
}

export interface Platform {
  fs: Fs;
  codec: Codec;
  processes: Processes;
  /** The git of this machine, to join packs in the background; none where files are not on its disk. */
  startGit?: StartGit;
  /** Runs a command of a policy, without a shell; none where there are no programs. */
  runProgram?: RunProgram;
  /** True on Windows, where git's native line end is CRLF and some names cannot be stored; default false. */
  windows?: boolean;
  /** The folder of this process by the name that it was reached by, links not resolved. */
  folder?: string | undefined;
  /** Tells in which turn of a session a step of the program is; none where nobody can. */
  turns?: TurnStore | undefined;
  /** The user id of this process, where files have owners; see Trust. */
  euid?: number | undefined;
}

/** Chooses the platform. A bundle for a browser has another file in place of the one that is loaded here; see portable/browser.ts. */
export async function platformFor(options: PlatformOptions): Promise<Platform> {
  const { nodePlatform, isDisk, processesOf, givenCodec, newTurns } = await import(
    '../../git/native/platform.ts'
  );
  const { fs: given } = options;
  if (!given) return nodePlatform(options);
  const { promisesFs } = await import('../../fs/promises-fs.ts');
  if (!(await isDisk(given, options.root))) {
    const { simpleFs } = await import('../../fs/simple-fs.ts');
    const fs = isWhole(given) ? promisesFs(given) : simpleFs(given);
    return { fs, codec: givenCodec, processes: processesOf(given), turns: newTurns() };
  }
  const disk = nodePlatform(options);
  // Whole files alone are not enough where others write, too: the disk itself can do more.
  return { ...disk, fs: isWhole(given) ? promisesFs(given, 'durable') : disk.fs, euid: undefined };
}

/** True for one that can open files, and not only read and write them as a whole. */
function isWhole(fs: PromisesFsModule | SimpleFsModule): fs is PromisesFsModule {
  return 'open' in fs.promises;
}
