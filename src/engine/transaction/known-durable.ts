/**
 * Makes durable what an edit is built on, before the edit is: after a power cut its record would lead to a commit that
 * git had not synced (git syncs no loose object and no ref). What the engine's own records name needs no look; of what
 * somebody else made, refs and recently written objects are synced once.
 */

import { allDone, eachDone } from '../../fs/all-done.ts';
import { parentOf, syncFile, syncFolder } from '../../fs/durable.ts';
import { isMissing, orNull } from '../../fs/fs.ts';
import { syncFolders } from '../../git/objects/loose.ts';
import { readHead, refPath } from '../../git/refs/refs.ts';
import type { TrailHead } from '../../history/head.ts';
import type { Context } from '../context.ts';
import type { Frame } from './journal/frames.ts';
import { type ChangeRecord, checkedRecord } from './journal/record.ts';
import { byPlace, contextOfWorkTree } from './recovery/work-tree.ts';
import type { Transaction } from './transaction.ts';

/** A kernel writes what is older than half a minute by itself. */
export const YOUNG_MS = 60_000;

/** The most young objects that are synced, the newest first: of a larger number the kernel has begun to write the others. */
const MOST_OBJECTS = 500;

/** The refs that a change is built on. */
type Built = Pick<TrailHead, 'ref' | 'checkedOut' | 'oid' | 'head'>;

export class KnownDurable {
  readonly #refs = new Map<string, string | null>();

  /** Notes that the record which moves the ref there is durable. */
  note(ref: string, oid: string): void {
    this.#refs.set(ref, oid);
  }

  /** Notes for each ref the newest commit that others recorded: their records were synced before they were published. */
  noteRecords(frames: readonly Frame<ChangeRecord>[]): void {
    const noted = new Set<unknown>();
    for (const { data } of frames.toReversed()) {
      if (noted.has(data?.ref) || !checkedRecord(data)) continue;
      this.note(data.ref, data.new);
      noted.add(data.ref);
    }
  }

  /** Syncs the trail's ref, HEAD's, and what they lead to, where somebody else moved them; `null` where nobody did. */
  make(context: Context, trail: Built): Promise<void> | null {
    const head = `HEAD of ${context.repo.gitDir}`;
    const isRefNew = trail.oid !== null && this.#refs.get(trail.ref) !== trail.oid;
    const isHeadNew = !trail.checkedOut && trail.head !== null && this.#refs.get(head) !== trail.head;
    return isRefNew || isHeadNew ? this.#sync(context, trail, isRefNew, isHeadNew ? head : null) : null;
  }

  async #sync(context: Context, trail: Built, isRefNew: boolean, newHead: string | null): Promise<void> {
    const since = Date.now() - YOUNG_MS;
    if (await areYoung(context, trail, since)) await syncObjectsSince(context, since);
    if (isRefNew) await syncRef(context, trail.ref);
    if (isRefNew) this.#refs.set(trail.ref, trail.oid);
    if (newHead !== null) this.#refs.set(newHead, trail.head);
  }
}

/** True unless the files of HEAD and of the trail's ref are old: what refs lead to was written before they were. */
async function areYoung(
  { fs, repo }: Context,
  trail: Pick<TrailHead, 'ref'>,
  since: number,
): Promise<boolean> {
  const { ref } = await readHead(repo);
  for (const name of new Set([trail.ref, 'HEAD', ref ?? 'HEAD'])) {
    const stat = (await fs.lstat(refPath(repo, name))) ?? (await fs.lstat(`${repo.commonDir}/packed-refs`));
    if (stat && Number(stat.mtimeNs / 1_000_000n) >= since) return true;
  }
  return false;
}

/** Syncs the file that holds the ref, and its folder. */
export async function syncRef({ fs, repo }: Pick<Context, 'fs' | 'repo'>, ref: string): Promise<void> {
  const path = refPath(repo, ref);
  const loose = await fs.lstat(path);
  const file = loose?.type === 'file' ? path : `${repo.commonDir}/packed-refs`;
  await orNull(syncFile(fs, file));
  await orNull(syncFolder(fs, parentOf(file)));
}

async function syncObjectsSince({ fs, repo }: Context, since: number): Promise<void> {
  const objects = `${repo.commonDir}/objects`;
  const isYoung = async (path: string): Promise<number | null> => {
    const stat = await fs.lstat(path);
    const time = stat ? Number(stat.mtimeNs / 1_000_000n) : 0;
    return time >= since ? time : null;
  };
  const young: Array<{ path: string; time: number }> = [];
  const folders: string[] = [];
  for (const name of (await orNull(fs.readdir(objects))) ?? []) {
    const folder = `${objects}/${name}`;
    if (!/^[0-9a-f]{2}$|^pack$/.test(name) || (await isYoung(folder)) === null) continue;
    folders.push(folder);
    for (const file of name === 'pack' ? [] : ((await orNull(fs.readdir(folder))) ?? [])) {
      const time = await isYoung(`${folder}/${file}`);
      if (time !== null) young.push({ path: `${folder}/${file}`, time });
    }
  }
  const newest = young.sort((a, b) => b.time - a.time).slice(0, MOST_OBJECTS);
  await eachDone(newest, ({ path }) => syncFile(fs, path).catch(whenGone));
  await eachDone([...folders, objects], folder => syncFolder(fs, folder).catch(whenGone));
}

/** Passes over a file that a git gc packed or removed meanwhile. */
function whenGone(error: unknown): void {
  if (!isMissing(error)) throw error;
}

/** Makes a published change durable in its own place, for those who want plain git alone to be enough. */
export async function syncInPlace(
  { fs, repo, store }: Context,
  { trail, index, landing }: Pick<Transaction, 'trail' | 'index' | 'landing'>,
  record: unknown,
): Promise<void> {
  const folders = [parentOf(refPath(repo, trail.ref)), ...(index || landing ? [repo.gitDir] : [])];
  const files = record === null ? undefined : store.sync?.([record]);
  await allDone<unknown>([files ?? Promise.resolve(), syncFolders(fs, folders)]);
}

/** Says that all is synced but the folders of a work tree that cannot be looked at. */
export class OutOfReach extends Error {}

/** Syncs the folders and indexes that the records are about, each once. */
export async function syncWorkTrees(context: Context, frames: readonly Frame<ChangeRecord>[]): Promise<void> {
  const failures: unknown[] = [];
  for (const group of byPlace(frames)) {
    const records = group.map(({ data }) => data);
    await syncWorkTree(context, records).catch(error => failures.push(error));
  }
  if (failures.length > 0) throw failures.find(error => !(error instanceof OutOfReach)) ?? failures[0];
}

async function syncWorkTree(context: Context, records: readonly ChangeRecord[]): Promise<void> {
  const place = await contextOfWorkTree(context, records[0]!).catch(error => {
    throw new OutOfReach('a work tree cannot be looked at', { cause: error });
  });
  if (!place) return;
  if (place.unseen !== undefined) throw new OutOfReach(place.unseen, { cause: new Error(place.unseen) });
  const stores = records.flatMap(({ store }) => (store === null ? [] : [store]));
  if (stores.length > 0) await place.store.sync?.(stores);
  if (!records.some(({ index, landing }) => index || landing)) return;
  await orNull(syncFile(context.fs, place.index.path));
  await orNull(syncFolder(context.fs, place.repo.gitDir));
}
