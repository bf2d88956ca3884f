/** Files and folders as a session has them, for tools that know folders as a whole. */

import { asEditError } from '../../engine/calls/failure.ts';
import type { Session } from '../../workspace/session.ts';

/** Where a path leads, links followed, and what is there; '' is the workspace. */
export interface Found {
  path: string;
  kind: 'file' | 'folder' | 'nothing';
}

/**
 * Finds what is at a path. A file that cannot be read counts as one: the tool that is run on it says why. Throws where
 * no path can be told.
 */
export async function lookAt(session: Session, path: string): Promise<Found> {
  try {
    const { data } = await session.read({ path: path === '' ? '.' : path, maxCharacters: 1, maxEntries: 1 });
    return { path: String(data.path), kind: 'entries' in data ? 'folder' : 'file' };
  } catch (error) {
    const { code, data } = asEditError(error);
    if (typeof data.path !== 'string') throw error;
    return { path: data.path, kind: code === 'FILE_NOT_FOUND' ? 'nothing' : 'file' };
  }
}

/** Tells whether a path is the folder or below it; both are paths of the workspace, links followed. */
export function isWithin(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}
