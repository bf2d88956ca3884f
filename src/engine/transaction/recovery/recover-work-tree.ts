/** The files and the index of one work tree after a crash: what recovery does there when it knows what became of the refs. */

import { createFile, exists, removeIfThere } from '../../../fs/durable.ts';
import { isPassing } from '../../../fs/fs.ts';
import { type Boot, decideIndex, type IndexEntry, type Version } from '../../../fs/recovery-rules.ts';
import { releaseGitLocks, takeGitLocks } from '../../../git/git-locks.ts';
import { parseCommit } from '../../../git/objects/commit.ts';
import { parseObject } from '../../../git/objects/object.ts';
import { lookup } from '../../../git/objects/tree.ts';
import { readRef } from '../../../git/refs/refs.ts';
import { stillStaged } from '../../../stores/disk/recover.ts';
import { evidenceOf } from '../../../stores/disk/staged-file.ts';
import type { Recovery } from '../../../stores/store.ts';
import type { Context } from '../../context.ts';
import { indexEntry, writeIndexEntries } from '../index-step.ts';
import type { Frame } from '../journal/frames.ts';
import { type ChangeRecord, type IndexEdit, inflated, type Side } from '../journal/record.ts';
import { lockContent } from '../locks.ts';
import { contextOfWorkTree, follow, isToFollow, type WorkTreeContext } from './work-tree.ts';

type Whole = Frame<ChangeRecord>;

interface Recovering {
  isOut(one: Whole): boolean;
  /** The paths that wait, where the records are of what was set aside: nothing else is touched. */
  aside?: ReadonlySet<string>;
}

/** The words that people have to be told, and the paths that could not be finished, with what stood in the way. */
export interface RecoveredWorkTree {
  told: string[];
  left: ReadonlyMap<string, unknown>;
}

/**
 * Finishes what the records of one work tree describe, oldest first, and gives up those that are out: they were not
 * published, or somebody moved on without them.
 */
export async function recoverWorkTree(
  context: Context,
  boot: Boot,
  group: readonly Whole[],
  { isOut, aside }: Recovering,
): Promise<RecoveredWorkTree> {
  const left = new Map<string, unknown>();
  const told: string[] = [];
  const kept = (path: string, at: string): void =>
    void told.push(
      `what somebody wrote into ${path} in the moment in which it was replaced is kept in ${at}: the process that replaced it was ended then`,
    );
  const place = await contextOfWorkTree(context, group[0]!.data);
  if (!place) return { told: [], left };
  const records = group.filter(one => !isOut(one));
  if (place.unseen !== undefined) {
    // After a restart of the machine any of the files may be out of place; after a kill, those that still lie staged.
    const open =
      boot === 'other'
        ? pathsOf(records, place)
        : await stillStaged(place.fs, `${place.folder}/tmp`, storesOf(records));
    for (const path of open) left.set(path, place.unseen);
  } else
    for (const one of group.filter(isOut))
      if (one.data.store !== null) await place.store.drop?.(one.data.store, kept);
  const changes = records.map(({ data }) => data);
  const heads = new Heads(context, place, changes);
  const stores = storesOf(records);
  const recovery: Recovery = {
    boot,
    blob: version => blobOf(context, records, version),
    isCurrent: async path => (aside?.has(path) ?? true) && heads.isCurrent(place.prefix + path),
    left: (path, error) => left.set(path, error),
    kept,
    isAside: aside !== undefined,
  };
  const isToDo = stores.length > 0 && place.unseen === undefined;
  const lost = isToDo ? await recoverStore(place, stores, recovery, aside ?? pathsOf(records, place)) : [];
  if (!aside) await recoverIndex(place, boot, changes, heads);
  for (const path of lost)
    told.push(
      `${path} was missing and is made again: a power cut may have taken it. If somebody deleted it, delete it again`,
    );
  return { told, left };
}

function storesOf(records: readonly Whole[]): unknown[] {
  return records.flatMap(({ data }) => (data.store === null ? [] : [data.store]));
}

function pathsOf(records: readonly Whole[], { prefix }: WorkTreeContext): ReadonlySet<string> {
  return new Set(records.flatMap(({ data }) => data.paths).map(({ path }) => path.slice(prefix.length)));
}

/** Recovers the store and returns what it answers; where the store fails as a whole, every path waits. */
async function recoverStore(
  { store }: WorkTreeContext,
  stores: readonly unknown[],
  recovery: Recovery,
  paths: Iterable<string>,
): Promise<string[]> {
  try {
    return await store.recover(stores, recovery);
  } catch (error) {
    if (isPassing(error)) throw error;
    for (const path of paths) recovery.left!(path, error);
    return [];
  }
}

async function blobOf(
  { objects }: Context,
  records: readonly Whole[],
  version: string,
): Promise<Uint8Array | null> {
  const found = await objects.readOrNull(version).catch(() => null);
  if (found) return found.content;
  const carried = records.flatMap(one => one.objects).find(one => one.oid === version);
  const stored = carried && (await inflated(objects.codec, carried.deflated));
  return stored && stored !== 'too much' ? (parseObject(stored)?.content ?? null) : null;
}

/** Looks up what the refs hold now at the paths that the records name. */
class Heads {
  readonly #context: Context;
  readonly #place: WorkTreeContext;
  readonly #last = new Map<string, { ref: string; after: Side }>();
  /** The commit of the last record of each ref, and where the ref is now. */
  readonly #newest = new Map<string, string | null>();
  readonly #refs = new Map<string, Promise<{ oid: string | null; tree: string | null }>>();

  constructor(context: Context, place: WorkTreeContext, records: readonly ChangeRecord[]) {
    this.#context = context;
    this.#place = place;
    for (const { ref, paths, new: oid } of records) {
      this.#newest.set(ref, oid);
      for (const { path, after } of paths) this.#last.set(path, { ref, after });
    }
  }

  /** False where somebody's commit or reset says otherwise than the last record of the path. */
  async isCurrent(path: string): Promise<boolean> {
    const others = await this.others(path);
    const after = this.#last.get(path)?.after ?? null;
    return others === null || (others.head?.version === after?.oid && others.head?.mode === after?.mode);
  }

  /** Answers the file that somebody's commit has at the path; `null` where the ref is still on the commit of its last record. */
  async others(path: string): Promise<{ head: Version } | null> {
    const last = this.#last.get(path);
    if (!last) return { head: null };
    const { oid, tree } = await this.#at(last.ref);
    if (oid === this.#newest.get(last.ref)) return null;
    return { head: asVersion(tree ? await lookup(this.#context.objects, tree, path) : null) };
  }

  #at(ref: string): Promise<{ oid: string | null; tree: string | null }> {
    const known = this.#refs.get(ref) ?? this.#read(ref);
    this.#refs.set(ref, known);
    return known;
  }

  async #read(ref: string): Promise<{ oid: string | null; tree: string | null }> {
    const oid = await readRef(this.#place.repo, ref);
    return { oid, tree: oid && parseCommit((await this.#context.objects.read(oid)).content).tree };
  }
}

async function recoverIndex(
  place: WorkTreeContext,
  boot: Boot,
  records: readonly ChangeRecord[],
  heads: Heads,
): Promise<void> {
  const changed = records.filter(record => record.index !== null);
  for (const record of records) {
    if (!record.landing || (boot === 'same' && !(await isToFollow(place, record)))) continue;
    await withIndexLock(place, record.name, temp => follow(place, record, temp));
  }
  if (changed.length === 0) return;
  const stale = await staleEntries(place, boot, changed, heads);
  const last = changed.at(-1)!;
  if (stale.length > 0) await withIndexLock(place, last.name, temp => writeIndexEntries(place, stale, temp));
  await removeIfThere(place.fs, `${place.folder}/tmp/${last.name}-index`);
}

async function staleEntries(
  place: WorkTreeContext,
  boot: Boot,
  records: readonly ChangeRecord[],
  heads: Heads,
): Promise<IndexEdit[]> {
  const index = await place.index.read();
  const last = records.at(-1)!;
  const entries: Record<string, { present: Version; others: { head: Version } | null }> = {};
  for (const { index: own } of records) {
    for (const { path } of own!.entries)
      entries[path] = { present: asVersion(indexEntry(index, path)), others: await heads.others(path) };
  }
  const stale = decideIndex({
    boot,
    records: records.map(({ index: own }) => ({ ...own!, entries: own!.entries.map(asRule) })),
    publication: 'published',
    present: evidenceOf(await place.fs.lstat(place.index.path)),
    isStaged: await exists(place.fs, `${place.folder}/tmp/${last.name}-index`),
    entries,
  });
  return stale.map(({ path, before, after }) => ({ path, before: asSide(before), after: asSide(after) }));
}

const asVersion = (side: Side): Version => side && { version: side.oid, mode: side.mode };
const asSide = (version: Version): Side => version && { oid: version.version, mode: version.mode };
const asRule = ({ path, before, after }: IndexEdit): IndexEntry => {
  return { path, before: asVersion(before), after: asVersion(after) };
};

async function withIndexLock(
  place: WorkTreeContext,
  name: string,
  write: (temp: string) => Promise<void>,
): Promise<void> {
  const { fs, folder, repo } = place;
  const staged = `${folder}/tmp/${name}-again`;
  const temp = `${staged}-index`;
  for (const one of [staged, temp]) await removeIfThere(fs, one);
  // Synced: by what it holds the next repair tells whose the lock is, if this one dies.
  await createFile(fs, staged, lockContent(null));
  const lock = { path: `${repo.gitDir}/index.lock`, staged };
  await takeGitLocks([lock], { fs, commonDir: repo.commonDir, patience: place.patience.git });
  try {
    await write(temp);
  } finally {
    await releaseGitLocks(fs, [lock.path]);
    await removeIfThere(fs, staged);
  }
}
