/** Joins the engine's own packs, so that a repository keeps a few of them however many edits it has. */

import { createFile, exists, parentOf, removeIfThere, syncFolder } from '../../../fs/durable.ts';
import { isMissing, orNull } from '../../../fs/fs.ts';
import { type GcProcesses, holdGcPid } from '../gc-pid.ts';
import { encodeIndex } from '../index-file.ts';
import { markedPacks, markPath, readMark } from '../marks.ts';
import { dropStaleMultiPackIndex, packsInMultiPackIndex } from '../multi-pack-index.ts';
import { Pace } from '../pace.ts';
import { PackStream } from '../pack-stream.ts';
import { draftPath, makeReadOnly, type PackStore, packFolder, publishPack } from '../store-pack.ts';
import { sweepMarks } from '../sweep-marks.ts';
import { DamagedPack, JoinCopy } from './copy.ts';
import { mergeSources } from './merge.ts';
import { JoinSource } from './source.ts';

export interface JoinOptions extends PackStore {
  processes: GcProcesses;
  /** Join all that may be joined, not only small ones that have added up. */
  all?: boolean;
}

export interface Joined {
  /** The packs that are one now. */
  packs: string[];
  /** That one, or `null` when there was nothing to join, or a gc is under way. */
  into: string | null;
  /** A pack that is damaged. It stays, and is not joined again. */
  damaged: string | null;
}

const NOTHING: Joined = { packs: [], into: null, damaged: null };

/** So many packs are no burden. */
const FEW = 10;
/** A pack stays as it is when it is this many times as large as all smaller ones together (git repack --geometric). */
const FACTOR = 2;
/** So many are joined at once, since all of them are open meanwhile; the next call goes on. */
const MOST = 200;
/** A larger pack, in bytes, is not joined any more. */
const LARGEST = 512 * 1024 * 1024;

/**
 * Joins packs when they have added up: those that are small beside the others become one. Only under git's gc.pid, and never
 * a pack that a multi-pack-index names or that has `.keep` or `.promisor`. The new pack is durable before an old one
 * goes; after a crash at any point the same call finishes the work. Entries are streamed: about 60 bytes an object, the
 * indexes and two megabytes are held. Throws what the file system throws, and CORRUPT.
 */
export async function joinPacks(options: JoinOptions): Promise<Joined> {
  if (!options.codec.packing) return NOTHING;
  await sweepMarks(options);
  if (choose(options, await joinable(options)).length < 2) return NOTHING;
  const { fs, processes, objectsDir } = options;
  const draft = await draftPath(options);
  const release = await holdGcPid({ fs, processes, commonDir: parentOf(objectsDir), draft });
  if (release === null) return NOTHING;
  try {
    // Looked at again: before the lock, somebody else may have joined them.
    return await join(options, choose(options, await joinable(options)));
  } finally {
    await release();
  }
}

interface Candidate {
  name: string;
  size: number;
}

/** The engine's packs that may be joined, the smallest first. */
async function joinable(options: JoinOptions): Promise<Candidate[]> {
  const { fs } = options;
  const marked = await markedPacks(options);
  if (marked.length < 2) return [];
  const named = await packsInMultiPackIndex(fs, packFolder(options));
  const there = new Set((await orNull(fs.readdir(packFolder(options)))) ?? []);
  const found: Candidate[] = [];
  for (const name of named === null ? [] : marked) {
    const isWhole = there.has(`${name}.pack`) && there.has(`${name}.idx`);
    if (!isWhole || named!.has(name) || BOUND.some(ending => there.has(name + ending))) continue;
    const stat = await fs.lstat(`${packFolder(options)}/${name}.pack`);
    if (stat && stat.size <= LARGEST) found.push({ name, size: stat.size });
  }
  return found.sort((a, b) => a.size - b.size);
}

const BOUND = ['.keep', '.promisor', '.mtimes'];

function choose({ all = false }: JoinOptions, packs: readonly Candidate[]): Candidate[] {
  if (all) return packs.slice(0, MOST);
  if (packs.length <= FEW) return [];
  let sum = 0;
  let count = 0;
  for (const [i, { size }] of packs.entries()) {
    if (i > 0 && size < FACTOR * sum) count = i + 1;
    sum += size;
  }
  return packs.slice(0, Math.min(count, MOST));
}

async function join(options: JoinOptions, chosen: readonly Candidate[]): Promise<Joined> {
  if (chosen.length < 2) return NOTHING;
  const sources: JoinSource[] = [];
  try {
    for (const { name } of chosen) sources.push(await open(options, name));
    sources.sort((a, b) => a.mark.made - b.mark.made || b.size - a.size);
    const into = await writeJoined(options, sources);
    const packs = chosen.map(({ name }) => name);
    await removePacks(
      options,
      packs.filter(name => name !== into),
    );
    return { packs, into, damaged: null };
  } catch (error) {
    // A pack that git took away meanwhile is no error: another time.
    if (isMissing(error)) return NOTHING;
    if (!(error instanceof DamagedPack)) throw error;
    if (!(await isThere(options, error.pack))) return NOTHING;
    await removeIfThere(options.fs, markPath(options, error.pack));
    return { ...NOTHING, damaged: error.pack };
  } finally {
    for (const source of sources) await source.close();
  }
}

/** False where a git repack, which does not look at gc.pid, took the pack away. */
async function isThere(options: JoinOptions, name: string): Promise<boolean> {
  const path = `${packFolder(options)}/${name}`;
  return (await exists(options.fs, `${path}.idx`)) && (await exists(options.fs, `${path}.pack`));
}

async function open(options: JoinOptions, name: string): Promise<JoinSource> {
  try {
    return await JoinSource.open(options, options.codec.packing!, name, await readMark(options, name));
  } catch (error) {
    if (typeof (error as { code?: unknown }).code === 'string') throw error;
    throw new DamagedPack(name, (error as Error).message);
  }
}

/** Answers the name of the new pack, which is durable then. */
async function writeJoined(options: JoinOptions, sources: readonly JoinSource[]): Promise<string> {
  const { fs, codec } = options;
  const packing = codec.packing!;
  const draft = await draftPath(options);
  const files = { pack: `${draft}.pack`, index: `${draft}.idx` };
  try {
    const { copy, checksum } = await writeEntries(options, sources, files.pack);
    const index = await encodeIndex(packing, await copy.table(), checksum);
    await createFile(fs, files.index, index, {
      umasked: 0o644,
      prepare: makeReadOnly,
    });
    const name = `pack-${checksum}`;
    await publishPack(options, { name, mark: copy.mark() }, files);
    return name;
  } finally {
    for (const file of Object.values(files)) await removeIfThere(fs, file).catch(() => {});
  }
}

/** Bytes after which a pack that grows is synced, so that the last sync does not hold up those of edits. */
const SYNCED_AT_ONCE = 8 * 1024 * 1024;

async function writeEntries(
  options: JoinOptions,
  sources: readonly JoinSource[],
  path: string,
): Promise<{ copy: JoinCopy; checksum: string }> {
  const { fs, codec, objectsDir } = options;
  const packing = codec.packing!;
  const merged = await new Pace(packing).run(mergeSources(sources));
  const packs = codec.packs({ fs, objectsDir, maxBytes: LARGEST });
  const handle = await fs.open(path, 'create', 0o644);
  try {
    let unsynced = 0;
    const stream = await PackStream.begin(packing, merged.sorted.length, async bytes => {
      await handle.write(bytes);
      unsynced += bytes.length;
      if (unsynced < SYNCED_AT_ONCE) return;
      unsynced = 0;
      await handle.sync();
    });
    const copy = new JoinCopy({ codec, packing, sources, merged, stream, packs });
    await copy.run();
    const checksum = await stream.finish();
    await makeReadOnly(handle);
    await handle.sync();
    return { copy, checksum };
  } finally {
    await packs.close();
    await handle.close();
  }
}

/**
 * The indexes first, so that no git looks into a pack that is about to go, and synced between, so that no power cut leaves a
 * part of a pack that git takes for whole. The marks stay for a while: `sweepMarks` says why.
 */
async function removePacks(options: JoinOptions, names: readonly string[]): Promise<void> {
  const { fs } = options;
  const folder = packFolder(options);
  const removed: string[] = [];
  for (const name of names) {
    if (!(await mayGo(options, name))) continue;
    for (const ending of ['.idx', '.rev', '.bitmap']) await removeIfThere(fs, `${folder}/${name}${ending}`);
    removed.push(name);
  }
  await syncFolder(fs, folder);
  for (const name of removed) await removeIfThere(fs, `${folder}/${name}.pack`);
  for (const name of removed) await fs.touch(markPath(options, name)).catch(() => {});
  await dropStaleMultiPackIndex(fs, folder);
}

/** Asked again before each removal: a multi-pack-index may have been written meanwhile. */
async function mayGo(options: JoinOptions, name: string): Promise<boolean> {
  const folder = packFolder(options);
  const named = await packsInMultiPackIndex(options.fs, folder);
  if (named === null || named.has(name)) return false;
  for (const ending of BOUND) if (await exists(options.fs, `${folder}/${name}${ending}`)) return false;
  return true;
}
