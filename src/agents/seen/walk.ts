/** Lists the changes since the last look where there is no git to do so: every file's state against the private index. */

import { nameOf } from '../../bytes.ts';
import type { Context } from '../../engine/context.ts';
import { type Fs, lstatOf, orNull, type Stat } from '../../fs/fs.ts';
import { type StatData, statDataAt, statDataOf } from '../../git/index/entry.ts';
import { type Index, parseIndex } from '../../git/index/format.ts';
import { seenIndexPath } from './private-index.ts';

/** Names as git lists them. Throws STORE_FAILED, and what parseIndex throws. */
export async function walkChanged(context: Context): Promise<string[]> {
  const { fs, repo } = context;
  const own = await orNull(fs.readFile(seenIndexPath(context)));
  const bytes = own ?? (await orNull(fs.readFile(`${repo.gitDir}/index`)));
  const known = bytes ? statesIn(parseIndex(bytes)) : new Map<string, StatData>();
  const path = own ? seenIndexPath(context) : `${repo.gitDir}/index`;
  const written = bytes ? (await lstatOf(fs, path)).mtimeNs / 1_000_000_000n : 0n;
  const isIgnored = context.guards.ignored();
  const changed: string[] = [];
  const visit = async (name: string, stat: Stat): Promise<void> => {
    const state = known.get(name);
    known.delete(name);
    if (state ? !isAsSeen(state, stat, written) : !(await isIgnored(name, false))) changed.push(name);
  };
  await walk(fs, repo.workDir!, '', { visit, skip: async name => !known.has(name) && isIgnored(name, true) });
  return [...changed, ...known.keys()];
}

function statesIn(index: Index): Map<string, StatData> {
  const found = new Map<string, StatData>();
  for (let i = 0; i < index.count; i++) found.set(nameOf(index.name(i)), statDataAt(index, i));
  return found;
}

/** A file that changed in the second in which the index was written has to be read. */
function isAsSeen(state: StatData, stat: Stat, written: bigint): boolean {
  const now = statDataOf(stat);
  const isSame =
    state.size === now.size &&
    state.mtimeNs === now.mtimeNs &&
    state.mtime === now.mtime &&
    state.ctime === now.ctime &&
    state.ctimeNs === now.ctimeNs &&
    state.ino === now.ino;
  return isSame && BigInt(now.mtime) < written;
}

interface Visitor {
  visit(name: string, stat: Stat): Promise<void>;
  skip(folder: string): Promise<boolean>;
}

/** Repositories inside are passed over. */
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
