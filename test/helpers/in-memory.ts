/** A workspace in memory: for tests that need a repository, and no disk. */

import {
  initRepository,
  type MemoryFs,
  memoryFs,
  openWorkspace,
  type Workspace,
  type WorkspaceOptions,
} from '../../src/index.ts';

export interface InMemory {
  fs: MemoryFs;
  workspace: Workspace;
}

/** Made anew, with nothing in it. */
export async function inMemory(options: Partial<WorkspaceOptions> = {}): Promise<InMemory> {
  const fs = memoryFs();
  const root = '/w';
  await initRepository({ root, fs });
  return { fs, workspace: await openWorkspace({ root, fs, ...options }) };
}
