/**
 * When all files of the work tree were last looked at: what was changed before is recorded. The moment is the mtime of an empty
 * file in git's folder of the work tree, since a shell can set it in one step.
 */

import { ensureFolder, removeIfThere } from '../../fs/durable.ts';
import { orNull } from '../../fs/fs.ts';
import type { Context } from '../context.ts';

type Place = Pick<Context, 'fs' | 'repo'>;

export function lookFolder({ repo }: Pick<Place, 'repo'>): string {
  return `${repo.gitDir}/vedit`;
}

/** `undefined` where nobody looked yet. */
export async function lookedAt(place: Place): Promise<bigint | undefined> {
  const stat = await orNull(place.fs.lstat(`${lookFolder(place)}/looked`));
  return stat?.type === 'file' ? stat.mtimeNs : undefined;
}

/** `stamp` is a file that was made before the look began. */
export async function noteLook(place: Place, stamp: string): Promise<void> {
  await ensureFolder(place.fs, lookFolder(place));
  await place.fs.rename(stamp, `${lookFolder(place)}/looked`).catch(() => removeIfThere(place.fs, stamp));
}
