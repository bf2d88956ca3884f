/**
 * How a planned change reaches the disk. Until the ref moves nothing is visible and everything can be taken back; after
 * it nothing can fail any more: what is left to do is in the journal, and recovery does it if this process does not.
 */

import { EditError } from '../../errors.ts';
import { allDone, eachDone } from '../../fs/all-done.ts';
import { createFile, removeIfThere, syncFile } from '../../fs/durable.ts';
import { failureWords, onAnotherMount } from '../../fs/failures.ts';
import { errno, isMissing, orNull, type Stat } from '../../fs/fs.ts';
import { LockLost } from '../../fs/lock/engine-lock.ts';
import { releaseGitLocks, takeGitLocks, type WantedLock } from '../../git/git-locks.ts';
import { syncObjects, type Unsynced, writeObjects } from '../../git/objects/loose.ts';
import { refPath } from '../../git/refs/refs.ts';
import { NOTHING_STAGED, type Staged } from '../../stores/store.ts';
import { Look, pathName } from '../../wording.ts';
import { type Context, fromTrail, looseOf } from '../context.ts';
import { notifyFollowers } from '../events/change-watcher.ts';
import { makeFolders } from './engine-folder.ts';
import { goOn } from './going-on.ts';
import type { HeldLocks } from './held-locks.ts';
import { checkIdle } from './in-progress.ts';
import { indexHolds, publishIndex, readIndex, type StagedIndex, stageIndex } from './index-step.ts';
import { beginIfNone, cutRecord } from './journal/journal-end.ts';
import { makeRecord } from './journal/make-record.ts';
import { type ChangeRecord, checkSize, type IndexEdit } from './journal/record.ts';
import { syncInPlace } from './known-durable.ts';
import { removeLanding } from './landing/files.ts';
import { follow, markToFollow } from './landing/follow.ts';
import { linkable, lockContent, locksOf, removeOldLocks } from './locks.ts';
import { moveRef, refIsOld } from './ref-step.ts';
import type { Outcome, Transaction } from './transaction.ts';
import type { Turn } from './writer.ts';

/** Throws only when nothing was published. `held`: git's locks were taken before the planning. */
export async function publish(
  context: Context,
  transaction: Transaction,
  turn: Turn,
  held?: HeldLocks,
): Promise<Outcome> {
  const publication = new Publication(context, transaction, turn, held ?? null);
  let published = false;
  try {
    await publication.prepare();
    if (!(await publication.commit())) return { done: false };
    published = true;
  } catch (error) {
    // What an owner that lost its lock finds missing was taken away by the one who has it now.
    if (errno(error) === 'EXDEV') throw onAnotherMount(error);
    if (error instanceof EditError || (await turn.lock.isMine().catch(() => true))) throw error;
    throw new LockLost();
  } finally {
    if (!published) await publication.takeBack();
  }
  return { done: true, warnings: await publication.finish().finally(() => notifyFollowers(context)) };
}

class Publication {
  readonly #context: Context;
  readonly #tx: Transaction;
  readonly #turn: Turn;
  readonly #name: string;
  readonly #temp: string;
  #locks: WantedLock[] = [];
  #staged: Staged | null = null;
  #index: StagedIndex | null = null;
  /** The file of which the locks that were held before are links. */
  readonly #heldAs: string | null;
  /** The lock files that are ours to remove. */
  #held: string[];
  #data: ChangeRecord | null = null;
  #recorded = false;
  /** The endings of our own files in tmp/ that may be there. */
  readonly #written: string[] = [];
  /** True when a sync of the journal failed: the kernel may have dropped what it then says is written. */
  #distrusted = false;

  constructor(context: Context, transaction: Transaction, turn: Turn, held: HeldLocks | null) {
    this.#context = context;
    this.#tx = transaction;
    this.#turn = turn;
    this.#name = turn.name();
    this.#temp = `${context.folder}/tmp/${this.#name}`;
    this.#heldAs = held?.staged ?? null;
    this.#held = held?.paths.splice(0) ?? [];
  }

  /** Writes everything beside its place, appends the record, and waits once, until all of it is durable. */
  async prepare(): Promise<void> {
    const { writer, lock } = this.#turn;
    const objects = [...this.#tx.objects, ...this.#tx.exact];
    checkSize(objects);
    await writer.checkRoom(this.#context);
    await eachDone(objects, async one => one.deflate?.());
    await writer.known.make(this.#context, this.#tx.trail);
    const ref = await this.#stage();
    // Half an object that no record knows of would stay after a power cut.
    const unsynced = this.#context.durability === 'full' ? await this.#writeObjects(true) : null;
    await beginIfNone(this.#context, this.#turn);
    // Who was taken for dead meanwhile must not append behind somebody else's record.
    if (!(await lock.isMine())) throw new LockLost();
    this.#recorded = true;
    this.#data = await this.#record(ref);
    await writer.journal.append({ data: this.#data, objects });
    await allDone<unknown>(this.#syncs(unsynced));
    if (!unsynced) await this.#writeObjects(false);
  }

  /** Nothing of it is visible. Answers the ref's file as it is. */
  async #stage(): Promise<Stat | null> {
    const { fs, store, repo } = this.#context;
    const { trail, commit, changes, index } = this.#tx;
    this.#staged = changes.length > 0 ? await store.stage(changes, this.#name) : NOTHING_STAGED;
    if (commit !== null) await this.#write('-ref', new TextEncoder().encode(`${commit}\n`));
    const ref = await orNull(fs.lstat(refPath(repo, trail.ref)));
    const source = this.#heldAs ?? linkable(this.#context, trail.ref, ref);
    if (!source) await this.#write('-lock', lockContent(trail.oid));
    this.#locks = locksOf(this.#context, this.#tx, source ?? `${this.#temp}-lock`);
    if (index) this.#written.push('-index');
    if (index) this.#index = await this.#stageIndex(index);
    this.#written.push(...(await markToFollow(this.#context, this.#tx, this.#temp)));
    return ref;
  }

  /** The one wait. `objects`: written, and to be synced as well. */
  #syncs(objects: Unsynced | null): Promise<unknown>[] {
    const { fs } = this.#context;
    const { commit, index } = this.#tx;
    const journal = this.#turn.writer.journal.sync().catch(error => {
      this.#distrusted = true;
      throw error;
    });
    const syncs: Promise<unknown>[] = [journal, this.#staged!.sync()];
    if (index) syncs.push(syncFile(fs, `${this.#temp}-index`));
    if (objects) syncs.push(syncObjects(fs, objects));
    if (objects && commit !== null) syncs.push(syncFile(fs, `${this.#temp}-ref`));
    return syncs;
  }

  #record(ref: Stat | null): Promise<ChangeRecord> {
    return makeRecord(this.#context, this.#tx, {
      name: this.#name,
      temp: this.#temp,
      ref,
      lock: this.#locks[0]!.staged,
      store: this.#staged!.record,
    });
  }

  #write(ending: string, bytes: Uint8Array): Promise<void> {
    this.#written.push(ending);
    return createFile(this.#context.fs, this.#temp + ending, bytes, { sync: false });
  }

  #writeObjects(sync: boolean): Promise<Unsynced> {
    return writeObjects(looseOf(this.#context), this.#tx.objects, sync);
  }

  /** The staged file is what its path will hold. */
  #statOf(path: string): Stat | null {
    const own = fromTrail(this.#context, path);
    return own === null ? null : (this.#staged?.statOf?.(own) ?? null);
  }

  /** Git's locks, the last look under them, and the ref moves. False when somebody was faster. */
  async commit(): Promise<boolean> {
    const { fs, patience, repo } = this.#context;
    const waiting = { fs, commonDir: repo.commonDir, patience: patience.git };
    if (this.#held.length === 0) {
      const taken = takeGitLocks(this.#locks, waiting, () => refIsOld(this.#context, this.#tx.trail));
      // A ref that git packed meanwhile has no file to link.
      if (!(await taken.catch(error => !isMissing(error) && Promise.reject(error)))) return false;
      this.#held = this.#locks.map(lock => lock.path);
    }
    if (!(await this.#isUnchanged())) return false;
    if (this.#tx.act) await this.#tx.act(this.#name);
    else await this.#moveRef();
    return true;
  }

  /** Nothing that the change was planned on is another now, and the lock is still ours. */
  async #isUnchanged(): Promise<boolean> {
    if (!(await this.#turn.lock.isMine())) throw new LockLost();
    if (!(await refIsOld(this.#context, this.#tx.trail))) return false;
    if ((await this.#staged!.verify()).length > 0) return false;
    if (!this.#tx.index) return true;
    await checkIdle(this.#context);
    return indexHolds(await readIndex(this.#context), this.#tx.index);
  }

  async #moveRef(): Promise<void> {
    if (await moveRef(this.#context, this.#tx, `${this.#temp}-ref`))
      this.#written.splice(this.#written.indexOf('-ref'), 1);
  }

  /** An error here is a warning: the edit is made, and the next turn repairs what is open. */
  async finish(): Promise<string[]> {
    const { writer } = this.#turn;
    const { trail, commit } = this.#tx;
    writer.known.note(trail.ref, commit);
    const warnings: string[] = await writer.takeTold(this.#context).catch(() => []);
    let waiting: ReadonlyMap<string, string> = new Map();
    try {
      waiting = await this.#makeVisible();
      warnings.push(...waiting.values());
      await this.#staged!.settle();
      await this.#releaseLocks();
      if (this.#context.durability === 'full')
        await syncInPlace(this.#context, this.#tx, this.#staged!.record);
      await this.#discard();
    } catch (error) {
      await this.#releaseLocks().catch(() => {});
      writer.leaveUnfinished();
      warnings.push(
        `The edit is in history, but not everything behind it is finished (${failureWords(error)}); the next call finishes it.`,
      );
    }
    const lost = this.#staged!.skipped.filter(path => !waiting.has(path));
    const skipped = lost.map(
      path =>
        `${pathName(path)} was saved by somebody else in the same moment and holds their text; this edit of it is in history only. ${Look()} the file before editing it again.`,
    );
    return [...skipped, ...warnings];
  }

  /** Answers what is to be told of paths that are set aside. */
  async #makeVisible(): Promise<ReadonlyMap<string, string>> {
    const [{ trail, landing = null }, record] = [this.#tx, this.#data!];
    const told = await this.#staged!.publish().then(
      () => new Map<string, string>(),
      error => goOn(this.#context, this.#tx, record, error),
    );
    await this.#publishIndex();
    await follow(this.#context, { ref: trail.ref, landing, name: this.#name }, `${this.#temp}-index`);
    return told;
  }

  async #publishIndex(): Promise<void> {
    const { index } = this.#tx;
    if (!index || !this.#written.includes('-index')) return;
    const stage = (): Promise<StagedIndex> => this.#stageIndex(index);
    const publish = (): Promise<void> =>
      publishIndex(this.#context, this.#index!, `${this.#temp}-index`, stage);
    await publish().catch(async error => {
      if (!isMissing(error)) throw error;
      // Somebody removed the engine's folder. Without its index, the next plain commit would take the edit back.
      await makeFolders(this.#context);
      this.#index = await stage();
      await publish();
    });
    this.#written.splice(this.#written.indexOf('-index'), 1);
  }

  #stageIndex(index: readonly IndexEdit[]): Promise<StagedIndex> {
    return stageIndex(this.#context, index, `${this.#temp}-index`, path => this.#statOf(path));
  }

  /** Nothing was published: locks, record and staged files go, in that order. The record is cut off durably. */
  async takeBack(): Promise<void> {
    const { writer, lock } = this.#turn;
    const isMine = await lock.isMine().catch(() => false);
    await this.#releaseLocks().catch(() => writer.leaveUnfinished());
    // The record stays, and what lies staged tells whoever repairs that it was not published.
    if (this.#recorded && !isMine) return writer.leaveUnfinished();
    if (this.#recorded) await cutRecord(this.#context, this.#turn, this.#distrusted);
    await this.#staged?.discard().catch(() => {});
    await this.#discard().catch(() => {});
  }

  async #discard(): Promise<void> {
    await this.#staged?.discard();
    for (const one of this.#written.splice(0)) await removeIfThere(this.#context.fs, this.#temp + one);
    if (this.#tx.act) await removeLanding(this.#context, this.#name);
  }

  async #releaseLocks(): Promise<void> {
    if (this.#held.length > 0 && (await this.#turn.lock.isMine()))
      await releaseGitLocks(this.#context.fs, this.#held);
    else await removeOldLocks(this.#context, this.#tx.trail, this.#data?.lockInode ?? null, this.#held);
    this.#held = [];
  }
}
