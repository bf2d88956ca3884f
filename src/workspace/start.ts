/** The ways into the engine: it is loaded with the first of these calls, so that to import the library costs little. */

export { type MemoryFs, memoryFs } from '../fs/memory-fs.ts';

import { atCallSite, callSite } from '../engine/calls/call-site.ts';
import type { Workspace } from './open.ts';
import type { InitResult } from './opening/init.ts';
import type { InitOptions, WorkspaceOptions } from './opening/workspace-options.ts';

/**
 * Opens the workspace at `root`. Throws INVALID_INPUT, NOT_A_REPOSITORY, UNSUPPORTED_REPOSITORY, CORRUPT, STORE_FAILED. Nothing is written, but
 * for the repair of what a power cut took.
 */
export async function openWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  return calledFrom(async () => (await import('./open.ts')).openWorkspace(options));
}

/**
 * Makes a repository in `root`. One that is there is left alone, also that of a linked work tree or a submodule. Throws
 * INVALID_INPUT for no root or a bad branch name, and as openWorkspace for one that is there and cannot be worked in.
 */
export async function initRepository(options: InitOptions): Promise<InitResult> {
  return calledFrom(async () => (await import('./opening/init.ts')).initRepository(options));
}

async function calledFrom<T>(work: () => Promise<T>): Promise<T> {
  const site = callSite();
  try {
    return await work();
  } catch (error) {
    throw atCallSite(error, site);
  }
}
