/**
 * Writes packs durably: drafts in the engine's own folder (a git gc sweeps those beside the packs), sync, rename, sync
 * the folder. Git knows no pack without its index, so that comes last.
 */

import { allDone } from '../../fs/all-done.ts';
import { createFile, ensureFolder, moveFile, parentOf, removeIfThere, syncFolder } from '../../fs/durable.ts';
import type { FileHandle, Fs } from '../../fs/fs.ts';
import type { Codec } from '../objects/object.ts';
import type { NewPack } from './build-pack.ts';
import { type PackMark, writeMark } from './marks.ts';

export interface PackStore {
  fs: Fs;
  codec: Codec;
  /** The `objects` folder of the common git folder, absolute. */
  objectsDir: string;
  /** The engine's own folder, absolute, on the same device. */
  folder: string;
  /** Begins the names of this process's drafts in `<folder>/packs`. */
  token: string;
}

/** Where the packs are. */
export function packFolder({ objectsDir }: Pick<PackStore, 'objectsDir'>): string {
  return `${objectsDir}/pack`;
}

let drafts = 0;

/**
 * A path beside the marks that nobody else uses. Not in `<folder>/tmp`: packs are written without the engine's lock, and
 * who has that may empty it.
 */
export async function draftPath({ fs, folder, token }: PackStore): Promise<string> {
  await ensureFolder(fs, `${folder}/packs`);
  return `${folder}/packs/${token}.${++drafts}`;
}

/**
 * Stores the pack, marked as the engine's; one of this name that is there is replaced by the same bytes. When it returns,
 * pack and index survive a power cut; when it throws, nothing may be removed that is in the pack.
 */
export async function storePack(store: PackStore, made: NewPack): Promise<void> {
  const { fs } = store;
  const draft = await draftPath(store);
  const files = { pack: `${draft}.pack`, index: `${draft}.idx` };
  const options = { umasked: 0o644, prepare: makeReadOnly };
  try {
    await allDone([
      createFile(fs, files.pack, made.pack, options),
      createFile(fs, files.index, made.index, options),
    ]);
    const mark = { made: Date.now(), roots: made.roots, links: [] };
    await publishPack(store, { name: made.name, mark }, files);
  } finally {
    for (const file of Object.values(files)) await removeIfThere(fs, file).catch(() => {});
  }
}

/** Gives a written and synced pack its name. */
export async function publishPack(
  store: PackStore,
  { name, mark }: { name: string; mark: PackMark },
  files: { pack: string; index: string },
): Promise<void> {
  const { fs } = store;
  const folder = packFolder(store);
  const made = await ensureFolder(fs, folder);
  const marked = await writeMark(store, name, mark, await draftPath(store));
  await moveFile(fs, files.pack, `${folder}/${name}.pack`);
  await moveFile(fs, files.index, `${folder}/${name}.idx`);
  await allDone([folder, ...made.map(parentOf), ...marked].map(one => syncFolder(fs, one)));
}

/** As git's packs; what core.sharedRepository makes of the mode, the file system has done. */
export async function makeReadOnly(handle: FileHandle): Promise<void> {
  const { mode } = await handle.stat();
  await handle.chmod(mode & 0o444);
}
