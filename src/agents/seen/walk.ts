/** Lists the changes since the last look where there is no git to do so: every file's state against the private index. */

import { nameOf } from '../../bytes.ts';
import type { Context } from '../../engine/context.ts';
import { type Fs, lstatOf, orNull, type Stat } from '../../fs/fs.ts';
import { parseIndex } from '../../git/index/format.ts';
import { isUnchanged } from '../../git/index/racy.ts';
import { hasLooked, seenIndexPath } from './private-index.ts';

/** Lists names as git does. Throws STORE_FAILED, and what parseIndex throws. */
export async function walkChanged(context: Context): Promise<string[]> {
  const { fs, repo } = context;
  const path = (await hasLooked(context)) ? seenIndexPath(context) : `${repo.gitDir}/index`;
  const bytes = await orNull(fs.readFile(path));
  const index = bytes && parseIndex(bytes);
  const written = bytes ? (await lstatOf(fs, path)).mtimeNs : 0n;
  const known = new Map(Array.from({ length: index?.count ?? 0 }, (_, i) => [nameOf(index!.name(i)), i]));
  const isIgnored = context.guards.ignored();
  const changed: string[] = [];
  const visit = async (name: string, stat: Stat): Promise<void> => {
    const at = known.get(name);
    known.delete(name);
    const isSame = at === undefined ? await isIgnored(name, false) : isUnchanged(index!, at, stat, written);
    if (!isSame) changed.push(name);
  };
  await walk(fs, repo.workDir!, '', { visit, skip: async name => !known.has(name) && isIgnored(name, true) });
  return [...changed, ...known.keys()];
}

interface Visitor {
  visit(name: string, stat: Stat): Promise<void>;
  skip(folder: string): Promise<boolean>;
}

/** Visits every file and link below a folder. Repositories inside are passed over. */
async function walk(fs: Fs, root: string, folder: string, visitor: Visitor): Promise<void> {
  const names = (await orNull(fs.readdir(`${root}/${folder}`))) ?? [];
  if (folder !== '' && names.includes('.git')) return;
  for (const name of names.sort()) {
    if (name === '.git') continue;
    const path = folder + name;
    const stat = await fs.lstat(`${root}/${path}`);
    if (stat?.type === 'file' || stat?.type === 'symlink') await visitor.visit(path, stat);
    else if (stat?.type === 'directory' && !(await visitor.skip(path)))
      await walk(fs, root, `${path}/`, visitor);
  }
}
