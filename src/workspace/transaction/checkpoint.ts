/**
 * What journal files hold is made durable in its own place, so that they can go: objects in a pack, refs, the folders of
 * files, the index. It needs no memory of the process that wrote them, and no lock: doing it twice, or beside living
 * writers, does no harm.
 */

import { letAllPacksGo } from '../../git/collector.ts';
import { syncFile, syncFolder } from '../../git/durable.ts';
import { orNull } from '../../git/fs.ts';
import type { Journal } from '../../git/journal.ts';
import type { Frame, JournalFile } from '../../git/journal-frames.ts';
import { randomToken } from '../../git/lock/processes.ts';
import { parseCommit } from '../../git/objects/commit.ts';
import type { EncodedObject } from '../../git/objects/object.ts';
import type { PackInput } from '../../git/packs/build-pack.ts';
import { Pace } from '../../git/packs/pace.ts';
import { type Context, collectorOf, packStoreOf } from '../context.ts';
import { syncRef } from './known-durable.ts';
import { releasePacks } from './large-change.ts';
import { placeOf } from './place.ts';
import { type ChangeRecord, carriedObjects, checkedRecord } from './record.ts';
import { TreeVersions } from './tree-versions.ts';

/** The checkpoints of one journal in this process, one after another. */
export class Checkpoints {
  /** Names this process's files in tmp/, also when it does not hold the lock. */
  token: string = randomToken();
  readonly #journal: Journal<ChangeRecord>;
  #last: Promise<unknown> = Promise.resolve();

  constructor(journal: Journal<ChangeRecord>) {
    this.#journal = journal;
  }

  /** Goes on in a new file, with the lock held, and makes the old one durable in its own place without the lock. */
  async roll(context: Context, token: string): Promise<void> {
    const seal = this.#journal.end!;
    await this.#journal.begin({ boot: context.processes.self.boot, token, seal }, seal.file + 1);
    this.#last = this.#last.then(() => this.#settleUpTo(context, seal.file)).catch(() => {});
  }

  async #settleUpTo(context: Context, last: number): Promise<void> {
    const files = (await this.#journal.readAll()).filter(file => file.number <= last);
    await this.settle(context, files);
  }

  /** With the lock held: nobody appends meanwhile, so that no file has to stay. */
  async settleAll(context: Context): Promise<void> {
    await this.settle(context, await this.#journal.readAll());
    await letAllPacksGo(collectorOf(context));
  }

  async settle(context: Context, files: readonly JournalFile<ChangeRecord>[]): Promise<void> {
    await checkpoint(context, files, this.token);
    for (const { number } of files) await this.#journal.remove(number);
  }

  /** Resolves when those that were begun have come to their end. */
  async ended(): Promise<void> {
    await this.#last;
  }
}

/** After this returns, nothing in the files is needed any more. Throws the error of what could not be synced. */
async function checkpoint(
  context: Context,
  files: readonly JournalFile<ChangeRecord>[],
  token: string,
): Promise<void> {
  const frames = files.flatMap(file => file.records).filter(({ data }) => checkedRecord(data));
  if (frames.length === 0) return;
  await packObjects(context, frames, token);
  await syncRefs(context, frames);
  await syncWorkTrees(context, frames);
  await releasePacks(
    context,
    frames.map(({ data }) => data),
    token,
  );
}

async function packObjects(
  context: Context,
  frames: readonly Frame<ChangeRecord>[],
  token: string,
): Promise<void> {
  const store = packStoreOf(context, token);
  const [{ packAway }, { joinPacks }] = await Promise.all([
    import('../../git/packs/pack-away.ts'),
    import('../../git/packs/join-packs.ts'),
  ]);
  await packAway(store, await packInputs(context, frames));
  // Many packs are slower to read, not wrong: the next checkpoint tries again.
  await joinPacks({ ...store, processes: context.processes }).catch(() => {});
}

/** The objects oldest first, each with the version before it where that is known. */
async function packInputs(context: Context, frames: readonly Frame<ChangeRecord>[]): Promise<PackInput[]> {
  const { codec, objects } = context;
  const pace = codec.packing && new Pace(codec.packing);
  const versions = new TreeVersions(objects);
  const inputs: PackInput[] = [];
  for (const frame of frames) {
    const carried = await carriedObjects(codec, frame);
    const commits = carried.filter(({ type }) => type === 'commit');
    for (const commit of commits) await versions.add(parentOf(commit), commit).catch(() => {});
    for (const { oid, type, content } of carried)
      inputs.push({ oid, type, content, base: versions.before(oid) });
    if (pace?.isDue) await pace.turn();
  }
  return inputs;
}

/** What is no commit has none. */
function parentOf({ content }: EncodedObject): string | null {
  try {
    return parseCommit(content).parents[0] ?? null;
  } catch {
    return null;
  }
}

async function syncRefs(context: Context, frames: readonly Frame<ChangeRecord>[]): Promise<void> {
  const refs = new Map(frames.map(({ data }) => [`${data.worktree} ${data.ref}`, data]));
  for (const data of refs.values()) await syncRef((await placeOf(context, data)) ?? context, data.ref);
}

/** Each folder and each index once, however many records are about it. */
async function syncWorkTrees(context: Context, frames: readonly Frame<ChangeRecord>[]): Promise<void> {
  const groups = new Map<string, ChangeRecord[]>();
  for (const { data } of frames) {
    const key = JSON.stringify([data.worktree, data.prefix]);
    groups.set(key, [...(groups.get(key) ?? []), data]);
  }
  for (const records of groups.values()) {
    const place = await placeOf(context, records[0]!);
    if (!place) continue;
    const stores = records.flatMap(({ store }) => (store === null ? [] : [store]));
    if (stores.length > 0) await place.store.sync?.(stores);
    if (!records.some(({ index, landing }) => index || landing)) continue;
    await orNull(syncFile(context.fs, place.index.path));
    await orNull(syncFolder(context.fs, place.repo.gitDir));
  }
}
