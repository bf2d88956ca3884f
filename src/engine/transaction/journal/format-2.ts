/**
 * Journals of format 2, until 1.0: there the objects of a change over 256 KiB lie in a pack with a `.keep`, and the record
 * names it. A mark in the engine's folder (`keep-pack-<sum>`) says that the `.keep` is the engine's. The index waits beside the
 * mark until the ref is about to move, so git has seen no pack of a change that was not made.
 */

import { allDone } from '../../../fs/all-done.ts';
import { exists, moveFile, removeIfThere, syncFile, syncFolder } from '../../../fs/durable.ts';
import { orNull } from '../../../fs/fs.ts';
import { toHex } from '../../../git/objects/object.ts';
import type { Context } from '../../context.ts';
import type { Frame } from './frames.ts';
import type { ChangeRecord } from './record.ts';

interface PackFiles {
  pack: string;
  index: string;
  /** Where the index is while git does not see the pack. */
  hidden: string;
  keep: string;
  mark: string;
}

function packFiles({ repo, folder }: Context, name: string): PackFiles {
  const place = `${repo.commonDir}/objects/pack/${name}`;
  const mark = `${folder}/keep-${name}`;
  return { pack: `${place}.pack`, index: `${place}.idx`, hidden: `${mark}.idx`, keep: `${place}.keep`, mark };
}

async function packNames({ fs, folder }: Context): Promise<string[]> {
  const names = (await orNull(fs.readdir(folder))) ?? [];
  return names.flatMap(name => /^keep-(pack-[0-9a-f]{40})$/.exec(name)?.[1] ?? []);
}

/**
 * The records that count: after a power cut the last one does not where that took its pack, since the two were synced
 * together and the change was never acknowledged. Packs of changes that were not made, and what is left of broken ones, go.
 */
export async function flushPacks<R extends Frame<ChangeRecord>>(
  context: Context,
  records: readonly R[],
): Promise<readonly R[]> {
  const recorded = new Set(records.map(({ data }) => data.pack?.name));
  const torn = new Set<string>();
  for (const name of await packNames(context)) {
    const files = packFiles(context, name);
    const isHidden = !(await exists(context.fs, files.index));
    const isKept = recorded.has(name) && (await isWhole(context, files, isHidden));
    if (isKept && isHidden) await moveFile(context.fs, files.hidden, files.index);
    if (isKept || (!isHidden && (await isWhole(context, files, false)))) continue;
    torn.add(name);
    await removeAll(context, files);
  }
  const last = records.at(-1)?.data;
  const isTorn = last?.pack && torn.has(last.pack.name) && !(await isThere(context, last.new));
  return isTorn ? records.slice(0, -1) : records;
}

/** True when the object can be read: somebody may have repacked everything, kept packs too. */
async function isThere({ objects }: Context, oid: string | null): Promise<boolean> {
  return oid !== null && (await objects.readOrNull(oid).catch(() => null)) !== null;
}

const SUM = 20;

async function isWhole({ fs, codec }: Context, files: PackFiles, isHidden: boolean): Promise<boolean> {
  const pack = await orNull(fs.readFile(files.pack));
  const index = await orNull(fs.readFile(isHidden ? files.hidden : files.index));
  if (!pack || !index || pack.length < SUM || index.length < 2 * SUM) return false;
  const sums = [pack, index].map(async bytes => {
    return (await codec.sha1(bytes.subarray(0, -SUM))) === toHex(bytes.subarray(-SUM));
  });
  const isSame = toHex(index.subarray(-2 * SUM, -SUM)) === toHex(pack.subarray(-SUM));
  return isSame && (await allDone(sums)).every(Boolean);
}

/** Removes the files of a pack, the mark last: without it nobody knows whose the pack is. */
async function removeAll({ fs }: Context, { pack, index, hidden, keep, mark }: PackFiles): Promise<void> {
  for (const file of [index, hidden, pack, keep]) await removeIfThere(fs, file);
  await removeIfThere(fs, mark);
}

/**
 * At the checkpoint: refs lead to what these packs hold, and they are git's from now on; so are those that the second form
 * joined, of which it kept marks.
 */
export async function releasePacks(context: Context): Promise<void> {
  const { fs, folder, repo } = context;
  for (const name of await packNames(context)) {
    const files = packFiles(context, name);
    for (const file of [files.pack, files.index]) await orNull(syncFile(fs, file));
    await orNull(syncFolder(fs, `${repo.commonDir}/objects/pack`));
    await removeIfThere(fs, files.keep);
    await removeIfThere(fs, files.mark);
  }
  for (const name of (await orNull(fs.readdir(`${folder}/packs`))) ?? [])
    if (/^pack-[0-9a-f]{40}$/.test(name)) await removeIfThere(fs, `${folder}/packs/${name}`);
}
