/** Folders of a repository that are written to by name must be its own: a link in their place could lead anywhere. */

import { unsupported } from './failures.ts';
import { type Fs, orNull } from './fs.ts';

/**
 * Throws UNSUPPORTED_REPOSITORY when something on the way from the folder `base` down to `path` (absolute, below it) is
 * a symbolic link; what is not there yet is none.
 */
export async function assertNoSymlinks(fs: Fs, base: string, path: string): Promise<void> {
  if (await isItself(fs, base, path)) return;
  for (let end = base.length; end >= 0; end = path.indexOf('/', end + 1)) {
    if (end === base.length) continue;
    await checkOne(fs, base, path.slice(0, end));
  }
  await checkOne(fs, base, path);
}

/** The one call that answers for a path that is there and goes through no link. */
async function isItself(fs: Fs, base: string, path: string): Promise<boolean> {
  const real = await orNull(fs.realpath(path));
  return real !== null && (real === path || real === (await fs.realpath(base)) + path.slice(base.length));
}

async function checkOne(fs: Fs, base: string, path: string): Promise<void> {
  if ((await fs.lstat(path))?.type !== 'symlink') return;
  const name = path.slice(base.length + 1);
  throw unsupported(`${name} in the repository is a symbolic link`, 'put a folder of its own there');
}
