/**
 * The one writer of a repository in this process: a queue, the engine's lock while there is work, and the end of the
 * journal. All workspaces of the process on one repository share it.
 */

import { createFile, emptyFolder, exists, removeIfThere } from '../../fs/durable.ts';
import type { Fs } from '../../fs/fs.ts';
import { type EngineLock, type Force, LockLost, takeEngineLock } from '../../fs/lock/engine-lock.ts';
import { identityOf, isSameRepository } from '../../git/repository/repository.ts';
import type { Context } from '../context.ts';
import { judgeAsides } from './aside/judge.ts';
import { Checkpoints } from './checkpoint.ts';
import { makeFolders, unfinishedMark } from './engine-folder.ts';
import { failedCheckpoint } from './journal/failed-checkpoint.ts';
import type { JournalFile, Seal } from './journal/frames.ts';
import { bootOf } from './journal/interrupted.ts';
import { Journal } from './journal/journal.ts';
import type { ChangeRecord } from './journal/record.ts';
import { KnownDurable } from './known-durable.ts';
import { recover } from './recovery/recovery.ts';

/** This process keeps the lock for so many changes, or milliseconds, of its queue: others may wait. */
const LEASE_CHANGES = 16;
const LEASE_MS = 50;

/** The journal is made durable in its own place beyond so many bytes or records, and when nothing happened for so long. */
const JOURNAL_BYTES = 1024 * 1024;
const JOURNAL_RECORDS = 256;
const IDLE_MS = 1_000;
/** Beyond this the call waits for the checkpoint: a journal of many megabytes is read by whoever comes next. */
const LARGE_BYTES = 4 * 1024 * 1024;

/** The writer's means that an action uses during its turn. */
export interface LockLease {
  writer: Writer;
  lock: EngineLock;
  /** False where nothing is set aside. */
  hasAsides: boolean;
  /** A name for staged files, with which nobody else's begins. */
  name(): string;
}

/** Names given in this process: two writers may have one token, as those of linked work trees have in a shared repository. */
let names = 0;

const writers = new WeakMap<Fs, Map<string, Writer>>();
/** Those of contexts whose repository is known by its folder, and not by its name alone. */
const writersByContext = new WeakMap<Context, Writer>();

/** Returns the writer of the context's repository. */
export function writerOf(context: Context): Writer {
  const own = writersByContext.get(context);
  if (own) return own;
  const byFolder = writers.get(context.fs) ?? new Map<string, Writer>();
  writers.set(context.fs, byFolder);
  const identity = identityOf(context.repo);
  const key = `${context.folder} ${identity}`;
  const writer = byFolder.get(key) ?? new Writer(context);
  byFolder.set(key, writer);
  if (identity !== '') writersByContext.set(context, writer);
  return writer;
}

/** Runs an action as the one writer of the repository, after repairing what a dead one left. */
export const asWriter = <T>(
  context: Context,
  action: (turn: LockLease) => Promise<T>,
  force: Force = {},
): Promise<T> => writerOf(context).run(context, action, force);

export class Writer {
  readonly journal: Journal<ChangeRecord>;
  /** Knows which refs are durable, so that an edit on top of them does not sync them again. */
  readonly known: KnownDurable = new KnownDurable();
  readonly #volatile: boolean;
  #tail: Promise<unknown> = Promise.resolve();
  #queued = 0;
  #lock: EngineLock | null = null;
  #since = 0;
  #changes = 0;
  /** True when this process left a change unfinished: it is repaired before the next. */
  #unfinished = false;
  /** Messages of recovery that the next answer passes on. */
  #told: string[] = [];
  readonly checkpoints: Checkpoints;
  #idle: ReturnType<typeof setTimeout> | undefined;
  /** That of the last lock, for which the folders were made; `null`: they are made before the next. */
  #token: string | null = null;

  constructor({ fs, codec, folder }: Context) {
    this.journal = new Journal({ fs, codec, folder });
    this.checkpoints = new Checkpoints(this.journal);
    this.#volatile = fs.volatile;
  }

  /** Runs an action after everything queued before it has come to its end. */
  async run<T>(context: Context, action: (turn: LockLease) => Promise<T>, force: Force = {}): Promise<T> {
    const before = this.#tail;
    let end = (): void => {};
    this.#tail = new Promise<void>(resolve => {
      end = resolve;
    });
    this.#queued++;
    try {
      await before;
      return await this.#lease(context, action, force);
    } finally {
      this.#queued--;
      end();
    }
  }

  /** Resolves when nothing is queued, and what was done is durable in its own place. */
  async drained(context: Context): Promise<void> {
    while (this.#queued > 0) await this.#tail;
    await this.checkpoints.ended();
    for (let isFirst = true, isLeft = this.journal.count > 0; isLeft; isFirst = false) {
      isLeft = false;
      await this.#whereThere(context, async ({ lock }) => {
        isLeft = await this.checkpoints.flushFew(context, lock.token, isFirst);
      });
      await this.checkpoints.ended();
    }
    clearTimeout(this.#idle);
  }

  /**
   * Closes the journal where nothing is queued: the next change reads it again. `isEarly`: before the idle checkpoint had its
   * time. One that fails is not tried more often for it.
   */
  async rest(context: Context, isEarly: boolean): Promise<void> {
    await this.#tail;
    // One that is under way opens folders again that its sync needs.
    await this.checkpoints.ended();
    if (isEarly && this.#queued === 0 && !(await failedCheckpoint(context))) await this.drained(context);
    if (this.#queued > 0) return;
    this.#tail = this.#tail.then(() => this.journal.close());
    await this.#tail;
  }

  /**
   * Runs `settle` where the repository still is. Where it was removed or replaced nothing is made again, not even the
   * folder of the lock.
   */
  async #whereThere(context: Context, settle: (turn: LockLease) => Promise<void>): Promise<void> {
    const isThere = await isSameRepository(context.repo).catch(() => false);
    if (isThere) await this.run(context, settle).catch(() => {});
  }

  /** Notes that a change was made and is not finished: the next turn begins with its repair. */
  leaveUnfinished(): void {
    this.#unfinished = true;
  }

  /** True where `takeNotices` may have something to hand over. */
  get hasNotices(): boolean {
    return this.#told.length > 0 || this.checkpoints.isToAsk;
  }

  /** Hands over what recovery and a checkpoint that failed have to tell; each is told once. */
  async takeNotices(context: Context): Promise<string[]> {
    return [...this.#told.splice(0), ...(await this.checkpoints.takeFailure(context))];
  }

  async #lease<T>(context: Context, action: (turn: LockLease) => Promise<T>, force: Force): Promise<T> {
    clearTimeout(this.#idle);
    try {
      const lock = this.#lock ?? (await this.#hold(context, force));
      await this.#ready(context, lock);
      const notes = await context.asides.all(context).catch(() => null);
      const hasAsides = notes?.length !== 0;
      if (hasAsides) this.#told.push(...(await judgeAsides(context, notes ?? []).catch(() => [])));
      this.#changes++;
      return await action({ writer: this, lock, hasAsides, name: () => `${lock.token}.${++names}` });
    } catch (error) {
      if (!(error instanceof LockLost) && !(await this.#hasLostFolder(context))) throw error;
      const lost = this.#lock;
      this.#lock = null;
      await lost?.release().catch(() => {});
      await this.journal.close();
      return await this.#lease(context, action, {});
    } finally {
      await this.#afterLease(context);
    }
  }

  async #hold(context: Context, force: Force): Promise<EngineLock> {
    const { fs, processes, folder, patience } = context;
    if (this.#token === null) await makeFolders(context);
    this.#lock = await takeEngineLock({ fs, processes, folder, patience: patience.engine, ...force });
    [this.#since, this.#changes] = [Date.now(), 0];
    const { token } = this.#lock;
    // This process's files are gone, perhaps with the whole folder of the engine.
    if (this.#token !== null && this.#token !== token) await makeFolders(context);
    this.#token = this.checkpoints.token = token;
    return this.#lock;
  }

  /** True when somebody removed the engine's folder, or what is in it, since this process made it. */
  async #hasLostFolder({ fs, folder, repo }: Context): Promise<boolean> {
    const isLost = this.#token !== null && !(await exists(fs, `${folder}/tmp`).catch(() => true));
    if (!isLost || !(await isSameRepository(repo).catch(() => false))) return false;
    this.#token = null;
    return true;
  }

  /** Repairs what anybody left unfinished, and finds the journal's end. */
  async #ready(context: Context, lock: EngineLock): Promise<void> {
    const { journal } = this;
    const isOurs = !this.#unfinished && lock.tookOver.length === 0;
    const others = isOurs ? await journal.catchUp(context.processes.self.boot) : null;
    // In the common cases nobody wrote since, or others have finished it.
    if (others?.length === 0) return;
    const mark = unfinishedMark(context.folder);
    if (others && !(await exists(context.fs, mark))) return this.known.noteRecords(others);
    // The next to take the lock takes it over from nobody: a repair that fails is everybody's until one is done.
    this.#unfinished = !isOurs;
    await journal.close();
    const files = await this.#readFiles();
    const boot = await bootOf(context, files);
    const frames = files.flatMap(file => file.records);
    const looked = boot === 'same' ? frames.slice(-1) : frames;
    const newest = files.at(-1);
    const { told, dropped } = await recover(context, { boot, frames: looked });
    this.#told.push(...told);
    if (boot === 'same') this.known.noteRecords(dropped ? frames.slice(0, -1) : frames);
    const isFinished = isOurs && !dropped && !(await exists(context.fs, mark));
    const isToGoOn = newest && boot === 'same' && isFinished && !newest.torn;
    if (newest && !(isToGoOn && (await journal.open(newest))))
      await this.#beginAnew(context, lock, newest, dropped ? frames.at(-1)!.start : newest.end);
    // With the lock held and nothing unfinished, nothing that is staged is anybody's.
    await emptyFolder(context.fs, `${context.folder}/tmp`);
    // What lies where nobody can look is set aside by now.
    if (boot === 'other') await this.checkpoints.flush(context, files, true);
    await removeIfThere(context.fs, mark);
    this.#unfinished = false;
  }

  /** Reads the journal, and removes files without a whole header: who began them died before anything was appended. */
  async #readFiles(): Promise<JournalFile<ChangeRecord>[]> {
    const files = await this.journal.readAll();
    const whole = new Set(files.map(({ number }) => number));
    for (const number of await this.journal.list()) if (!whole.has(number)) await this.journal.remove(number);
    return files;
  }

  /** Begins a new file that seals the newest one: what an owner that was taken for dead still appends there is void. */
  async #beginAnew(
    context: Context,
    { token }: EngineLock,
    newest: JournalFile<ChangeRecord>,
    seal: Seal,
  ): Promise<void> {
    await this.journal.syncRead(newest);
    await this.journal.begin({ boot: context.processes.self.boot, token, seal }, newest.number + 1);
  }

  /** Gives the lock back, unless this process keeps it for the next of its queue. */
  async #afterLease(context: Context): Promise<void> {
    const { journal } = this;
    const isLarge = journal.size > LARGE_BYTES;
    const lock = this.#lock;
    if (lock) {
      const isOver = this.#changes >= LEASE_CHANGES || Date.now() - this.#since >= LEASE_MS;
      const isFull = journal.size > JOURNAL_BYTES || journal.count >= JOURNAL_RECORDS;
      if (this.#volatile) await this.#forget().catch(() => {});
      else if (isFull && !this.#unfinished)
        await this.checkpoints.roll(context, lock.token, true).catch(() => {});
      if (this.#queued > 1 && !isOver) return;
      // Lets others repair an unfinished change, too; where that cannot be written, this process does it at its next turn.
      const mark = unfinishedMark(context.folder);
      if (this.#unfinished)
        await createFile(context.fs, mark, new Uint8Array(), { sync: false }).catch(() => {});
      this.#lock = null;
      await lock.release().catch(() => {});
    }
    if (isLarge) await this.checkpoints.ended();
    if (this.#queued <= 1 && journal.count > 0) this.#checkpointWhenIdle(context);
  }

  /** Empties the journal in memory: nothing can be lost there, and a finished record is of no more use. */
  async #forget(): Promise<void> {
    if (this.#unfinished || this.journal.number === null) return;
    for (const number of await this.journal.list()) await this.journal.remove(number);
  }

  #checkpointWhenIdle(context: Context): void {
    clearTimeout(this.#idle);
    // The next change finds its journal ready. Of what another process has begun anew meanwhile nothing is left to do.
    const settle = async ({ lock }: LockLease): Promise<void> => {
      if (this.journal.count > 0) await this.checkpoints.roll(context, lock.token, false);
    };
    const pause = Math.max(IDLE_MS, this.checkpoints.pause);
    const idle = (): void => void (this.journal.count > 0 && this.#whereThere(context, settle));
    this.#idle = setTimeout(idle, pause);
    (this.#idle as { unref?: () => void }).unref?.();
  }
}
