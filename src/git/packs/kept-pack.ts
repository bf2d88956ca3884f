/**
 * The objects of a large change in one pack with a `.keep`: a git gc removes loose objects that no ref leads to yet, and
 * the journal does not carry so much. Such a pack has its final name before the record that names it; a mark in the
 * engine's folder, durable before the pack is there, says whose it is.
 */

import { allDone } from '../all-done.ts';
import { concat } from '../bytes.ts';
import { createFile, ensureFolder, parentOf, removeIfThere, syncFile, syncFolder } from '../durable.ts';
import type { FileHandle } from '../fs.ts';
import { orNull } from '../fs.ts';
import { toHex } from '../objects/object.ts';
import { buildPack, type PackInput } from './build-pack.ts';
import { writeMark } from './marks.ts';
import { draftPath, makeReadOnly, type PackStore, packFolder } from './store-pack.ts';

/** What a record says of the pack: its name without ending, and the SHA-1 at its end. */
export interface KeptPack {
  name: string;
  sum: string;
}

const SUM = 20;
const MARK = 'keep-';

/** The file that says that the `.keep` of this pack is the engine's. */
export function keepMark({ folder }: Pick<PackStore, 'folder'>, name: string): string {
  return `${folder}/${MARK}${name}`;
}

/** The packs with a mark, of what is in the engine's folder. */
export function keptPacks(names: readonly string[]): string[] {
  return names.filter(name => /^keep-pack-[0-9a-f]{40}$/.test(name)).map(name => name.slice(MARK.length));
}

/** Writes mark, `.keep`, pack and index; the last three are not synced yet. `draft` begins names that nobody else uses. */
export async function writeKept(
  store: PackStore,
  objects: readonly PackInput[],
  draft: string,
): Promise<KeptPack> {
  const { fs, codec, folder } = store;
  const { name, pack, index } = await buildPack(codec, objects);
  const made = await ensureFolder(fs, packFolder(store));
  await makeIfNone(store, keepMark(store, name));
  await allDone([folder, ...made.map(parentOf)].map(one => syncFolder(fs, one)));
  const path = `${packFolder(store)}/${name}`;
  try {
    await makeIfNone(store, `${path}.keep`);
    await place(store, pack, `${draft}-pack`, `${path}.pack`);
    await place(store, index, `${draft}-idx`, `${path}.idx`);
  } catch (error) {
    for (const file of [`${path}.keep`, keepMark(store, name)]) await removeIfThere(fs, file).catch(() => {});
    throw error;
  }
  return { name, sum: toHex(pack.subarray(-SUM)) };
}

async function makeIfNone({ fs }: PackStore, path: string): Promise<void> {
  if (!(await orNull(fs.lstat(path)))) await createFile(fs, path, new TextEncoder().encode('vedit\n'));
}

/** In one step: git looks at a pack as soon as its index is there. */
async function place(store: PackStore, bytes: Uint8Array, draft: string, path: string): Promise<void> {
  const prepare = (handle: FileHandle): Promise<void> => makeReadOnly(store, handle);
  try {
    await createFile(store.fs, draft, bytes, { umasked: 0o644, prepare, sync: false });
    await store.fs.rename(draft, path);
  } finally {
    await removeIfThere(store.fs, draft).catch(() => {});
  }
}

/** Makes durable what `writeKept` wrote. */
export async function syncKept(store: PackStore, { name }: KeptPack): Promise<void> {
  const path = `${packFolder(store)}/${name}`;
  const files = ['.keep', '.pack', '.idx'].map(ending => syncFile(store.fs, path + ending));
  await allDone([...files, syncFolder(store.fs, packFolder(store))]);
}

/** False when a power cut took the pack, its index or parts of them. */
export async function isWhole(store: PackStore, { name, sum }: KeptPack): Promise<boolean> {
  const path = `${packFolder(store)}/${name}`;
  const pack = await orNull(store.fs.readFile(`${path}.pack`));
  const index = await orNull(store.fs.readFile(`${path}.idx`));
  if (!pack || !index || !(await endsWithSum(store, pack)) || !(await endsWithSum(store, index)))
    return false;
  return toHex(pack.subarray(-SUM)) === sum && toHex(index.subarray(-2 * SUM, -SUM)) === sum;
}

async function endsWithSum({ codec }: PackStore, bytes: Uint8Array): Promise<boolean> {
  if (bytes.length <= 2 * SUM) return false;
  return (await codec.sha1(concat([bytes.subarray(0, -SUM)]))) === toHex(bytes.subarray(-SUM));
}

/** After a power cut: git cannot use what is left of a pack that was being written, and complains of it. */
export async function dropBroken(store: PackStore): Promise<void> {
  const { fs, folder } = store;
  for (const name of keptPacks((await orNull(fs.readdir(folder))) ?? [])) {
    if (await isWhole(store, { name, sum: await sumOf(store, name) })) continue;
    const path = `${packFolder(store)}/${name}`;
    for (const ending of ['.idx', '.pack', '.keep']) await removeIfThere(fs, path + ending);
    await orNull(syncFolder(fs, packFolder(store)));
    await removeIfThere(fs, keepMark(store, name));
  }
}

/** What the index says of its pack. */
async function sumOf(store: PackStore, name: string): Promise<string> {
  const index = await orNull(store.fs.readFile(`${packFolder(store)}/${name}.idx`));
  return toHex((index ?? new Uint8Array(0)).subarray(-2 * SUM, -SUM));
}

/** Marks it as one that the engine may join with others, where it still is. */
export async function markKept(store: PackStore, { name }: KeptPack): Promise<void> {
  const { fs } = store;
  if (!(await orNull(fs.lstat(`${packFolder(store)}/${name}.idx`)))) return;
  const mark = { made: Date.now(), roots: [], links: [] };
  const folders = await writeMark(store, name, mark, await draftPath(store));
  await allDone(folders.map(folder => syncFolder(fs, folder)));
}
