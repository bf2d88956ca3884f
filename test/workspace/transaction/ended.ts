/** Processes that end without closing anything, all of them in this one. */

import type { Fs } from '../../../src/git/fs.ts';
import { nativeCodec } from '../../../src/git/native/codec.ts';
import { nodeFs } from '../../../src/git/native/node-fs.ts';
import type { Workspace, WorkspaceOptions } from '../../../src/index.ts';
import { openOn } from '../../../src/workspace/open.ts';
import { labProcess } from '../../crash/lab.ts';
import type { Sandbox } from '../../git/real-git.ts';

/** Opens a workspace as another process does that is alone on its machine; `boot`: which start of the machine it is. */
export function openAs(
  repo: Pick<Sandbox, 'dir'>,
  {
    boot = 'first',
    fs = ownFs(),
    ...options
  }: Partial<Omit<WorkspaceOptions, 'fs'>> & { boot?: string; fs?: Fs } = {},
): Promise<Workspace> {
  return openOn({ fs, codec: nativeCodec, processes: labProcess(boot) }, { root: repo.dir, ...options });
}

/** Does something in a process that ends then: its lock is free, and nothing is closed. */
export async function inEndedProcess(
  repo: Pick<Sandbox, 'dir'>,
  act: (workspace: Workspace) => Promise<unknown>,
  options: Partial<Omit<WorkspaceOptions, 'fs'>> & { boot?: string } = {},
): Promise<void> {
  const state = { hasEnded: false };
  await act(await openAs(repo, { ...options, fs: ownFs(state) }));
  state.hasEnded = true;
}

/** The disk, as one process has it. */
function ownFs(state: { hasEnded: boolean } = { hasEnded: false }): Fs {
  return new Proxy(nodeFs(), {
    get(target, key) {
      const call = Reflect.get(target, key);
      if (typeof call !== 'function') return call;
      return (...args: unknown[]) =>
        state.hasEnded ? Promise.reject(new Error('the process has ended')) : call.apply(target, args);
    },
  });
}
