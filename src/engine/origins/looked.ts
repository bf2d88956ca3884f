/**
 * When all files of the work tree were last looked at: what was changed before is recorded. The moment is the mtime of a file in
 * git's folder of the work tree, which a shell can make as well.
 */

import { ensureFolder, removeIfThere } from '../../fs/durable.ts';
import { createOwn } from '../../fs/own-files.ts';
import type { Context } from '../context.ts';

export function lookFolder({ repo }: Context): string {
  return `${repo.gitDir}/vedit`;
}

/** Returns when all files were last looked at; `undefined` where nobody looked yet. */
export async function lookedAt(context: Context): Promise<bigint | undefined> {
  const stat = await context.fs.lstat(`${lookFolder(context)}/looked`);
  return stat?.type === 'file' ? stat.mtimeNs : undefined;
}

/** Looks at all files: its begin is when they were last looked at. */
export async function notingLook<T>(context: Context, look: () => Promise<T>): Promise<T> {
  const { fs, processes } = context;
  const folder = lookFolder(context);
  const stamp = `${folder}/look.${processes.newToken()}.stamp`;
  await ensureFolder(fs, folder);
  await createOwn(context, stamp);
  try {
    const seen = await look();
    await fs.rename(stamp, `${folder}/looked`).catch(() => {});
    return seen;
  } finally {
    await removeIfThere(fs, stamp).catch(() => {});
  }
}
