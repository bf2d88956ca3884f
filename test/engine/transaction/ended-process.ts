/** Processes that end without closing anything, all of them in this one. */

import type { Fs } from '../../../src/fs/fs.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { nativeCodec } from '../../../src/git/native/codec.ts';
import type { Workspace, WorkspaceOptions } from '../../../src/index.ts';
import { openOn } from '../../../src/workspace/open.ts';
import { processOfBoot } from '../../crash/fault-harness.ts';
import type { Sandbox } from '../../helpers/real-git.ts';

export interface ProcessOptions extends Partial<Omit<WorkspaceOptions, 'root' | 'fs'>> {
  /** Which start of the machine it is of. */
  boot?: string;
  fs?: Fs;
}

/** Opens a workspace as another process does that is alone on its machine. */
export function openAs(
  repo: Pick<Sandbox, 'dir'>,
  { boot = 'first', fs = nodeFs(), ...options }: ProcessOptions = {},
): Promise<Workspace> {
  const platform = { fs: mortal(fs, new End()), codec: nativeCodec, processes: processOfBoot(boot) };
  return openOn(platform, { root: repo.dir, ...options });
}

/** When a process ends. */
export class End {
  hasCome = false;
  /** True for the call in place of which it ends. */
  at: (method: string, ...paths: (string | undefined)[]) => boolean = () => false;
}

/** Does something in a process that ends then, at the latest, and closes nothing. */
export async function inEndedProcess(
  repo: Pick<Sandbox, 'dir'>,
  act: (workspace: Workspace, end: End) => Promise<unknown>,
  { boot = 'first', fs = nodeFs(), ...options }: ProcessOptions = {},
): Promise<void> {
  const end = new End();
  const platform = { fs: mortal(fs, end), codec: nativeCodec, processes: processOfBoot(boot) };
  await act(await openOn(platform, { root: repo.dir, ...options }), end);
  end.hasCome = true;
}

/** The disk, as one process has it until it ends. */
function mortal(fs: Fs, end: End): Fs {
  return new Proxy(fs, {
    get(target, key) {
      const call = Reflect.get(target, key);
      if (typeof call !== 'function') return call;
      return (...args: string[]) => {
        end.hasCome ||= end.at(String(key), args[1] ?? args[0], args[0]);
        return end.hasCome ? Promise.reject(new Error('the process has ended')) : call.apply(target, args);
      };
    },
  });
}
