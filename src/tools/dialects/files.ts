/** Files and folders as a session has them, for tools that know folders as a whole. */

import { asEditError } from '../../engine/calls/failure.ts';
import { EditError } from '../../errors.ts';
import { pathName } from '../../wording.ts';
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
    const { data } = await session.read({ path: named(path), maxCharacters: 1, maxEntries: 1 });
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

/**
 * Lists the paths of all files below a folder; '' is the workspace. A link to a file counts as one, a link to a folder is not
 * followed. Throws FILE_NOT_FOUND when there is no such folder.
 */
export async function filesBelow(session: Session, folder: string): Promise<string[]> {
  const { entries, folderLinks } = await listingOf(session, folder);
  const files: string[] = [];
  for (const entry of entries) {
    if (folderLinks.has(entry)) continue;
    if (!entry.endsWith('/')) files.push(entry);
    // View lists two levels: a folder without entries of its own in it was not looked into.
    else if (!entries.some(other => other !== entry && other.startsWith(entry)))
      files.push(...(await filesBelow(session, entry.slice(0, -1))));
  }
  return files;
}

/** Lists what view lists, but all of it: folders with a slash at the end. Throws FILE_NOT_FOUND, also for a file. */
export async function entriesOf(session: Session, folder: string): Promise<string[]> {
  return (await listingOf(session, folder)).entries;
}

/** Lists what `entriesOf` does, and says which of the entries are links to folders. */
export async function listingOf(
  session: Session,
  folder: string,
): Promise<{ entries: string[]; folderLinks: ReadonlySet<string> }> {
  const all = Number.MAX_SAFE_INTEGER;
  const { data } = await session.view({ path: named(folder), maxCharacters: all, maxEntries: all });
  if ('entries' in data) {
    const { entries, links = [] } = data as { entries: string[]; links?: string[] };
    const folderLinks = new Set<string>();
    for (const link of links) if ((await lookAt(session, link)).kind === 'folder') folderLinks.add(link);
    return { entries, folderLinks };
  }
  const message = `There is no folder ${pathName(folder)}: it is a file. Read it, or list the folder that it is in.`;
  throw new EditError('FILE_NOT_FOUND', message, { path: folder });
}

function named(path: string): string {
  return path === '' ? '.' : path;
}
