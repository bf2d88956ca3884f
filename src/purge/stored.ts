/** The object store as files: what lies in it, and taking objects out of it for good. */

import { latin1, toHex, uint32 } from '../bytes.ts';
import { createFile, removeIfThere, syncFolder } from '../fs/durable.ts';
import { corrupt } from '../fs/failures.ts';
import { type Fs, orNull } from '../fs/fs.ts';
import { looseObjects } from '../git/objects/count-objects.ts';
import type { PackInput } from '../git/objects/object.ts';
import type { ObjectDatabase } from '../git/objects/object-database.ts';
import { buildPack, type NewPack } from '../git/packs/build-pack.ts';
import { type PackStore, removeLoose, storePack } from '../git/packs/store-pack.ts';

/** The objects of one folder, by where they lie. */
export interface Stored {
  loose: string[];
  /** By the name of the pack, `pack-<checksum>`. */
  packs: Map<string, string[]>;
}

export async function storedIn(fs: Fs, objectsDir: string): Promise<Stored> {
  const loose = await looseObjects(fs, objectsDir);
  const names = new Set((await orNull(fs.readdir(`${objectsDir}/pack`))) ?? []);
  const packs = new Map<string, string[]>();
  for (const name of names) {
    const stem = /^(pack-[0-9a-f]+)\.idx$/.exec(name)?.[1];
    const index =
      stem && names.has(`${stem}.pack`) ? await orNull(fs.readFile(`${objectsDir}/pack/${name}`)) : null;
    if (stem && index) packs.set(stem, idsOf(name, index));
  }
  return { loose, packs };
}

/** Reads the ids in the index of a pack, version 2 (gitformat-pack(5)). Throws CORRUPT. */
function idsOf(name: string, index: Uint8Array): string[] {
  const [ids, isKnown] = [8 + 256 * 4, latin1(index.subarray(0, 8)) === '\xfftOc\0\0\0\x02'];
  const count = isKnown ? uint32(index, ids - 4) : 0;
  if (!isKnown || index.length < ids + count * 20)
    throw corrupt(`objects/pack/${name}`, 'is no index of version 2');
  return Array.from({ length: count }, (_, i) => toHex(index.subarray(ids + i * 20, ids + i * 20 + 20)));
}

/** Returns all ids, each once. */
export function idsIn({ loose, packs }: Stored): Set<string> {
  return new Set([...loose, ...[...packs.values()].flat()]);
}

/**
 * Takes the objects out: a pack that has one of them gives way to one of all others, which is durable before. Answers the
 * number of packs that were rewritten.
 */
export async function removeObjects(
  store: PackStore,
  objects: ObjectDatabase,
  { packs }: Stored,
  gone: ReadonlySet<string>,
): Promise<number> {
  const old = [...packs].filter(([, ids]) => ids.some(oid => gone.has(oid)));
  if (gone.size > 0) await removeDerived(store);
  for (const [name, ids] of old) {
    const left = ids.filter(oid => !gone.has(oid));
    const fresh = await buildPack(store.codec, contents(objects, left));
    if (left.length > 0) await keepMarks(store, name, fresh);
    if (left.length > 0) await storePack(store, fresh);
    if (left.length === 0 || fresh.name !== name) await removePack(store, name);
  }
  await removeLoose(store, gone);
  return old.length;
}

async function* contents(objects: ObjectDatabase, ids: readonly string[]): AsyncGenerator<PackInput> {
  for (const oid of ids) yield { oid, ...(await objects.read(oid)) };
}

/** Whoever keeps a pack, or lacks objects that its origin promised, goes on to do so. */
async function keepMarks({ fs, objectsDir }: PackStore, old: string, { name }: NewPack): Promise<void> {
  for (const ending of ['.keep', '.promisor']) {
    const mark = await orNull(fs.readFile(`${objectsDir}/pack/${old}${ending}`));
    const path = `${objectsDir}/pack/${name}${ending}`;
    if (mark && !(await fs.lstat(path))) await createFile(fs, path, mark);
  }
}

/** Removes a pack and its index: the pack first, since git knows no index without its pack. */
async function removePack(store: PackStore, name: string): Promise<void> {
  const { fs } = store;
  const folder = `${store.objectsDir}/pack`;
  const files = ((await orNull(fs.readdir(folder))) ?? []).filter(file => file.startsWith(`${name}.`));
  const order = (file: string): number => (file.endsWith('.pack') ? 0 : 1);
  for (const file of files.sort((a, b) => order(a) - order(b))) await removeIfThere(fs, `${folder}/${file}`);
  await syncFolder(fs, folder);
}

/** Removes files that only save time, and name objects or packs that go: git makes them anew. */
async function removeDerived({ fs, objectsDir }: PackStore): Promise<void> {
  const below = async (folder: string, isDerived: RegExp): Promise<void> => {
    for (const name of (await orNull(fs.readdir(folder))) ?? [])
      if (isDerived.test(name)) await removeIfThere(fs, `${folder}/${name}`);
  };
  await below(`${objectsDir}/pack`, /^multi-pack-index/);
  await below(`${objectsDir}/info/commit-graphs`, /./);
  await below(`${objectsDir}/info`, /^commit-graph$/);
}
