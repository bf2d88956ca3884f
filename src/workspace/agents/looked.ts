/**
 * When all files of the work tree were last looked at: what was changed before is recorded. The moment is the mtime of a file in
 * git's folder of the work tree, which a shell can make as well; it holds the commit that HEAD was on.
 */

import { fromUtf8 } from '../../bytes.ts';
import { ensureFolder, removeIfThere } from '../../fs/durable.ts';
import { orNull } from '../../fs/fs.ts';
import type { Context } from '../context.ts';

type Place = Pick<Context, 'fs' | 'repo'>;

export function lookFolder({ repo }: Pick<Place, 'repo'>): string {
  return `${repo.gitDir}/vedit`;
}

/** `undefined` where nobody looked yet. */
export async function lookedAt(place: Place): Promise<bigint | undefined> {
  const stat = await place.fs.lstat(`${lookFolder(place)}/looked`);
  return stat?.type === 'file' ? stat.mtimeNs : undefined;
}

/** HEAD's commit at that look; `null` where nobody looked, or there was none. */
export async function lookedHead(place: Place): Promise<string | null> {
  const bytes = await orNull(place.fs.readFile(`${lookFolder(place)}/looked`));
  const text = bytes && fromUtf8(bytes)?.trim();
  return text && /^[0-9a-f]{40}$/.test(text) ? text : null;
}

/** `stamp` is a file that was made before the look began. */
export async function noteLook(place: Place, stamp: string): Promise<void> {
  await ensureFolder(place.fs, lookFolder(place));
  await place.fs.rename(stamp, `${lookFolder(place)}/looked`).catch(() => removeIfThere(place.fs, stamp));
}
