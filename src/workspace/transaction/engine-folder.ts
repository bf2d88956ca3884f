/** The engine's folder in the repository: made, and cleared of what was left there. */

import { ensureFolder, parentOf, removeIfThere } from '../../git/durable.ts';
import { shareFolder } from '../../git/lock/shared-mode.ts';
import { syncFolders } from '../../git/objects/loose.ts';
import { checkUnlinked } from '../../git/unlinked.ts';
import type { Context } from '../context.ts';

/** A power cut must not take the folder that holds the journal. Answers true. */
export async function makeFolders({ fs, repo, folder, shared }: Context): Promise<true> {
  await checkUnlinked(fs, repo.commonDir, `${folder}/tmp`);
  const made = await ensureFolder(fs, `${folder}/tmp`);
  for (const one of made) await shareFolder(fs, one, shared);
  if (made.length > 0) await syncFolders(fs, made.map(parentOf));
  return true;
}

/**
 * Empties the engine's folder for staged files while nobody has a change under way. Packs are written there without the
 * lock: those of this process, which `token` names, stay, and those of other living ones unless `all` go.
 */
export async function sweepStaged({ fs, folder }: Context, token: string, all: boolean): Promise<void> {
  for (const name of await fs.readdir(`${folder}/tmp`)) {
    const isPack = name.includes('.pack-');
    if (!isPack || (all && !name.startsWith(`${token}.`))) await removeIfThere(fs, `${folder}/tmp/${name}`);
  }
}

/** Is there while a change of a living process is made and not finished. */
export function unfinishedMark(folder: string): string {
  return `${folder}/unfinished`;
}
