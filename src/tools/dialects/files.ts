/** All files below a folder, for tools that know folders as a whole. */

import type { Session } from '../../workspace/session.ts';

/** Their paths; '' is the workspace. Throws FILE_NOT_FOUND when there is no such folder. */
export async function filesBelow(session: Session, folder: string): Promise<string[]> {
  const entries = await entriesOf(session, folder);
  const files: string[] = [];
  for (const entry of entries) {
    if (!entry.endsWith('/')) files.push(entry);
    // View lists two levels: a folder without entries of its own in it was not looked into.
    else if (!entries.some(other => other !== entry && other.startsWith(entry)))
      files.push(...(await filesBelow(session, entry.slice(0, -1))));
  }
  return files;
}

/** What view lists, but all of it: folders with a slash at the end. */
export async function entriesOf(session: Session, folder: string): Promise<string[]> {
  const path = folder === '' ? '.' : folder;
  const all = Number.MAX_SAFE_INTEGER;
  const { data } = await session.view({ path, max_characters: all, max_entries: all });
  return (data as { entries: string[] }).entries;
}
