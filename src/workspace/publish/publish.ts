/**
 * The write protocol: how a planned change reaches the disk. The steps are numbered in the comments; 1 to 3 are the
 * planning before this file. Until step 10 nothing is visible and everything can be taken back; after it, nothing
 * can fail any more: what is left to do is in the journal, and recovery does it if this process does not.
 */

import { allDone } from '../../git/all-done.ts';
import { createFile, emptyFolder, parentOf } from '../../git/durable.ts';
import { lockedByGit, releaseGitLocks, tryGitLocks, type WantedLock } from '../../git/git-locks.ts';
import { draftJournal, type JournalIndexEntry, publishJournal, removeJournal } from '../../git/journal.ts';
import { syncFolders, syncObjects, type Unsynced, writeObjects } from '../../git/objects/loose.ts';
import { appendReflog, reflogPaths } from '../../git/refs/reflog.ts';
import { readHead, readRef, refPath } from '../../git/refs/refs.ts';
import { sleep } from '../../git/sleep.ts';
import type { Staged } from '../../stores/store.ts';
import { type Context, looseOf, toTrail } from '../context.ts';
import { failureWords } from '../failure.ts';
import { BesideGc } from './beside-gc.ts';
import { wantedLocks, writeToken } from './hold.ts';
import { checkIdle } from './in-progress.ts';
import { indexHolds, readIndex, writeIndexEntries } from './index-step.ts';
import { recover } from './recover.ts';
import { isCarried, journalEntry, type Transaction } from './transaction.ts';

/** What came of it: done, or somebody moved the ref or a file in between and the change must be planned again. */
export type Outcome =
  | { done: true; warnings: string[]; rest: Promise<unknown> }
  | { done: false; moved: Moved };

type Moved = 'ref' | 'file' | 'index';

/** Steps 4 to 13. Throws only when nothing was published. `token` is that of the engine's lock. */
export async function publish(context: Context, transaction: Transaction, token: string): Promise<Outcome> {
  const attempt = new Attempt(context, transaction, token);
  let published = false;
  try {
    await attempt.prepare();
    const moved = await attempt.commit();
    if (moved) return { done: false, moved };
    published = true;
  } finally {
    // What cannot be taken back now is in the journal, and the first error is the one that tells why.
    if (!published)
      await attempt
        .takeBack()
        .catch(() => recover(context))
        .catch(() => {});
  }
  return { done: true, ...(await attempt.finish()) };
}

class Attempt {
  readonly #context: Context;
  readonly #tx: Transaction;
  readonly #token: string;
  readonly #temp: string;
  readonly #locks: WantedLock[];
  #staged: Staged | null = null;
  /** True when the journal carries the objects, and they need not be durable before the answer. */
  readonly #carried: boolean;
  #unsynced: Unsynced = { files: [], folders: [] };
  readonly #gc: BesideGc;
  /** The lock files that are ours to remove. */
  #held: string[] = [];

  constructor(context: Context, transaction: Transaction, token: string) {
    this.#context = context;
    this.#tx = transaction;
    this.#token = token;
    this.#temp = `${context.workFolder}/tmp`;
    this.#locks = wantedLocks(context, transaction.trail);
    this.#carried = isCarried(context, transaction);
    this.#gc = new BesideGc(context, transaction.objects);
    if (transaction.holding) this.#held = this.#locks.map(lock => lock.path);
  }

  /**
   * 4, 5, 6: everything is written, then all files are synced together, then all folders. The journal counts only
   * when its folder is synced. Objects that it carries are written after it: a power cut may leave half of one, and
   * then somebody has to know of it.
   */
  async prepare(): Promise<void> {
    const { fs, codec, workFolder: folder, store } = this.#context;
    this.#staged = await store.stage(this.#tx.changes);
    const journal = await journalEntry(
      this.#context,
      this.#tx,
      this.#token,
      this.#locks,
      this.#staged.record,
    );
    const [objects] = await allDone<unknown>([
      this.#carried ? NOTHING_UNSYNCED : writeObjects(looseOf(this.#context), this.#tx.objects),
      this.#staged.sync(),
      createFile(fs, `${this.#temp}/ref`, new TextEncoder().encode(`${this.#tx.commit}\n`)),
      ...(this.#needsToken() ? [writeToken(this.#context, this.#token)] : []),
      draftJournal(fs, codec, folder, journal),
      // What fails here is tried again when the ref has moved.
      this.#gc.keep().catch(() => {}),
    ]);
    await publishJournal(fs, folder);
    await syncFolders(fs, [...(objects as Unsynced).folders, folder]);
    if (this.#carried) this.#unsynced = await writeObjects(looseOf(this.#context), this.#tx.objects, false);
  }

  /** The lock of the ref holds the new commit; only the others need a file that says whose they are. */
  #needsToken(): boolean {
    return !this.#tx.holding && this.#locks.length > 1;
  }

  /** 7 to 10: the cheap check, git's locks, the second look under them, and the ref moves. */
  async commit(): Promise<Moved | null> {
    const { fs, patience } = this.#context;
    const deadline = Date.now() + patience.git;
    for (let pause = 2; ; pause = Math.min(pause * 2, 60)) {
      if (!(await this.#refIsOld())) return 'ref';
      const busy = this.#tx.holding ? await this.#fillRefLock() : await tryGitLocks(fs, this.#locks);
      if (!busy) break;
      if (Date.now() > deadline) throw await lockedByGit(fs, busy, this.#context.repo.commonDir);
      await sleep(pause * (0.5 + Math.random()));
    }
    this.#held = this.#locks.map(lock => lock.path);
    const moved = await this.#moved();
    if (moved) return moved;
    await this.#appendReflog();
    await this.#moveRef();
    return null;
  }

  /** 9: nothing that the change was planned on is another now. */
  async #moved(): Promise<Moved | null> {
    if (!(await this.#refIsOld())) return 'ref';
    if ((await this.#staged!.verify()).length > 0) return 'file';
    if (!this.#tx.index) return null;
    await checkIdle(this.#context);
    return indexHolds(await readIndex(this.#context), this.#tx.index) ? null : 'index';
  }

  /**
   * 11 to 13. An error here is a warning: the edit is made, and the journal stays for recovery to finish it. What the
   * journal carries is made durable in its own place after the answer; until then the journal stays.
   */
  async finish(): Promise<{ warnings: string[]; rest: Promise<unknown> }> {
    try {
      await this.#staged!.publish();
      if (this.#tx.index) await this.#writeIndex(this.#tx.index);
      await this.#releaseLocks();
      await this.#syncVisible();
      const rest = this.#settle();
      if (!this.#carried) await rest;
      return { warnings: this.#passedOver(), rest: rest.catch(error => this.#repair(error)) };
    } catch (error) {
      await this.#releaseLocks().catch(() => {});
      return { warnings: [...this.#passedOver(), ...(await this.#repair(error))], rest: Promise.resolve() };
    }
  }

  async #writeIndex(entries: JournalIndexEntry[]): Promise<void> {
    const versions = new Map(
      this.#tx.changes.map(({ path, after }) => [toTrail(this.#context, path), after?.version ?? null]),
    );
    const content = (path: string): string | null => versions.get(path) ?? null;
    await writeIndexEntries(this.#context, entries, `${this.#temp}/index`, content);
  }

  #passedOver(): string[] {
    return this.#staged!.passedOver.map(
      path =>
        `${path} was saved by somebody else in the same moment and holds his text; this edit of it is in history only. View the file before editing it again.`,
    );
  }

  /** The way to finish after a failure is that after a crash; what stays open now is left to the next call. */
  async #repair(error: unknown): Promise<string[]> {
    try {
      await recover(this.#context);
      return [];
    } catch {
      return [
        `The edit is in history, but not everything behind it is finished (${failureWords(error)}); the next call finishes it.`,
      ];
    }
  }

  /** Nothing was published: locks, journal and staged files go, in that order. */
  async takeBack(): Promise<void> {
    const { fs, workFolder: folder } = this.#context;
    await this.#releaseLocks();
    await syncObjects(fs, this.#unsynced);
    await removeJournal(fs, folder);
    await this.#staged?.discard();
    await emptyFolder(fs, this.#temp);
  }

  /** HEAD matters only where it is part of the trail: a trail beside the branch does not care about a checkout. */
  async #refIsOld(): Promise<boolean> {
    const { repo } = this.#context;
    const { trail } = this.#tx;
    if (trail.checkedOut) {
      const head = await readHead(repo);
      return (head.ref ?? 'HEAD') === trail.ref && head.oid === trail.oid;
    }
    return (await readRef(repo, trail.ref)) === trail.oid;
  }

  /** A lock of the ref that was taken early holds our token; now it gets what the ref shall hold. */
  async #fillRefLock(): Promise<null> {
    const { fs, repo } = this.#context;
    await fs.rename(`${this.#temp}/ref`, `${refPath(repo, this.#tx.trail.ref)}.lock`);
    return null;
  }

  async #appendReflog(): Promise<void> {
    const { fs, repo } = this.#context;
    const { trail, commit, committer, summary } = this.#tx;
    const paths = await reflogPaths(fs, repo, trail.ref, trail.checkedOut);
    await appendReflog(fs, paths, { old: trail.oid, new: commit, committer, message: summary });
  }

  /** 10: THE MOMENT OF THE EDIT. An error of the rename leaves open whether it happened: the ref itself tells. */
  async #moveRef(): Promise<void> {
    const { fs, repo } = this.#context;
    const path = refPath(repo, this.#tx.trail.ref);
    try {
      await fs.rename(`${path}.lock`, path);
    } catch (error) {
      if ((await readRef(repo, this.#tx.trail.ref).catch(() => null)) !== this.#tx.commit) throw error;
    }
    this.#held = this.#held.filter(lock => lock !== `${path}.lock`);
  }

  /** 12: the names that the edit changed: the ref's, the files', the index's. */
  async #syncVisible(): Promise<void> {
    const { fs, repo } = this.#context;
    const folders = [parentOf(refPath(repo, this.#tx.trail.ref)), ...(this.#tx.index ? [repo.gitDir] : [])];
    // Git removes the folder of a ref that it packs.
    await allDone([this.#staged!.settle(), syncFolders(fs, folders)]);
  }

  /** 12, 13: the objects are durable and there, whatever a git gc took meanwhile; then the journal may go. */
  async #settle(): Promise<void> {
    const { fs, workFolder: folder } = this.#context;
    if (this.#carried) await syncObjects(fs, this.#unsynced);
    await this.#gc.settle();
    await this.#staged!.discard();
    await emptyFolder(fs, this.#temp);
    await removeJournal(fs, folder);
  }

  async #releaseLocks(): Promise<void> {
    await releaseGitLocks(this.#context.fs, this.#held);
    this.#held = [];
  }
}

const NOTHING_UNSYNCED: Promise<Unsynced> = Promise.resolve({ files: [], folders: [] });
