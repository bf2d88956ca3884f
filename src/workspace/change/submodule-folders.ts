/** The folders of submodules, which a merge brings or takes: git makes an empty one, and leaves one that holds anything. */

import { ensureFolder } from '../../fs/durable.ts';
import { orNull } from '../../fs/fs.ts';
import { assertNoSymlinks } from '../../fs/no-symlinks.ts';
import type { Context } from '../context.ts';
import type { DraftedChange } from './drafted-change.ts';

/** Nothing depends on such a folder: one that cannot be made is made by `git submodule update`. */
export async function placeSubmodules(context: Context, changes: readonly DraftedChange[]): Promise<void> {
  const { fs, root, repo, store } = context;
  if (repo.workDir === null || !store.separate) return;
  for (const { path, recorded } of changes) {
    const [was, is] = [recorded.before?.mode === '160000', recorded.after?.mode === '160000'];
    if (was === is) continue;
    const place = async (): Promise<void> => {
      await assertNoSymlinks(fs, root, `${root}/${path}`);
      if (is) await ensureFolder(fs, `${root}/${path}`);
      else if (!recorded.after) await orNull(fs.rmdir(`${root}/${path}`));
    };
    await place().catch(() => {});
  }
}
