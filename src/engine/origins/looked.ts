/**
 * When all files of the work tree were last looked at: what was changed before is recorded. The moment is the mtime of a file in
 * git's folder of the work tree, which a shell can make as well; it holds the commit that HEAD was on.
 */

import { fromUtf8 } from '../../bytes.ts';
import { ensureFolder, removeIfThere } from '../../fs/durable.ts';
import { orNull } from '../../fs/fs.ts';
import type { Context } from '../context.ts';

export function lookFolder({ repo }: Context): string {
  return `${repo.gitDir}/vedit`;
}

/** Returns when all files were last looked at; `undefined` where nobody looked yet. */
export async function lookedAt(context: Context): Promise<bigint | undefined> {
  const stat = await context.fs.lstat(`${lookFolder(context)}/looked`);
  return stat?.type === 'file' ? stat.mtimeNs : undefined;
}

/** Returns HEAD's commit at the last look; `null` where nobody looked, or there was none. */
export async function lookedHead(context: Context): Promise<string | null> {
  const bytes = await orNull(context.fs.readFile(`${lookFolder(context)}/looked`));
  const text = bytes && fromUtf8(bytes)?.trim();
  return text && /^[0-9a-f]{40}$/.test(text) ? text : null;
}

/** Notes that all files were looked at. `stamp` is a file that was made before the look began. */
export async function noteLook(context: Context, stamp: string): Promise<void> {
  await ensureFolder(context.fs, lookFolder(context));
  await context.fs
    .rename(stamp, `${lookFolder(context)}/looked`)
    .catch(() => removeIfThere(context.fs, stamp));
}
