/**
 * Takes the place of native/platform.ts and native/system-git.ts in a bundle for a browser: the field `browser` of
 * package.json says so. There is no disk and no program git.
 */

import { EditError } from '../../errors.ts';
import type { RunGit } from '../run-git.ts';

export { processesOf } from '../../fs/lock/processes.ts';
export { portableCodec as givenCodec } from './codec.ts';

/** Throws INVALID_INPUT. */
export function nodePlatform(): never {
  const message =
    'There is no disk in a browser. Give the option fs: memoryFs(), or another file system with the calls of node:fs/promises.';
  throw new EditError('INVALID_INPUT', message, { field: 'fs' });
}

/** Answers false: in a browser there is no disk that a file system could be over. */
export async function isDisk(): Promise<boolean> {
  return false;
}

/** Answers every call as where no git is installed. */
export function systemGit(): RunGit {
  return async () => null;
}

/** Nothing here tells in which turn a step of the program is. */
export const newTurns = (): undefined => undefined;
