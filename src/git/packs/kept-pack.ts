/**
 * The objects of a large change in one pack with a `.keep`: a git gc removes loose objects that no ref leads to yet, and
 * the journal does not carry so much. Such a pack has its final name before the record that names it; a mark in the
 * engine's folder, durable before the pack is there, says whose it is.
 *
 * The index waits in the engine's folder until the ref is about to move. Git sees no pack without an index, so nobody can
 * have found an object in the pack of a change that was refused, and the pack can go.
 */

import { concatBytes } from '../../bytes.ts';
import { allDone } from '../../fs/all-done.ts';
import {
  createFile,
  ensureFolder,
  exists,
  moveFile,
  parentOf,
  removeIfThere,
  syncFile,
  syncFolder,
} from '../../fs/durable.ts';
import type { Fs } from '../../fs/fs.ts';
import { isMissing, orNull } from '../../fs/fs.ts';
import { toHex } from '../objects/object.ts';
import { buildPack, type PackInput } from './build-pack.ts';
import { writeMark } from './marks.ts';
import { draftPath, makeReadOnly, type PackStore, packFolder } from './store-pack.ts';

/** A pack as a record names it: its name without ending, and the SHA-1 at its end. */
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

/** Where the index of a pack waits that git does not see yet. */
function hiddenIndex(store: Pick<PackStore, 'folder'>, name: string): string {
  return `${keepMark(store, name)}.idx`;
}

/** Writes mark, `.keep`, pack and index; the last three are not synced yet. `draft` begins names that nobody else uses. */
export async function writeKept(
  store: PackStore,
  objects: readonly PackInput[],
  draft: string,
): Promise<KeptPack> {
  const { fs, codec, folder } = store;
  const { name, pack, index } = await buildPack(codec, objects, { fresh: true });
  const made = await ensureFolder(fs, packFolder(store));
  await makeKeepFile(fs, keepMark(store, name));
  await allDone([folder, ...made.map(parentOf)].map(one => syncFolder(fs, one)));
  const path = `${packFolder(store)}/${name}`;
  const isThere = await exists(fs, `${path}.idx`);
  try {
    await makeKeepFile(fs, `${path}.keep`);
    await place(store, pack, `${draft}-pack`, `${path}.pack`);
    await place(store, index, `${draft}-idx`, isThere ? `${path}.idx` : hiddenIndex(store, name));
  } catch (error) {
    if (isThere) await removeIfThere(fs, `${path}.keep`).catch(() => {});
    else await removeAll(store, name).catch(() => {});
    throw error;
  }
  return { name, sum: toHex(pack.subarray(-SUM)) };
}

/** Lets git see the pack: the ref is about to move to a commit in it. */
export async function revealKept(store: PackStore, { name }: Pick<KeptPack, 'name'>): Promise<void> {
  const path = `${packFolder(store)}/${name}.idx`;
  try {
    await moveFile(store.fs, hiddenIndex(store, name), path);
  } catch (error) {
    if (!isMissing(error) || !(await exists(store.fs, path))) throw error;
  }
}

/** Removes a pack that git never saw. False where it did: then its objects may be in use. */
export async function dropHidden(store: PackStore, name: string): Promise<boolean> {
  if (await exists(store.fs, `${packFolder(store)}/${name}.idx`)) return false;
  await removeAll(store, name);
  return true;
}

/**
 * Removes all packs of changes that were not made, also those that a kill left half written. To be called with the engine's
 * lock held, while no change is under way.
 */
export async function dropAllHidden(store: PackStore): Promise<void> {
  for (const name of keptPacks((await orNull(store.fs.readdir(store.folder))) ?? []))
    await dropHidden(store, name);
}

/** The mark last: without it nobody knows whose the pack is. */
async function removeAll(store: PackStore, name: string): Promise<void> {
  const { fs } = store;
  const path = `${packFolder(store)}/${name}`;
  const files = [`${path}.idx`, hiddenIndex(store, name), `${path}.pack`, `${path}.keep`];
  for (const file of files) await removeIfThere(fs, file);
  await orNull(syncFolder(fs, packFolder(store)));
  await removeIfThere(fs, keepMark(store, name));
}

/** Makes a mark or a `.keep` file, unless it is there. */
export async function makeKeepFile(fs: Fs, path: string): Promise<void> {
  if (!(await fs.lstat(path))) await createFile(fs, path, new TextEncoder().encode('vedit\n'));
}

/** In one step: git looks at a pack as soon as its index is there. */
async function place(store: PackStore, bytes: Uint8Array, draft: string, path: string): Promise<void> {
  try {
    await createFile(store.fs, draft, bytes, { umasked: 0o644, prepare: makeReadOnly, sync: false });
    await moveFile(store.fs, draft, path);
  } finally {
    await removeIfThere(store.fs, draft).catch(() => {});
  }
}

/** Makes durable what `writeKept` wrote. */
export async function syncKept(store: PackStore, { name }: KeptPack): Promise<void> {
  const { fs, folder } = store;
  const path = `${packFolder(store)}/${name}`;
  const index = await indexOf(store, name);
  const files = [`${path}.keep`, `${path}.pack`, index].map(file => syncFile(fs, file));
  await allDone([...files, ...[packFolder(store), folder].map(one => syncFolder(fs, one))]);
}

/** Where the index is now. */
async function indexOf(store: PackStore, name: string): Promise<string> {
  const hidden = hiddenIndex(store, name);
  return (await exists(store.fs, hidden)) ? hidden : `${packFolder(store)}/${name}.idx`;
}

/** False when a power cut took the pack, its index or parts of them. */
export async function isWhole(store: PackStore, { name, sum }: KeptPack): Promise<boolean> {
  const pack = await orNull(store.fs.readFile(`${packFolder(store)}/${name}.pack`));
  const index = await orNull(store.fs.readFile(await indexOf(store, name)));
  if (!pack || !index || !(await endsWithSum(store, pack)) || !(await endsWithSum(store, index)))
    return false;
  return toHex(pack.subarray(-SUM)) === sum && toHex(index.subarray(-2 * SUM, -SUM)) === sum;
}

async function endsWithSum({ codec }: PackStore, bytes: Uint8Array): Promise<boolean> {
  if (bytes.length <= 2 * SUM) return false;
  return (await codec.sha1(concatBytes([bytes.subarray(0, -SUM)]))) === toHex(bytes.subarray(-SUM));
}

/**
 * After a power cut: the packs of `records` are for git to see again, if they are whole. Git cannot use what is left of a
 * pack that was being written, and complains of it: that goes, and so do packs that nobody saw and no record names.
 */
export async function restoreKept(store: PackStore, records: readonly KeptPack[]): Promise<void> {
  const recorded = new Set(records.map(({ name }) => name));
  for (const name of keptPacks((await orNull(store.fs.readdir(store.folder))) ?? [])) {
    if (!(await isWhole(store, { name, sum: await sumOf(store, name) }))) await removeAll(store, name);
    else if (recorded.has(name)) await revealKept(store, { name });
    else await dropHidden(store, name);
  }
  await orNull(syncFolder(store.fs, packFolder(store)));
}

/** Reads from the index the SHA-1 of its pack. */
async function sumOf(store: PackStore, name: string): Promise<string> {
  const index = await orNull(store.fs.readFile(await indexOf(store, name)));
  return toHex((index ?? new Uint8Array(0)).subarray(-2 * SUM, -SUM));
}

/** Marks it as one that the engine may join with others, where it still is, and makes its place durable. */
export async function markKept(store: PackStore, { name }: KeptPack): Promise<void> {
  const { fs } = store;
  if (!(await fs.lstat(`${packFolder(store)}/${name}.idx`))) return;
  const mark = { made: Date.now(), roots: [], links: [] };
  const folders = await writeMark(store, name, mark, await draftPath(store));
  await allDone([...folders, packFolder(store)].map(folder => syncFolder(fs, folder)));
}
