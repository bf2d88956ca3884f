/**
 * Clears what is left of packs: drafts and halves of packs after a crash, marks of packs that were joined. Those stay for an
 * hour, since git may still name the packs in a multi-pack-index that it began to write before.
 */

import { removeIfThere } from '../../fs/durable.ts';
import { type Fs, orNull } from '../../fs/fs.ts';
import { markedPacks, markPath } from './marks.ts';
import { dropStaleMultiPackIndex } from './multi-pack-index.ts';
import { type PackStore, packFolder } from './store-pack.ts';

/** Younger ones may be half of a pack that is being stored right now. */
const SECONDS = 3600;

/** `<token>.<number>` with an ending, as `draftPath` names them. */
const DRAFT = /^[^.]+\.\d+(\.[a-z-]+)?$/;

/** Needs no lock. */
export async function sweepMarks(store: PackStore): Promise<void> {
  const { fs, folder } = store;
  for (const name of (await orNull(fs.readdir(`${folder}/packs`))) ?? []) {
    const path = `${folder}/packs/${name}`;
    if (DRAFT.test(name) && (await areOld(fs, [path]))) await removeIfThere(fs, path);
  }
  const marked = await markedPacks(store);
  const there = new Set((await orNull(fs.readdir(packFolder(store)))) ?? []);
  await dropStaleMultiPackIndex(fs, packFolder(store));
  for (const name of marked) {
    const halves = ['.idx', '.pack'].filter(ending => there.has(name + ending));
    if (halves.length === 2 || there.has(`${name}.keep`)) continue;
    const files = halves.map(ending => `${packFolder(store)}/${name}${ending}`);
    const mark = markPath(store, name);
    if (!(await areOld(fs, [mark, ...files]))) continue;
    for (const file of [...files, mark]) await removeIfThere(fs, file);
  }
}

async function areOld(fs: Fs, paths: readonly string[]): Promise<boolean> {
  const stats = await Promise.all(paths.map(path => fs.lstat(path)));
  const now = Date.now() / 1000;
  return stats.every(stat => stat === null || now - Number(stat.mtimeNs / 1_000_000_000n) > SECONDS);
}
