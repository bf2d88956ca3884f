/**
 * Brings a planned change to the disk. Until the ref moves nothing is visible and everything can be taken back. After it
 * nothing is refused: what fails then is told as a warning, and is set aside for its path (aside/) or left to recovery, which
 * finds in the journal what to do.
 */

import { utf8 } from '../../bytes.ts';
import { EditError } from '../../errors.ts';
import { allDone, nextTurn } from '../../fs/all-done.ts';
import { createFile, removeIfThere, syncFile } from '../../fs/durable.ts';
import { failureWords, onAnotherMount } from '../../fs/failures.ts';
import { errno, isMissing, type Stat } from '../../fs/fs.ts';
import { LockLost } from '../../fs/lock/engine-lock.ts';
import { releaseGitLocks, takeGitLocks, type WantedLock } from '../../git/git-locks.ts';
import { syncObjects, type Unsynced, writeObjects } from '../../git/objects/loose.ts';
import type { EncodedObject } from '../../git/objects/object.ts';
import { appendReflog, reflogPaths } from '../../git/refs/reflog.ts';
import { followRef, readHead, readRef, refPath } from '../../git/refs/refs.ts';
import { worktreeMade } from '../../git/repository/worktrees.ts';
import { evidenceOf } from '../../stores/disk/staged-file.ts';
import { NOTHING_STAGED, type Staged } from '../../stores/store.ts';
import { Look, pathName } from '../../wording.ts';
import { type Context, fromTrail } from '../context.ts';
import { setAsideUnplaced } from './aside/asides.ts';
import { notifyFollowers } from './change-watcher.ts';
import { checkIdle } from './in-progress.ts';
import { indexHolds, publishIndex, type StagedIndex, stageIndex } from './index-step.ts';
import { beginIfNone, cutRecord } from './journal/journal-end.ts';
import { type ChangeRecord, checkSize, type IndexEdit } from './journal/record.ts';
import { syncInPlace } from './known-durable.ts';
import { checkPlaces, linkable, lockContent, removeOldLocks, wantedLocks } from './locks.ts';
import { follow, markToFollow } from './recovery/work-tree.ts';
import type { Outcome, Transaction } from './transaction.ts';
import type { LockLease } from './writer.ts';

/**
 * Publishes what is planned, in the order of the write protocol. Throws only when nothing was published. `meanwhile` is called
 * while the disk syncs; where it throws, nothing is published.
 */
export async function publish(
  context: Context,
  transaction: Transaction,
  turn: LockLease,
  meanwhile: () => void = () => {},
): Promise<Outcome> {
  await checkPlaces(context, transaction.trail);
  const publication = new Publication(context, transaction, turn);
  let isPublished = false;
  try {
    await publication.stage();
    await publication.record();
    await publication.sync(meanwhile);
    await publication.writeObjects();
    if (!(await publication.takeLocks()) || !(await publication.isUnchanged())) return { done: false };
    await publication.moveRef();
    isPublished = true;
  } catch (error) {
    if (errno(error) === 'EXDEV') throw onAnotherMount(error);
    // What an owner that lost its lock finds missing was taken away by the one who has it now.
    if (error instanceof EditError || (await turn.lock.isMine().catch(() => true))) throw error;
    throw new LockLost();
  } finally {
    if (!isPublished) await publication.abandon();
  }
  try {
    return { done: true, warnings: await publication.finish() };
  } finally {
    await notifyFollowers(context);
  }
}

class Publication {
  readonly #context: Context;
  readonly #tx: Transaction;
  readonly #turn: LockLease;
  readonly #name: string;
  readonly #temp: string;
  /** The ref's file as it was before anything was staged. */
  #ref: Stat | null = null;
  #locks: WantedLock[] = [];
  #staged: Staged = NOTHING_STAGED;
  #index: StagedIndex | null = null;
  /** The lock files that are ours to remove. */
  readonly #held: string[] = [];
  #data: ChangeRecord | null = null;
  #recorded = false;
  /** The endings of our own files in tmp/ that may be there. */
  readonly #written = new Set<string>();
  /** True when a sync of the journal failed: the kernel may have dropped what it then says is written. */
  #distrusted = false;
  /** Objects that are written and not synced, where everything is synced at once. */
  #unsynced: Unsynced | null = null;
  /** All that the record holds. */
  readonly #objects: readonly EncodedObject[];

  constructor(context: Context, transaction: Transaction, turn: LockLease) {
    this.#context = context;
    this.#tx = transaction;
    this.#turn = turn;
    this.#name = turn.name();
    this.#temp = `${context.folder}/tmp/${this.#name}`;
    this.#objects = [...transaction.objects, ...transaction.exact];
  }

  /** Writes everything beside its place. Nothing of it is visible. */
  async stage(): Promise<void> {
    const { fs, store, repo } = this.#context;
    const { trail, commit, changes, index, landing } = this.#tx;
    const { known, checkpoints } = this.#turn.writer;
    checkSize(this.#objects);
    await checkpoints.checkRoom(this.#context);
    for (const one of this.#objects) if (one.deflate) await one.deflate();
    await known.make(this.#context, trail);
    if (changes.length > 0) this.#staged = await store.stage(changes, this.#name);
    await this.#write('-ref', utf8(`${commit}\n`));
    this.#ref = await fs.lstat(refPath(repo, trail.ref));
    const source = linkable(this.#context, trail.ref, this.#ref);
    if (!source) await this.#write('-lock', lockContent(trail.oid));
    this.#locks = wantedLocks(this.#context, trail, source ?? `${this.#temp}-lock`);
    if (index) {
      this.#written.add('-index');
      this.#index = await this.#stageIndex(index);
    }
    if (landing) this.#written.add(await markToFollow(this.#context, this.#temp));
    // Half an object that no record knows of would stay after a power cut.
    if (this.#context.durability === 'full') await this.writeObjects();
  }

  /** Appends the record: all that is needed to do the change again, and how what it is about looked on the disk. */
  async record(): Promise<void> {
    const { fs, repo, prefix, index: file } = this.#context;
    const { trail, commit, paths, index, exact, landing = null } = this.#tx;
    const { writer, lock } = this.#turn;
    if (writer.journal.number === null) await beginIfNone(this.#context, this.#turn);
    // Who was taken for dead meanwhile must not append behind somebody else's record.
    if (!(await lock.isMine())) throw new LockLost();
    this.#recorded = true;
    const ref = this.#ref;
    const isLoose = ref?.type === 'file' || trail.oid === null;
    const { staged } = this.#locks[0]!;
    const held = staged === refPath(repo, trail.ref) ? ref : await fs.lstat(staged);
    this.#data = {
      name: this.#name,
      worktree: repo.worktree,
      ...(repo.worktree === null ? {} : { worktreeMade: (await worktreeMade(fs, repo.gitDir)) ?? '0 0' }),
      prefix,
      ref: trail.ref,
      old: trail.oid,
      new: commit,
      refBefore: evidenceOf(isLoose ? ref : await fs.lstat(`${repo.commonDir}/packed-refs`)),
      refStaged: evidenceOf(await fs.lstat(`${this.#temp}-ref`)),
      lockInode: String(held?.ino ?? 0),
      store: this.#staged.record,
      paths: [...paths],
      index: index && {
        entries: index,
        was: evidenceOf(await fs.lstat(file.path)),
        staged: evidenceOf(await fs.lstat(`${this.#temp}-index`))!,
      },
      landing,
      exact: exact.map(({ oid }) => oid),
    };
    await writer.journal.append({ data: this.#data, objects: this.#objects });
  }

  /** Waits, the only time, until record, staged files and staged index are durable. */
  async sync(meanwhile: () => void): Promise<void> {
    const { fs } = this.#context;
    const journal = this.#turn.writer.journal.sync().catch(error => {
      this.#distrusted = true;
      throw error;
    });
    const syncs: Promise<unknown>[] = [journal, this.#staged.sync()];
    if (this.#index) syncs.push(syncFile(fs, `${this.#temp}-index`));
    if (this.#unsynced) syncs.push(syncObjects(fs, this.#unsynced), syncFile(fs, `${this.#temp}-ref`));
    await allDone([...syncs, nextTurn().then(meanwhile)]);
  }

  /** Writes the objects once; where everything is to be durable in its own place, synced, before the record. */
  async writeObjects(): Promise<void> {
    const isFull = this.#context.durability === 'full';
    this.#unsynced ??= await writeObjects(this.#context.loose, this.#tx.objects, isFull);
  }

  #write(ending: string, bytes: Uint8Array): Promise<unknown> {
    this.#written.add(ending);
    return createFile(this.#context.fs, this.#temp + ending, bytes, { sync: false });
  }

  /** Takes git's locks. False when the ref moved meanwhile. */
  async takeLocks(): Promise<boolean> {
    const { fs, patience, repo } = this.#context;
    const waiting = { fs, commonDir: repo.commonDir, patience: patience.git };
    const goesOn = (): Promise<boolean> => this.#refIsOld();
    try {
      if (!(await takeGitLocks(this.#locks, waiting, goesOn))) return false;
    } catch (error) {
      // A ref that git packed meanwhile has no file to link.
      if (isMissing(error)) return false;
      throw error;
    }
    for (const { path } of this.#locks) this.#held.push(path);
    return true;
  }

  /** The last look: nothing that the change was planned on is another now, and the lock is still ours. */
  async isUnchanged(): Promise<boolean> {
    if (!(await this.#turn.lock.isMine())) throw new LockLost();
    if (!(await this.#refIsOld())) return false;
    if ((await this.#staged.verify()).length > 0) return false;
    if (!this.#tx.index) return true;
    await checkIdle(this.#context);
    return indexHolds(await this.#context.index.read(), this.#tx.index);
  }

  /** HEAD matters only where it is part of the trail: a trail beside the branch does not care about a checkout. */
  async #refIsOld(): Promise<boolean> {
    const { repo } = this.#context;
    const { trail } = this.#tx;
    if (!trail.checkedOut) return (await followRef(repo, trail.ref)).oid === trail.oid;
    const head = await readHead(repo);
    return (head.ref ?? 'HEAD') === trail.ref && head.oid === trail.oid;
  }

  /** THE MOMENT OF THE EDIT. An error of the rename leaves open whether it happened: the ref itself tells. */
  async moveRef(): Promise<void> {
    const { fs, repo } = this.#context;
    const { trail, commit, committer, summary } = this.#tx;
    const logs = await reflogPaths(fs, repo, trail.ref, trail.checkedOut);
    if (logs.length > 0)
      await appendReflog(fs, logs, { old: trail.oid, new: commit, committer: committer(), message: summary });
    try {
      await fs.rename(`${this.#temp}-ref`, refPath(repo, trail.ref));
      this.#written.delete('-ref');
    } catch (error) {
      if ((await readRef(repo, trail.ref).catch(() => null)) !== commit) throw error;
    }
  }

  /** Puts the files in place. An error here is a warning: the edit is made, and the next turn repairs what is open. */
  async finish(): Promise<string[]> {
    const { writer } = this.#turn;
    const { trail, commit } = this.#tx;
    writer.known.note(trail.ref, commit);
    const warnings: string[] = writer.hasNotices
      ? await writer.takeNotices(this.#context).catch(() => [])
      : [];
    /** By path, what is told of those that are set aside. */
    let waiting: ReadonlyMap<string, string> = new Map();
    try {
      await this.#staged.publish().catch(async error => {
        waiting = await setAsideUnplaced(this.#context, this.#data!, this.#tx, error);
      });
      warnings.push(...waiting.values());
      if (this.#tx.index) await this.#publishIndex(this.#tx.index);
      if (this.#data!.landing) await follow(this.#context, this.#data!, `${this.#temp}-index`);
      await this.#staged.settle();
      await this.#releaseLocks();
      if (this.#context.durability === 'full')
        await syncInPlace(this.#context, this.#tx, this.#staged.record);
      await this.#discard();
    } catch (error) {
      await this.#releaseLocks().catch(() => {});
      writer.leaveUnfinished();
      warnings.push(
        `The edit is in history, but not everything behind it is finished (${failureWords(error)}); the next call finishes it.`,
      );
    }
    const lost = this.#staged.skipped.filter(path => !waiting.has(path));
    const skipped = (path: string): string =>
      `${pathName(path)} was saved by somebody else in the same moment and holds their text; this edit of it is in history only. ${Look()} the file before editing it again.`;
    return [...lost.map(skipped), ...warnings];
  }

  /** Puts the index in place. An owner that lost its lock leaves it to whoever took that, where there are edits since. */
  async #publishIndex(index: readonly IndexEdit[]): Promise<void> {
    const { trail, commit } = this.#tx;
    const stage = async (): Promise<StagedIndex> => {
      const isMine = await this.#turn.lock.isMine();
      if (!isMine && (await readRef(this.#context.repo, trail.ref)) !== commit) throw new LockLost();
      return this.#stageIndex(index);
    };
    await publishIndex(this.#context, this.#index!, `${this.#temp}-index`, stage).catch(error => {
      if (!(error instanceof LockLost)) throw error;
    });
    this.#written.delete('-index');
  }

  /** Stages the index. An entry gets the stat of the staged file, which its path will hold. */
  #stageIndex(index: readonly IndexEdit[]): Promise<StagedIndex> {
    return stageIndex(this.#context, index, `${this.#temp}-index`, path => {
      const own = fromTrail(this.#context, path);
      return own === null ? null : (this.#staged.statOf?.(own) ?? null);
    });
  }

  /** Takes back what was not published: locks, record and staged files go, in that order. The record is cut off durably. */
  async abandon(): Promise<void> {
    const { writer, lock } = this.#turn;
    const isMine = await lock.isMine().catch(() => false);
    await this.#releaseLocks().catch(() => writer.leaveUnfinished());
    // The record stays, and what lies staged tells whoever repairs that it was not published.
    if (this.#recorded && !isMine) return writer.leaveUnfinished();
    if (this.#recorded) await cutRecord(this.#context, this.#turn, this.#distrusted);
    await this.#staged.discard().catch(() => {});
    await this.#discard().catch(() => {});
  }

  async #discard(): Promise<void> {
    await this.#staged.discard();
    for (const one of this.#written) await removeIfThere(this.#context.fs, this.#temp + one);
    this.#written.clear();
  }

  async #releaseLocks(): Promise<void> {
    if (this.#held.length > 0 && (await this.#turn.lock.isMine()))
      await releaseGitLocks(this.#context.fs, this.#held);
    else await removeOldLocks(this.#context, this.#tx.trail, this.#data?.lockInode ?? null, this.#held);
    this.#held.length = 0;
  }
}
