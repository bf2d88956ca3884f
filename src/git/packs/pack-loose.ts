/**
 * Packs what is loose where there is no git to do it. A loose object goes when a pack has it for good: written, synced, and
 * read back from there. All loose objects are packed, also those that nothing points to: what to forget is git's
 * decision, after its own time.
 */

import { EditError } from '../../errors.ts';
import { corrupt } from '../../fs/failures.ts';
import { orNull } from '../../fs/fs.ts';
import { looseObjects } from '../objects/count-objects.ts';
import { loosePath } from '../objects/loose.ts';
import { type GitObject, parseObject } from '../objects/object.ts';
import { buildPack, type PackInput } from './build-pack.ts';
import { Resemblance } from './delta/resemblance.ts';
import { hashObject } from './hash-object.ts';
import { Pace } from './pace.ts';
import { removeLoose } from './pack-away.ts';
import { type PackStore, packFolder, storePack } from './store-pack.ts';

export interface PackedLoose {
  /** `pack-<checksum>`. */
  packs: string[];
  objects: number;
  /** Ids of loose objects that are damaged; they stay where they are. */
  damaged: string[];
}

/** One pack holds so many objects, and so many bytes of content, since it is made in memory. */
const BATCH_OBJECTS = 20_000;
const BATCH_BYTES = 96 * 1024 * 1024;
/** A larger content, in bytes, stays loose. */
const LARGEST = 64 * 1024 * 1024;

/** Throws what the file system throws, and CORRUPT. */
export async function packLooseObjects(store: PackStore): Promise<PackedLoose> {
  const done: PackedLoose = { packs: [], objects: 0, damaged: [] };
  let batch: PackInput[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    if (batch.length > 0) done.packs.push(await packBatch(store, batch));
    done.objects += batch.length;
    batch = [];
    bytes = 0;
  };
  for (const oid of await looseObjects(store.fs, store.objectsDir)) {
    const object = await readWhole(store, oid);
    if (object === 'damaged') done.damaged.push(oid);
    if (object === null || object === 'damaged') continue;
    if (bytes + object.content.length > BATCH_BYTES) await flush();
    batch.push({ oid, ...object });
    bytes += object.content.length;
    if (batch.length >= BATCH_OBJECTS) await flush();
  }
  await flush();
  return done;
}

/** `null` when the object is gone or too large. */
async function readWhole(store: PackStore, oid: string): Promise<GitObject | 'damaged' | null> {
  const { fs, codec, objectsDir } = store;
  const path = loosePath(objectsDir, oid);
  const stat = await fs.lstat(path);
  if (!stat || stat.size > LARGEST) return null;
  const bytes = await orNull(fs.readFile(path));
  if (!bytes) return null;
  try {
    const object = parseObject(await codec.inflate(bytes, LARGEST));
    return object && (await codec.hash(object.type, object.content)) === oid ? object : 'damaged';
  } catch (error) {
    return error instanceof EditError && error.code === 'TOO_LARGE' ? null : 'damaged';
  }
}

async function packBatch(store: PackStore, batch: readonly PackInput[]): Promise<string> {
  const made = await buildPack(store.codec, await withBases(store, batch));
  await storePack(store, made);
  await checkReadable(store, made.name, batch);
  await removeLoose(
    store,
    batch.map(({ oid }) => oid),
  );
  return made.name;
}

/** The larger first, as git does: to take away is shorter to say than to add. */
async function withBases({ codec }: PackStore, batch: readonly PackInput[]): Promise<PackInput[]> {
  const bySize = [...batch].sort((a, b) => b.content.length - a.content.length);
  if (codec.packing === null) return bySize;
  const pace = new Pace(codec.packing);
  const resemblance = new Resemblance();
  const result: PackInput[] = [];
  for (const object of bySize) {
    result.push({ ...object, base: await pace.run(resemblance.add(object)) });
    if (pace.isDue) await pace.turn();
  }
  return result;
}

/** Throws CORRUPT when a pack does not give back what was put in. */
async function checkReadable(store: PackStore, name: string, objects: readonly PackInput[]): Promise<void> {
  const { fs, codec, objectsDir } = store;
  const pace = codec.packing && new Pace(codec.packing);
  const packs = codec.packs({ fs, objectsDir, maxBytes: Number.MAX_SAFE_INTEGER });
  try {
    for (const { oid } of objects) {
      const object = await packs.read(oid);
      const actual = object && (await hashObject(codec, pace, object));
      if (actual !== oid) throw unreadable(oid, `${packFolder(store)}/${name}`);
      if (pace?.isDue) await pace.turn();
    }
  } finally {
    await packs.close();
  }
}

function unreadable(oid: string, pack: string): Error {
  return corrupt(`object ${oid}`, 'cannot be read from its new pack; its loose file was kept', { oid, pack });
}
