/**
 * Makes what journal files hold durable in its own place, so that they can go: objects in one pack, refs, the folders
 * of files, the index. It needs no memory of the process that wrote them, and no lock: doing it twice, or beside living
 * writers, does no harm.
 */

import { EditError } from '../../errors.ts';
import { randomToken } from '../../fs/lock/processes.ts';
import type { Codec, EncodedObject } from '../../git/objects/object.ts';
import { type Context, packStoreOf } from '../context.ts';
import { collectIfDue } from './git-gc.ts';
import {
  endFailedCheckpoint,
  failedCheckpoint,
  failedCheckpointWords,
  noteFailedCheckpoint,
} from './journal/failed-checkpoint.ts';
import type { Frame, JournalFile } from './journal/frames.ts';
import type { Journal } from './journal/journal.ts';
import { type ChangeRecord, carriedObjects, checkedRecord } from './journal/record.ts';
import { OutOfReach, syncRef, syncWorkTrees, YOUNG_MS } from './known-durable.ts';
import { contextOfWorkTree } from './recovery/work-tree.ts';

/** The checkpoints of one journal in this process, one after another. */
export class Checkpoints {
  /** Names this process's files in tmp/, also when it does not hold the lock. */
  token: string = randomToken();
  readonly #journal: Journal<ChangeRecord>;
  #last: Promise<unknown> = Promise.resolve();

  constructor(journal: Journal<ChangeRecord>) {
    this.#journal = journal;
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
      .then(() => this.#journal.readAll())
      .then(files =>
        this.flush(
          context,
          files.filter(({ number }) => number <= last),
        ),
      )
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

  /**
   * With the lock held: settles all where that takes milliseconds. More is settled without the lock, so that nobody waits;
   * then true, and to be called again after `ended`. What others append meanwhile is theirs to settle.
   */
  async flushFew(context: Context, token: string, isFirst: boolean): Promise<boolean> {
    const isFew = this.#journal.count <= FEW;
    if (isFew && (await this.#journal.list()).length < 2) {
      await this.flushAll(context);
      return false;
    }
    if (isFirst && isFew) this.#begin(context, this.#journal.end!.file - 1);
    else if (isFirst) await this.roll(context, token, true);
    return isFirst;
  }

  /** Settles the whole journal, with the lock held: nobody appends meanwhile, so that no file has to stay. */
  async flushAll(context: Context): Promise<void> {
    await this.flush(context, await this.#journal.readAll());
  }

  /** `isSetAside`: what lies in a work tree that cannot be looked at does not need the files any more. */
  async flush(
    context: Context,
    files: readonly JournalFile<ChangeRecord>[],
    isSetAside = false,
  ): Promise<void> {
    let done = files;
    let failure: unknown = null;
    await this.#checkpoint(context, files).catch(async error => {
      if (!(error instanceof OutOfReach)) {
        this.isToAsk = true;
        await noteFailedCheckpoint(context, error, context.now()).catch(() => {});
        throw error;
      }
      if (isSetAside) return;
      failure = error.cause;
      done = await this.#written(files);
    });
    for (const { number } of done) await this.#journal.remove(number);
    for (const { number } of done) this.#packed.delete(number);
    if (!failure) await endFailedCheckpoint(context).catch(() => {});
    await collectIfDue(context).catch(() => {});
    if (failure && done.length < files.length) throw failure;
  }

  /** Returns what is to be told of one that failed, of this process or of one before it; once. */
  async takeFailure(context: Context): Promise<string[]> {
    this.isToAsk = false;
    const failure = await failedCheckpoint(context);
    return failure ? [failedCheckpointWords(failure)] : [];
  }

  /** True where one may have failed that nobody was told of. */
  isToAsk = true;

  /**
   * Throws STORE_FAILED where checkpoints fail and the journal has grown too large: the more it holds, the longer a plain git
   * would miss after a power cut, and the longer the repair takes. Another process may have failed before this one began.
   * `null` where none fails.
   */
  checkRoom(context: Context): Promise<void> | null {
    return this.#failures === 0 && this.#hasLooked ? null : this.#checkRoom(context);
  }

  async #checkRoom(context: Context): Promise<void> {
    this.#hasLooked = true;
    const failure = await failedCheckpoint(context);
    if (!failure || (await this.#journal.bytes()) <= MOST_UNFLUSHED) return;
    const message = `${failedCheckpointWords(failure)} It has over 64 MiB by now, so nothing more is edited until then.`;
    throw new EditError('STORE_FAILED', message, { cause: failure.code });
  }

  #hasLooked = false;

  /** Files whose objects are packed durably: the checkpoint that did it failed later. */
  readonly #packed = new Set<number>();

  /** Packs and syncs all that the files are about: then nothing in them is needed. Throws the error of what could not be synced. */
  async #checkpoint(context: Context, files: readonly JournalFile<ChangeRecord>[]): Promise<void> {
    const recorded = ({ records }: JournalFile<ChangeRecord>): Frame<ChangeRecord>[] =>
      records.filter(({ data }) => checkedRecord(data));
    const frames = files.flatMap(recorded);
    const unpacked = files.filter(({ number }) => !this.#packed.has(number));
    await packObjects(context, unpacked.flatMap(recorded), this.token);
    // Of the newest one, more may come.
    for (const { number } of unpacked) if (number !== this.#journal.number) this.#packed.add(number);
    await syncRefs(context, frames);
    await syncWorkTrees(context, frames);
  }

  /** Picks the oldest of the files, as far as the system has written by itself what they are about. */
  async #written(files: readonly JournalFile<ChangeRecord>[]): Promise<readonly JournalFile<ChangeRecord>[]> {
    const changed: number[] = [];
    for (const { number } of files) changed.push(await this.#journal.changedAt(number));
    const young = changed.findIndex(time => Date.now() - time < YOUNG_MS);
    return young === -1 ? files : files.slice(0, young);
  }

  /** Resolves when those that were begun have come to their end. */
  async ended(): Promise<void> {
    await this.#last;
  }
}

/** Records whose objects are packed with the lock held. */
const FEW = 16;

/** Milliseconds before a checkpoint that failed is tried again: twice as many each time, up to the second number. */
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 5 * 60_000;

/** Bytes of the journal while checkpoints fail. */
const MOST_UNFLUSHED = 64 * 1024 * 1024;

/** Makes one pack of every object of the frames, wherever else it lies: a git gc may be about to remove it there. */
async function packObjects(
  context: Context,
  frames: readonly Frame<ChangeRecord>[],
  token: string,
): Promise<void> {
  const store = packStoreOf(context, token);
  const [{ buildPack }, { removeLoose, storePack, sweepDrafts }] = await Promise.all([
    import('../../git/packs/build-pack.ts'),
    import('../../git/packs/store-pack.ts'),
  ]);
  const oids = new Set<string>();
  const made = await buildPack(context.codec, objectsOf(context.codec, frames, oids));
  if (oids.size > 0) await storePack(store, made);
  await removeLoose(store, oids);
  await sweepDrafts(store);
}

/** Yields the objects of the frames one after another: a large change has them in memory only deflated. */
async function* objectsOf(
  codec: Codec,
  frames: readonly Frame<ChangeRecord>[],
  oids: Set<string>,
): AsyncGenerator<EncodedObject> {
  for (const frame of frames)
    for await (const object of carriedObjects(codec, frame)) {
      oids.add(object.oid);
      yield object;
    }
}

async function syncRefs(context: Context, frames: readonly Frame<ChangeRecord>[]): Promise<void> {
  const refs = new Map(frames.map(({ data }) => [`${data.worktree} ${data.ref}`, data]));
  for (const data of refs.values()) {
    // Only HEAD is a work tree's own.
    const place = data.ref === 'HEAD' ? await contextOfWorkTree(context, data).catch(() => null) : null;
    await syncRef(place ?? context, data.ref);
  }
}
