/**
 * Writes packs durably: drafts in the engine's own folder (a git gc sweeps those beside the packs), sync, rename, sync
 * the folder. Git knows no pack without its index, so that comes last.
 */

import { allDone, eachDone } from '../../fs/all-done.ts';
import {
  createFile,
  ensureFolder,
  exists,
  moveFile,
  parentOf,
  removeIfThere,
  syncFolder,
} from '../../fs/durable.ts';
import { type FileHandle, type Fs, orNull } from '../../fs/fs.ts';
import { loosePath } from '../objects/loose.ts';
import type { Codec } from '../objects/object.ts';
import type { NewPack } from './build-pack.ts';

export interface PackStore {
  fs: Fs;
  codec: Codec;
  /** The `objects` folder of the common git folder, absolute. */
  objectsDir: string;
  /** The engine's own folder, absolute. */
  folder: string;
  /** Begins the names of this process's drafts in `<folder>/packs`. */
  token: string;
}

let drafts = 0;

/**
 * Stores the pack; one of this name that is there is replaced by the same bytes. When it returns, pack and index survive a
 * power cut; when it throws, nothing may be removed that is in the pack. Needs no lock, so the drafts are not in
 * `<folder>/tmp`, which the owner of the lock may empty.
 */
export async function storePack(store: PackStore, { name, pack, index }: NewPack): Promise<void> {
  const { fs, folder, token } = store;
  const packs = `${store.objectsDir}/pack`;
  await ensureFolder(fs, `${folder}/packs`);
  const draft = `${folder}/packs/${token}.${++drafts}.${name}`;
  const place = `${packs}/${name}`;
  const options = { umasked: 0o644, prepare: makeReadOnly };
  try {
    await allDone([
      createFile(fs, `${draft}.pack`, pack, options),
      createFile(fs, `${draft}.idx`, index, options),
    ]);
    const made = await ensureFolder(fs, packs);
    await moveFile(fs, `${draft}.pack`, `${place}.pack`);
    await moveFile(fs, `${draft}.idx`, `${place}.idx`);
    await eachDone([packs, ...made.map(parentOf)], one => syncFolder(fs, one));
  } finally {
    for (const ending of ['.pack', '.idx']) await removeIfThere(fs, draft + ending).catch(() => {});
  }
}

/** Makes a file read-only, as git's packs are; what core.sharedRepository makes of the mode, the file system has done. */
async function makeReadOnly(handle: FileHandle): Promise<void> {
  const { mode } = await handle.stat();
  await handle.chmod(mode & 0o444);
}

/** Removes loose files of objects that are in a pack which was stored. */
export async function removeLoose(
  { fs, codec, objectsDir }: PackStore,
  oids: Iterable<string>,
): Promise<void> {
  const folders = new Set<string>();
  for (const oid of oids) {
    const path = loosePath(objectsDir, oid);
    if (await removeIfThere(fs, path)) folders.add(parentOf(path));
    await codec.packing.turn();
  }
  // A loose file was never synced: one that comes back after a power cut may be half there, and git fsck finds it.
  await eachDone([...folders], folder => orNull(syncFolder(fs, folder)));
}

/** A draft that a crash left names its pack, which lies there without an index where the crash came between the two. */
const DRAFT = /^[^.]+\.\d+\.(pack-[0-9a-f]{40})\.(?:pack|idx)$/;
/** Younger ones may be of a pack that is being stored right now. */
const SECONDS = 3600;

/** Clears what crashes left of packs, an hour later. Needs no lock. */
export async function sweepDrafts(store: PackStore): Promise<void> {
  const { fs, folder } = store;
  for (const draft of (await orNull(fs.readdir(`${folder}/packs`))) ?? []) {
    const name = DRAFT.exec(draft)?.[1];
    const place = `${store.objectsDir}/pack/${name}`;
    const path = `${folder}/packs/${draft}`;
    if (name === undefined || !(await areOld(fs, [path, `${place}.pack`]))) continue;
    if (!(await exists(fs, `${place}.idx`))) await removeIfThere(fs, `${place}.pack`);
    await removeIfThere(fs, path);
  }
}

/** True where those of the files that are there are old. */
async function areOld(fs: Fs, paths: readonly string[]): Promise<boolean> {
  const stats = await Promise.all(paths.map(path => fs.lstat(path)));
  const now = Date.now() / 1000;
  return stats.every(stat => stat === null || now - Number(stat.mtimeNs / 1_000_000_000n) > SECONDS);
}
