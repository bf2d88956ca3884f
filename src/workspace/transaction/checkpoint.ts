/**
 * What journal files hold is made durable in its own place, so that they can go: objects in a pack, refs, the folders of
 * files, the index. It needs no memory of the process that wrote them, and no lock: doing it twice, or beside living
 * writers, does no harm.
 */

import { exists, syncFolder } from '../../fs/durable.ts';
import { orNull } from '../../fs/fs.ts';
import { randomToken } from '../../fs/lock/processes.ts';
import { parseCommit } from '../../git/objects/commit.ts';
import { loosePath } from '../../git/objects/loose.ts';
import type { Codec, EncodedObject } from '../../git/objects/object.ts';
import type { PackInput } from '../../git/packs/build-pack.ts';
import { letAllPacksGo } from '../../git/packs/collector.ts';
import { Pace } from '../../git/packs/pace.ts';
import { packFolder } from '../../git/packs/store-pack.ts';
import { isSameRepository } from '../../git/repository/repository.ts';
import { type Context, collectorOf, packStoreOf } from '../context.ts';
import type { Frame, JournalFile } from './journal/frames.ts';
import type { Journal } from './journal/journal.ts';
import { type ChangeRecord, carriedObjects, checkedRecord } from './journal/record.ts';
import { endUnsettled, noteUnsettled, unsettled, unsettledWords } from './journal/unsettled.ts';
import { OutOfReach, syncRef, syncWorkTrees, YOUNG_MS } from './known-durable.ts';
import { dropUnmade, releasePacks } from './large-change.ts';
import { placeOf } from './recovery/place.ts';
import { TreeVersions } from './tree-versions.ts';

/** The checkpoints of one journal in this process, one after another. */
export class Checkpoints {
  /** Names this process's files in tmp/, also when it does not hold the lock. */
  token: string = randomToken();
  readonly #journal: Journal<ChangeRecord>;
  readonly #giveWay: () => Promise<void>;
  #last: Promise<unknown> = Promise.resolve();

  /** `giveWay` is asked between two parts of work that nobody waits for. */
  constructor(journal: Journal<ChangeRecord>, giveWay: () => Promise<void>) {
    this.#journal = journal;
    this.#giveWay = giveWay;
  }

  /**
   * Goes on in a new file, with the lock held, and makes the old one durable in its own place without the lock. While an
   * earlier checkpoint runs, or has failed and is tried again, less and less often, a new file is begun only where the
   * present one is full.
   */
  async roll(context: Context, token: string, isFull: boolean): Promise<void> {
    const seal = this.#journal.end!;
    const isRolled = isFull || (this.#failures === 0 && this.#running === 0);
    if (isRolled)
      await this.#journal.begin({ boot: context.processes.self.boot, token, seal }, seal.file + 1);
    if (this.pause > 0 || (this.#running > 0 && !isRolled)) return;
    this.#begin(context, isRolled ? seal.file : seal.file - 1);
  }

  #begin(context: Context, last: number): void {
    this.#running++;
    this.#last = this.#last
      .then(() => this.#settleUpTo(context, last))
      .then(
        () => this.#note(0),
        () => this.#note(this.#failures + 1),
      );
  }

  /** Checkpoints that were begun and have not ended. */
  #running = 0;
  /** Checkpoints that failed since the last one that did not, and when the next one is tried (monotonic time). */
  #failures = 0;
  #next = 0;

  /** Milliseconds until a checkpoint is tried again that failed; 0 where none did. */
  get pause(): number {
    return this.#failures === 0 ? 0 : Math.max(0, this.#next - performance.now());
  }

  #note(failures: number): void {
    this.#running--;
    this.#failures = failures;
    this.#next =
      failures === 0 ? 0 : performance.now() + Math.min(FIRST_PAUSE * 2 ** failures, LONGEST_PAUSE);
  }

  async #settleUpTo(context: Context, last: number): Promise<void> {
    const files = (await this.#journal.readAll()).filter(file => file.number <= last);
    // Where the next one has been begun already, loose objects add up.
    const unhurried = { ...context, codec: this.#unhurried(context.codec, () => this.#running < 2) };
    await this.settle(unhurried, files);
    // Beside the next checkpoint: to join large packs takes seconds, in which loose objects would add up.
    this.#joining = Promise.all([this.#joining, this.join(context)]);
  }

  /** Gives way to edits while `mayWait`. */
  #unhurried(codec: Codec, mayWait: () => boolean): Codec {
    const { packing } = codec;
    if (!packing) return codec;
    const turn = async (): Promise<void> => {
      await packing.turn();
      if (mayWait()) await this.#giveWay();
    };
    return { ...codec, packing: { ...packing, turn } };
  }

  /**
   * With the lock held: settles all where that takes milliseconds. More is settled without the lock, so that nobody waits;
   * then true, and to be called again after `ended`. What others append meanwhile is theirs to settle.
   */
  async settleFew(context: Context, token: string, isFirst: boolean): Promise<boolean> {
    const isFew = this.#journal.count <= FEW;
    if (isFew && (await this.#journal.list()).length < 2) {
      await this.settleAll(context);
      return false;
    }
    if (isFirst && isFew) this.#begin(context, this.#journal.end!.file - 1);
    else if (isFirst) await this.roll(context, token, true);
    return isFirst;
  }

  /** With the lock held: nobody appends meanwhile, so that no file has to stay. */
  async settleAll(context: Context): Promise<void> {
    await this.settle(context, await this.#journal.readAll());
    await dropUnmade(context);
    await letAllPacksGo(collectorOf(context));
  }

  /** `isSetAside`: what lies in a work tree that cannot be looked at does not need the files any more. */
  async settle(
    context: Context,
    files: readonly JournalFile<ChangeRecord>[],
    isSetAside = false,
  ): Promise<void> {
    let done = files;
    let failure: unknown = null;
    this.#toJoin = true;
    await checkpoint(context, files, this.token).catch(async error => {
      if (!(error instanceof OutOfReach)) {
        this.#isToAsk = true;
        await noteUnsettled(context, error, context.now()).catch(() => {});
        throw error;
      }
      if (isSetAside) return;
      failure = error.cause;
      done = await this.#written(files);
    });
    for (const { number } of done) await this.#journal.remove(number);
    if (!failure) await endUnsettled(context).catch(() => {});
    if (failure && done.length < files.length) throw failure;
  }

  /** What is to be told of one that failed, of this process or of one before it; once. */
  async takeFailure(context: Context): Promise<string[]> {
    const failure = this.#isToAsk ? await unsettled(context) : null;
    this.#isToAsk = false;
    return failure ? [unsettledWords(failure)] : [];
  }

  #isToAsk = true;

  /** True when there may be packs that nobody has tried to join. */
  #toJoin = false;

  /** Joins packs that have added up. To be called without the lock, which may take seconds. */
  async join(context: Context): Promise<void> {
    if (!this.#toJoin || this.#isJoining) return;
    this.#toJoin = false;
    this.#isJoining = true;
    try {
      const { joinPacks } = await import('../../git/packs/join/join-packs.ts');
      const codec = this.#unhurried(context.codec, () => true);
      const store = packStoreOf({ ...context, codec }, this.token);
      await joinPacks({ ...store, processes: context.processes });
    } catch {
      // Many packs are slower to read, not wrong: the next checkpoint tries again.
    }
    this.#isJoining = false;
  }

  #isJoining = false;
  #joining: Promise<unknown> = Promise.resolve();

  /** The oldest of the files, as far as the system has written by itself what they are about. */
  async #written(files: readonly JournalFile<ChangeRecord>[]): Promise<readonly JournalFile<ChangeRecord>[]> {
    const changed: number[] = [];
    for (const { number } of files) changed.push(await this.#journal.changedAt(number));
    const young = changed.findIndex(time => Date.now() - time < YOUNG_MS);
    return young === -1 ? files : files.slice(0, young);
  }

  /** Makes durable in its own place what this process recorded in a journal file that somebody has removed since. */
  async rescue(context: Context): Promise<void> {
    const file = await this.#journal.readUnnamed();
    if (file && file.records.length > 0 && (await isSameRepository(context.repo)))
      await this.settle(context, [file]);
  }

  /** Resolves when those that were begun have come to their end. */
  async ended(): Promise<void> {
    await this.#last;
    await this.#joining;
  }
}

/** Records whose objects are packed with the lock held. */
const FEW = 16;

/** Milliseconds before a checkpoint that failed is tried again: twice as many each time, up to the second number. */
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 5 * 60_000;

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
  await releasePacks(
    context,
    frames.map(({ data }) => data),
    token,
  );
  await syncWorkTrees(context, frames);
}

async function packObjects(
  context: Context,
  frames: readonly Frame<ChangeRecord>[],
  token: string,
): Promise<void> {
  const store = packStoreOf(context, token);
  const { packAway } = await import('../../git/packs/pack-away.ts');
  await packAway(store, await packInputs(context, frames));
  // Objects that were packed before are durable when the names of their packs are.
  await orNull(syncFolder(context.fs, packFolder(store)));
}

/**
 * The objects that are not packed yet, oldest first, each with the version before it where that is known. Of a checkpoint
 * that failed when its pack was made, nothing is packed again.
 */
async function packInputs(context: Context, frames: readonly Frame<ChangeRecord>[]): Promise<PackInput[]> {
  const { codec, objects } = context;
  const pace = codec.packing && new Pace(codec.packing);
  const versions = new TreeVersions(objects);
  const inputs: PackInput[] = [];
  for (const frame of frames) {
    const carried = await carriedObjects(codec, frame);
    // Most of them are asked for again, as what the next commit replaced.
    for (const object of carried) if (object.type !== 'blob') objects.remember(object);
    const commits = carried.filter(({ type }) => type === 'commit');
    for (const commit of commits) await versions.add(parentOf(commit), commit).catch(() => {});
    for (const { oid, type, content } of carried)
      if (!(await isPackedOnly(context, oid)))
        inputs.push({ oid, type, content, base: versions.before(oid) });
    if (pace?.isDue) await pace.turn();
  }
  return inputs;
}

async function isPackedOnly({ fs, repo, objects }: Context, oid: string): Promise<boolean> {
  return !(await exists(fs, loosePath(`${repo.commonDir}/objects`, oid))) && (await objects.isPacked(oid));
}

/** Reads a commit's first parent; `null` where it has none, or is not a commit. */
function parentOf({ content }: EncodedObject): string | null {
  try {
    return parseCommit(content).parents[0] ?? null;
  } catch {
    return null;
  }
}

async function syncRefs(context: Context, frames: readonly Frame<ChangeRecord>[]): Promise<void> {
  const refs = new Map(frames.map(({ data }) => [`${data.worktree} ${data.ref}`, data]));
  for (const data of refs.values()) {
    // Only HEAD is a work tree's own.
    const place = data.ref === 'HEAD' ? await placeOf(context, data).catch(() => null) : null;
    await syncRef(place ?? context, data.ref);
  }
}
