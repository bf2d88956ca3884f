/**
 * How a planned change reaches the disk. Until the ref moves nothing is visible and everything can be taken back; after
 * it nothing can fail any more: what is left to do is in the journal, and recovery does it if this process does not.
 */

import { EditError } from '../../errors.ts';
import { allDone } from '../../git/all-done.ts';
import { createFile, parentOf, removeIfThere, syncFile } from '../../git/durable.ts';
import { orNull, type Stat } from '../../git/fs.ts';
import { lockedByGit, releaseGitLocks, tryGitLocks, type WantedLock } from '../../git/git-locks.ts';
import { syncFolders, syncObjects, type Unsynced, writeObjects } from '../../git/objects/loose.ts';
import type { EncodedObject } from '../../git/objects/object.ts';
import { appendReflog, reflogPaths } from '../../git/refs/reflog.ts';
import { readHead, readRef, refPath } from '../../git/refs/refs.ts';
import { sleep } from '../../git/sleep.ts';
import { evidenceOf } from '../../stores/disk-stage.ts';
import type { Staged, StoreChange } from '../../stores/store.ts';
import type { TrailHead } from '../../trail/head.ts';
import { type Context, fromTrail, looseOf } from '../context.ts';
import { failureWords } from '../failure.ts';
import { BesideGc } from './beside-gc.ts';
import type { HeldLocks } from './hold.ts';
import { checkIdle } from './in-progress.ts';
import { indexHolds, publishIndex, readIndex, type StagedIndex, stageIndex } from './index-step.ts';
import { removeLanding } from './landing-files.ts';
import { isLarge, LargeChange } from './large-change.ts';
import { lockContent, wantedLocks } from './locks.ts';
import type { ChangeRecord, IndexEdit, Landing, RecordedPath } from './record.ts';
import { LockLost, type Turn } from './writer.ts';

/** A change that is ready to be published. */
export interface Transaction {
  /** The ref that moves, and what it must still hold. */
  trail: Pick<TrailHead, 'ref' | 'checkedOut' | 'oid' | 'head'>;
  /** The commit that the ref shall point to; `null`: `act` moves the ref, as git does. */
  commit: string | null;
  objects: readonly EncodedObject[];
  changes: readonly StoreChange[];
  /** What the trail holds of each path after the change, by path of the trail. */
  paths: readonly RecordedPath[];
  /** Bytes of files of which git records others: no object of the change has them, and recovery needs them. */
  exact: readonly EncodedObject[];
  /** Entries of git's index to keep in step; `null` on a trail beside the branch. */
  index: IndexEdit[] | null;
  /** For the reflog: `Name <email> seconds zone`, and what happened. */
  committer: string;
  summary: string;
  /** Of a landing on the checked-out branch: how the index follows. */
  landing?: Landing | null;
  /** Moves the ref in place of the engine, with the locks held; throws when it did not. `name`: of the record. */
  act?: (name: string) => Promise<void>;
}

/** What came of it: done, or somebody moved the ref, a file or the index in between and it must be planned again. */
export type Outcome = { done: true; warnings: string[] } | { done: false };

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
    if (error instanceof EditError || (await turn.lock.isMine().catch(() => true))) throw error;
    throw new LockLost();
  } finally {
    if (!published) await publication.takeBack();
  }
  return { done: true, warnings: await publication.finish() };
}

class Publication {
  readonly #context: Context;
  readonly #tx: Transaction;
  readonly #turn: Turn;
  readonly #name: string;
  readonly #temp: string;
  #locks: WantedLock[] = [];
  readonly #gc: BesideGc;
  #staged: Staged | null = null;
  #index: StagedIndex | null = null;
  #large: LargeChange | null = null;
  /** The file of which the locks that were held before are links. */
  readonly #heldAs: string | null;
  /** The lock files that are ours to remove. */
  #held: string[];
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
    this.#gc = new BesideGc(context, this.#isLarge ? [] : transaction.objects);
  }

  get #isLarge(): boolean {
    return isLarge(this.#context, this.#tx.objects);
  }

  /** Writes everything beside its place, appends the record, and waits once, until all of it is durable. */
  async prepare(): Promise<void> {
    const { fs, store, durability } = this.#context;
    const { writer, lock } = this.#turn;
    const { trail, commit, changes, index } = this.#tx;
    await writer.known.make(this.#context, trail);
    this.#staged = changes.length > 0 ? await store.stage(changes, this.#name) : NOTHING_STAGED;
    if (commit !== null) await this.#write('-ref', new TextEncoder().encode(`${commit}\n`));
    const loose = await orNull(fs.lstat(refPath(this.#context.repo, trail.ref)));
    this.#locks = await this.#lockFiles(loose);
    if (index) this.#written.push('-index');
    if (index)
      this.#index = await stageIndex(this.#context, index, `${this.#temp}-index`, path => this.#statOf(path));
    const full = durability === 'full';
    if (this.#isLarge) this.#large = await LargeChange.write(this.#context, this.#tx.objects, this.#temp);
    // Half an object that no record knows of would stay after a power cut.
    const unsynced = full ? await this.#writeObjects(true) : NOTHING;
    // Who was taken for dead meanwhile must not append behind somebody else's record.
    if (!(await lock.isMine())) throw new LockLost();
    this.#recorded = true;
    await writer.append(
      this.#context,
      { data: await this.#record(loose), objects: [...this.#ownObjects, ...this.#tx.exact] },
      lock.token,
    );
    await allDone<unknown>([
      writer.journal.sync().catch(error => {
        this.#distrusted = true;
        throw error;
      }),
      this.#staged.sync(),
      ...(this.#large ? [this.#large.sync()] : []),
      ...(index ? [syncFile(fs, `${this.#temp}-index`)] : []),
      ...(full
        ? [syncObjects(fs, unsynced), ...(commit === null ? [] : [syncFile(fs, `${this.#temp}-ref`)])]
        : []),
    ]);
    if (!full) await this.#writeObjects(false);
  }

  /**
   * The ref's own file holds the old commit id already. One of another user cannot be linked as a rule (protected_hardlinks
   * in proc(5)).
   */
  async #lockFiles(ref: Stat | null): Promise<WantedLock[]> {
    const { repo, euid } = this.#context;
    const { trail, act } = this.#tx;
    const isOwn = ref?.type === 'file' && ref.uid === euid;
    const staged = this.#heldAs ?? (isOwn ? refPath(repo, trail.ref) : `${this.#temp}-lock`);
    if (!this.#heldAs && !isOwn) await this.#write('-lock', lockContent(trail.oid));
    const locks = wantedLocks(this.#context, trail, staged);
    // Git takes those of the branch and of HEAD itself.
    return act ? locks.filter(lock => lock.path.endsWith('/index.lock')) : locks;
  }

  #write(ending: string, bytes: Uint8Array): Promise<void> {
    this.#written.push(ending);
    return createFile(this.#context.fs, this.#temp + ending, bytes, { sync: false });
  }

  #writeObjects(sync: boolean): Promise<Unsynced> {
    return writeObjects(looseOf(this.#context), this.#ownObjects, sync);
  }

  /** Those that have no pack of their own. */
  get #ownObjects(): readonly EncodedObject[] {
    return this.#large ? [] : this.#tx.objects;
  }

  /** The staged file is what its path will hold. */
  #statOf(path: string): Stat | null {
    const own = fromTrail(this.#context, path);
    return own === null ? null : (this.#staged?.statOf?.(own) ?? null);
  }

  async #lockInode(ref: Stat | null): Promise<bigint> {
    const { fs, repo } = this.#context;
    const { staged } = this.#locks[0]!;
    const stat = staged === refPath(repo, this.#tx.trail.ref) ? ref : await orNull(fs.lstat(staged));
    return stat?.ino ?? 0n;
  }

  /** `loose`: the ref's file. */
  async #record(loose: Stat | null): Promise<ChangeRecord> {
    const { fs, repo, prefix, index: file } = this.#context;
    const { trail, commit, paths, index, landing = null } = this.#tx;
    const look = async (path: string): Promise<Stat | null> => orNull(fs.lstat(path));
    const holder =
      loose?.type === 'file' || trail.oid === null ? loose : await look(`${repo.commonDir}/packed-refs`);
    return {
      name: this.#name,
      worktree: repo.worktree,
      prefix,
      ref: trail.ref,
      old: trail.oid,
      new: commit,
      refBefore: evidenceOf(holder),
      refStaged: commit === null ? null : evidenceOf(await look(`${this.#temp}-ref`)),
      lockInode: String(await this.#lockInode(loose)),
      store: this.#staged!.record,
      paths: [...paths],
      index: index && {
        entries: index,
        was: evidenceOf(await look(file.path)),
        staged: evidenceOf(await look(`${this.#temp}-index`))!,
      },
      landing,
      exact: this.#tx.exact.map(({ oid }) => oid),
      pack: this.#large?.pack ?? null,
    };
  }

  /** Git's locks, the last look under them, and the ref moves. False when somebody was faster. */
  async commit(): Promise<boolean> {
    const { fs, patience, repo } = this.#context;
    const deadline = Date.now() + patience.git;
    for (let pause = 2; this.#held.length === 0; pause = Math.min(pause * 2, 60)) {
      const busy = await tryGitLocks(fs, this.#locks);
      if (!busy) this.#held = this.#locks.map(lock => lock.path);
      else if (Date.now() > deadline) throw await lockedByGit(fs, busy, repo.commonDir);
      else {
        await sleep(pause * (0.5 + Math.random()));
        if (!(await this.#refIsOld())) return false;
      }
    }
    if (!(await this.#isUnchanged())) return false;
    if (this.#tx.act) await this.#tx.act(this.#name);
    else await this.#moveRef(this.#tx.commit!);
    return true;
  }

  /** Nothing that the change was planned on is another now, and the lock is still ours. */
  async #isUnchanged(): Promise<boolean> {
    if (!(await this.#turn.lock.isMine())) throw new LockLost();
    if (!(await this.#refIsOld())) return false;
    if ((await this.#staged!.verify()).length > 0) return false;
    if (!this.#tx.index) return true;
    await checkIdle(this.#context);
    return indexHolds(await readIndex(this.#context), this.#tx.index);
  }

  /** HEAD matters only where it is part of the trail: a trail beside the branch does not care about a checkout. */
  async #refIsOld(): Promise<boolean> {
    const { repo } = this.#context;
    const { trail } = this.#tx;
    if (!trail.checkedOut) return (await readRef(repo, trail.ref)) === trail.oid;
    const head = await readHead(repo);
    return (head.ref ?? 'HEAD') === trail.ref && head.oid === trail.oid;
  }

  /** THE MOMENT OF THE EDIT. An error of the rename leaves open whether it happened: the ref itself tells. */
  async #moveRef(commit: string): Promise<void> {
    const { fs, repo } = this.#context;
    const { trail, committer, summary } = this.#tx;
    const paths = await reflogPaths(fs, repo, trail.ref, trail.checkedOut);
    await appendReflog(fs, paths, { old: trail.oid, new: commit, committer, message: summary });
    try {
      await fs.rename(`${this.#temp}-ref`, refPath(repo, trail.ref));
      this.#written.splice(this.#written.indexOf('-ref'), 1);
    } catch (error) {
      if ((await readRef(repo, trail.ref).catch(() => null)) !== commit) throw error;
    }
  }

  /** An error here is a warning: the edit is made, and the next turn repairs what is open. */
  async finish(): Promise<string[]> {
    const { writer } = this.#turn;
    const { trail, commit } = this.#tx;
    writer.known.note(trail.ref, commit);
    const warnings = writer.takeTold();
    try {
      await this.#staged!.publish();
      await this.#publishIndex();
      await this.#followBranch();
      await this.#gc.settle();
      await this.#staged!.settle();
      await this.#releaseLocks();
      if (this.#context.durability === 'full') await this.#syncPlaces();
      await this.#discard();
    } catch (error) {
      await this.#releaseLocks().catch(() => {});
      // Repair works from the record alone; a store may hold a transaction open until then.
      await this.#staged!.discard().catch(() => {});
      writer.leaveUnfinished();
      warnings.push(
        `The edit is in history, but not everything behind it is finished (${failureWords(error)}); the next call finishes it.`,
      );
    }
    const passedOver = this.#staged!.passedOver.map(
      path =>
        `${path} was saved by somebody else in the same moment and holds their text; this edit of it is in history only. View the file before editing it again.`,
    );
    return [...passedOver, ...warnings];
  }

  /** Somebody may have written the index since it was staged; then it is staged once more. */
  async #publishIndex(): Promise<void> {
    const { index } = this.#tx;
    const temp = `${this.#temp}-index`;
    while (index && this.#index && !(await publishIndex(this.#context, this.#index, temp))) {
      await removeIfThere(this.#context.fs, temp);
      this.#index = await stageIndex(this.#context, index, temp, path => this.#statOf(path));
      await syncFile(this.#context.fs, temp);
    }
    if (index) this.#written.splice(this.#written.indexOf('-index'), 1);
  }

  /** The index of a landing follows what the branch holds now, whoever made the commit. */
  async #followBranch(): Promise<void> {
    const { landing, trail } = this.#tx;
    if (!landing) return;
    const { followBranch } = await import('../land/index.ts');
    await followBranch(this.#context, { ref: trail.ref, ...landing }, `${this.#temp}-index`);
  }

  /** For those who want plain git alone to be enough after a power cut. */
  async #syncPlaces(): Promise<void> {
    const { fs, repo, store } = this.#context;
    const { trail, index, landing } = this.#tx;
    const folders = [parentOf(refPath(repo, trail.ref)), ...(index || landing ? [repo.gitDir] : [])];
    const { record } = this.#staged!;
    const files = record === null ? undefined : store.sync?.([record]);
    await allDone<unknown>([files ?? Promise.resolve(), syncFolders(fs, folders)]);
  }

  /** Nothing was published: locks, record and staged files go, in that order. The record is cut off durably. */
  async takeBack(): Promise<void> {
    const { writer, lock } = this.#turn;
    await this.#releaseLocks().catch(() => writer.leaveUnfinished());
    if (this.#recorded && (await lock.isMine())) await this.#cutRecord();
    await this.#staged?.discard().catch(() => {});
    await this.#large?.discard().catch(() => {});
    await this.#discard().catch(() => {});
  }

  async #cutRecord(): Promise<void> {
    const { writer, lock } = this.#turn;
    try {
      await writer.journal.takeBack();
    } catch (error) {
      return writer.abandon(this.#context, lock, error);
    }
    if (this.#distrusted) await writer.abandon(this.#context, lock, new Error('a sync failed'));
  }

  async #discard(): Promise<void> {
    const { fs } = this.#context;
    await this.#staged?.discard();
    for (const ending of this.#written.splice(0)) await removeIfThere(fs, this.#temp + ending);
    if (this.#tx.act) await removeLanding(this.#context, this.#name);
  }

  async #releaseLocks(): Promise<void> {
    const held = this.#held;
    this.#held = [];
    if (held.length > 0 && (await this.#turn.lock.isMine())) await releaseGitLocks(this.#context.fs, held);
  }
}

const NOTHING: Unsynced = { files: [], folders: [] };

/** A landing touches no files. */
const NOTHING_STAGED: Staged = {
  record: null,
  sync: async () => {},
  verify: async () => [],
  publish: async () => {},
  settle: async () => {},
  passedOver: [],
  discard: async () => {},
};
