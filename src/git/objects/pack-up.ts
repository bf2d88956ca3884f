/**
 * Packing loose objects where there is no git to do it. A loose object goes when a pack has it for good: written, synced,
 * and read back from there. All loose objects are packed, also those that nothing points to: what to forget is git's
 * decision, after its own time.
 */

import { createFile, ensureFolder, removeIfThere, syncFolder } from '../durable.ts';
import { corrupt } from '../failures.ts';
import { type Fs, orNull } from '../fs.ts';
import { randomToken } from '../lock/processes.ts';
import type { PortablePack as NewPack } from '../portable/pack-writer.ts';
import { loosePath } from './loose.ts';
import { type Codec, parseObject } from './object.ts';
import { looseObjects } from './size.ts';

export interface PackUpOptions {
  fs: Fs;
  codec: Codec;
  objectsDir: string;
}

export interface PackedUp {
  /** `pack-<id>`. */
  packs: string[];
  objects: number;
  /** Ids of loose objects that are damaged; they stay where they are. */
  damaged: string[];
}

/** One pack holds so many objects, and so many bytes of their files, since it is made in memory. */
const BATCH_OBJECTS = 5_000;
const BATCH_BYTES = 64 * 1024 * 1024;
/** A file larger than this stays loose. */
const LARGEST = 16 * 1024 * 1024;

export async function packUp(options: PackUpOptions): Promise<PackedUp> {
  const done: PackedUp = { packs: [], objects: 0, damaged: [] };
  const batch = new Map<string, Uint8Array>();
  let bytes = 0;
  const flush = async (): Promise<void> => {
    if (batch.size > 0) done.packs.push(await packBatch(options, batch));
    done.objects += batch.size;
    batch.clear();
    bytes = 0;
  };
  for (const oid of await looseObjects(options.fs, options.objectsDir)) {
    const file = await readWhole(options, oid);
    if (file === 'damaged') done.damaged.push(oid);
    if (!(file instanceof Uint8Array)) continue;
    batch.set(oid, file);
    bytes += file.length;
    if (batch.size >= BATCH_OBJECTS || bytes >= BATCH_BYTES) await flush();
  }
  await flush();
  return done;
}

/** What the file holds; `null` when it is gone or too large. */
async function readWhole(
  { fs, codec, objectsDir }: PackUpOptions,
  oid: string,
): Promise<Uint8Array | 'damaged' | null> {
  const path = loosePath(objectsDir, oid);
  const stat = await orNull(fs.lstat(path));
  if (!stat || stat.size > LARGEST) return null;
  const bytes = await orNull(fs.readFile(path));
  if (!bytes) return null;
  try {
    const object = parseObject(await codec.inflate(bytes));
    return object && (await codec.hash(object.type, object.content)) === oid ? bytes : 'damaged';
  } catch {
    return 'damaged';
  }
}

async function packBatch(options: PackUpOptions, batch: ReadonlyMap<string, Uint8Array>): Promise<string> {
  const { packLoose } = await import('../portable/pack-writer.ts');
  const made = await packLoose(batch);
  await storePack(options.fs, `${options.objectsDir}/pack`, made);
  await checkReadable(options, batch.keys());
  for (const oid of batch.keys()) await removeIfThere(options.fs, loosePath(options.objectsDir, oid));
  return made.name;
}

/**
 * Git knows no pack without its index, so that comes last. `temporary` is where files are written first, on the same
 * device; names of `tmp_` beside the packs are swept by a git gc after a crash.
 */
export async function storePack(
  fs: Fs,
  folder: string,
  { name, pack, index }: NewPack,
  temporary = `${folder}/tmp_${randomToken()}`,
): Promise<void> {
  await ensureFolder(fs, folder);
  for (const [kind, bytes] of [
    ['pack', pack],
    ['idx', index],
  ] as const) {
    await createFile(fs, temporary, bytes, { mode: 0o444 });
    await fs.rename(temporary, `${folder}/${name}.${kind}`);
  }
  await syncFolder(fs, folder);
}

/** Throws CORRUPT when a pack does not give back what was put in. */
async function checkReadable(
  { fs, codec, objectsDir }: PackUpOptions,
  oids: Iterable<string>,
): Promise<void> {
  const packs = codec.packs({ fs, objectsDir, maxBytes: Number.MAX_SAFE_INTEGER });
  try {
    for (const oid of oids) {
      const object = await packs.read(oid);
      if (!object || (await codec.hash(object.type, object.content)) !== oid) {
        throw corrupt(`object ${oid}`, 'cannot be read from its new pack; its loose file was kept', { oid });
      }
    }
  } finally {
    await packs.close();
  }
}
