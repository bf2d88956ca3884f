/** The packs that a multi-pack-index names (gitformat-pack(5)): git looks for their objects where it says, so they must stay. */

import { fromLatin1, latin1, uint32 } from '../../bytes.ts';
import { removeIfThere } from '../../fs/durable.ts';
import { type FileHandle, type Fs, orNull } from '../../fs/fs.ts';

/** Bytes of one row of the table of chunks: a name and an offset of 8 bytes. */
const ROW = 12;

/**
 * The names without ending (`pack-<checksum>`) in every multi-pack-index of the folder; `null` when one cannot be
 * understood, or is being written: then any pack may be named.
 */
export async function packsInMultiPackIndex(fs: Fs, packFolder: string): Promise<Set<string> | null> {
  const chain = `${packFolder}/multi-pack-index.d`;
  const layers = ((await orNull(fs.readdir(chain))) ?? []).map(name => `${chain}/${name}`);
  const names = (await orNull(fs.readdir(packFolder))) ?? [];
  if (names.includes('multi-pack-index.lock') || layers.some(path => path.endsWith('.lock'))) return null;
  const found = new Set<string>();
  for (const path of [`${packFolder}/multi-pack-index`, ...layers.filter(one => one.endsWith('.midx'))]) {
    const packs = await packsIn(fs, path);
    if (packs === null) return null;
    for (const pack of packs) found.add(pack);
  }
  return found;
}

/**
 * Removes a multi-pack-index that names a pack that is not there, as git repack does. Git lists packs some time before it
 * writes one, so it may name what was joined or repacked meanwhile, and keeps such names when it writes the next: git fsck
 * complains then, and an object that another pack of the index has as well is not found.
 */
export async function dropStaleMultiPackIndex(fs: Fs, packFolder: string): Promise<void> {
  const path = `${packFolder}/multi-pack-index`;
  const named = (await packsIn(fs, path)) ?? [];
  if (named.length === 0) return;
  const there = new Set((await orNull(fs.readdir(packFolder))) ?? []);
  if (named.some(name => !there.has(`${name}.pack`))) await removeIfThere(fs, path);
}

async function packsIn(fs: Fs, path: string): Promise<string[] | null> {
  const handle = await orNull(fs.open(path, 'read'));
  if (!handle) return [];
  try {
    const list = await packNames(handle);
    return (
      list &&
      latin1(list)
        .split('\0')
        .filter(Boolean)
        .map(name => name.replace(/\.(idx|pack)$/, ''))
    );
  } finally {
    await handle.close();
  }
}

/** The chunk PNAM: names, each ended by NUL. */
async function packNames(handle: FileHandle): Promise<Uint8Array | null> {
  const header = await handle.read(0, 12);
  if (header.length < 12 || latin1(header.subarray(0, 4)) !== 'MIDX') return null;
  const rows = header[6]! + 1;
  const table = await handle.read(12, rows * ROW);
  for (let at = 0; at + 2 * ROW <= table.length; at += ROW) {
    if (!startsWith(table, at, 'PNAM')) continue;
    const [from, to] = [offsetAt(table, at + 4), offsetAt(table, at + ROW + 4)];
    return to < from ? null : await handle.read(from, to - from);
  }
  return null;
}

function startsWith(bytes: Uint8Array, at: number, word: string): boolean {
  return fromLatin1(word).every((byte, i) => bytes[at + i] === byte);
}

function offsetAt(bytes: Uint8Array, at: number): number {
  return uint32(bytes, at) * 2 ** 32 + uint32(bytes, at + 4);
}
