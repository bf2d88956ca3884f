/** Moves new objects from loose files into one pack. */

import { eachDone } from '../../fs/all-done.ts';
import { parentOf, removeIfThere, syncFolder } from '../../fs/durable.ts';
import { orNull } from '../../fs/fs.ts';
import { loosePath } from '../objects/loose.ts';
import { buildPack, type PackInput } from './build-pack.ts';
import { Pace } from './pace.ts';
import { type PackStore, storePack } from './store-pack.ts';

/**
 * Packs the objects, oldest first, and removes their loose files once pack, index and folder are synced; of the others none.
 * Needs no lock. After a crash or an error at any point the same call finishes the work, also in two processes at once.
 * Answers the name of the pack (`pack-<checksum>`), or `null` for no objects. Throws what the file system throws, and
 * CORRUPT when a content is not that of its id; then no loose file was removed.
 */
export async function packAway(store: PackStore, objects: readonly PackInput[]): Promise<string | null> {
  if (objects.length === 0) return null;
  const made = await buildPack(store.codec, objects);
  await storePack(store, made);
  await removeLoose(
    store,
    objects.map(({ oid }) => oid),
  );
  return made.name;
}

/** Removes loose files of objects that are in a pack which was synced. */
export async function removeLoose(
  { fs, codec, objectsDir }: Pick<PackStore, 'fs' | 'codec' | 'objectsDir'>,
  oids: Iterable<string>,
): Promise<void> {
  const pace = codec.packing && new Pace(codec.packing);
  const folders = new Set<string>();
  for (const oid of oids) {
    const path = loosePath(objectsDir, oid);
    await removeIfThere(fs, path);
    folders.add(parentOf(path));
    if (pace?.isDue) await pace.turn();
  }
  // A loose file was never synced: one that comes back after a power cut may be half there, and git fsck finds it.
  await eachDone([...folders], folder => orNull(syncFolder(fs, folder)));
}
