/** The engine's folder in the repository. */

import { createFile, ensureFolder, exists, parentOf, syncFolder } from '../../fs/durable.ts';
import { errno, type Fs } from '../../fs/fs.ts';
import { assertNoSymlinks } from '../../fs/no-symlinks.ts';
import { syncFolders } from '../../git/objects/loose.ts';
import { inheritedMark } from '../../history/head.ts';
import type { Context } from '../context.ts';

/** Makes the engine's folder and the one for staged files where they are missing, so that no power cut takes them. */
export async function makeFolders({ fs, repo, folder }: Context): Promise<void> {
  await assertNoSymlinks(fs, repo.commonDir, `${folder}/tmp`);
  const made = await ensureFolder(fs, folder);
  if (repo.inheritsHome) await keepHome(fs, folder);
  made.push(...(await ensureFolder(fs, `${folder}/tmp`)));
  // The lock may have made the outer one.
  if (made.length > 0) await syncFolders(fs, [...made.map(parentOf), repo.commonDir]);
}

/** Marks a clone, before the folder is there by which it is told from a repository with edits. Only that the file exists counts. */
async function keepHome(fs: Fs, folder: string): Promise<void> {
  const mark = inheritedMark(folder);
  if (await exists(fs, mark)) return;
  await createFile(fs, mark, new TextEncoder().encode('HEAD\n')).catch(error => {
    if (errno(error) !== 'EEXIST') throw error;
  });
  await syncFolder(fs, folder);
}

/** Returns the path of a file that exists while a change of a living process is made and not finished. */
export function unfinishedMark(folder: string): string {
  return `${folder}/unfinished`;
}
