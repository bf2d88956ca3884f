/**
 * The files that workspaces have open, of which a process may have few (`ulimit -n`). As many calls are under way at once
 * as have enough of them, and the others wait. Those that a workspace keeps between calls are closed after some seconds
 * without one, and sooner where many rest: the next call opens them again.
 */

import { sleep } from '../../fs/all-done.ts';
import { leaveEngineLock } from '../../fs/lock/engine-lock.ts';
import type { Context } from '../context.ts';
import { writerOf } from '../transaction/writer.ts';

/** Milliseconds. */
const REST = 10_000;

/** Files for each call and its workspace, which keeps up to thirteen, eight of them folders, and two more for each pack. */
const EACH = 20;

/** Files of the program around. */
const OTHERS = 40;

/** Files where the system does not say how many. */
const USUAL = 1_024;

/** Workspaces with a call under way, those that rest with their files open, longest ago first, and those that close them. */
const busy = new Set<OpenFiles>();
const resting = new Set<OpenFiles>();
const closing = new Set<Promise<boolean>>();

/** Calls under way in this process, and those that wait for one of them to end, in their order. */
let underWay = 0;
const waiting = new Set<() => void>();

/** Milliseconds in which none ended: then one more begins, since those under way may wait for it. */
const STUCK = 1_000;

/** Milliseconds that a call waits until files of others are closed, which may wait for a call that waits for this one. */
const PATIENCE = 5_000;
let stuck: ReturnType<typeof setTimeout> | undefined;

export class OpenFiles {
  readonly #most: number;
  readonly #context: Context;
  #calls = 0;
  #closing: Promise<void> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(context: Context) {
    this.#context = context;
    const most = (context.processes.mostFiles ?? USUAL) - OTHERS;
    this.#most = Math.max(1, Math.floor(most / EACH));
  }

  /** Begins a call when there are files for it; they stay open until it ends. Does not fail. */
  async begin(): Promise<void> {
    if (underWay >= this.#most) await turn();
    underWay++;
    this.#calls++;
    this.#wake();
    busy.add(this);
    if (this.#closing) await this.#closing;
    let patience: Promise<boolean> | undefined;
    while (busy.size + resting.size + closing.size > this.#most) {
      const [first] = resting;
      if (closing.size === 0 && !first) return;
      if (closing.size === 0) void first!.#release(true);
      patience ??= sleep(PATIENCE).then(() => true);
      if (await Promise.race([...closing, patience])) return;
    }
  }

  end(): void {
    underWay--;
    next();
    if (--this.#calls === 0) this.#rest();
  }

  #rest(): void {
    busy.delete(this);
    resting.add(this);
    this.#timer = setTimeout(() => void this.#release(false), REST);
    // Only in Node does a timer keep anything alive.
    (this.#timer as { unref?: () => void }).unref?.();
  }

  /** Closes the files for good, after the last call. */
  async close(): Promise<void> {
    this.#wake();
    busy.delete(this);
    await this.#closing;
    await closeFiles(this.#context);
  }

  /** Fails for nobody: the checkpoint that failed is told by the next one. */
  #release(isEarly: boolean): Promise<void> {
    this.#wake();
    if (this.#closing) return this.#closing;
    const done = this.#leave(isEarly)
      .catch(() => {})
      .then(() => {
        this.#closing = null;
        closing.delete(done);
        return false;
      });
    this.#closing = done.then(() => {});
    closing.add(done);
    return this.#closing;
  }

  /** Leaves open what a workspace with a call under way has of the same repository: that call may last. */
  async #leave(isEarly: boolean): Promise<void> {
    const writer = writerOf(this.#context);
    const isShared = [...busy].some(one => writerOf(one.#context) === writer);
    if (!isShared) await writer.rest(this.#context, isEarly);
    await closeFiles(this.#context, isShared);
  }

  #wake(): void {
    clearTimeout(this.#timer);
    resting.delete(this);
  }
}

/** Resolves when a call has ended, or none does. */
function turn(): Promise<void> {
  return new Promise(resolve => {
    waiting.add(resolve);
    if (waiting.size === 1) stuck = setTimeout(next, STUCK);
  });
}

/** Lets the first of the calls that wait go on. */
function next(): void {
  clearTimeout(stuck);
  const [first] = waiting;
  if (!first) return;
  waiting.delete(first);
  if (waiting.size > 0) stuck = setTimeout(next, STUCK);
  first();
}

/** Closes the files that a workspace keeps open; each is opened again by whoever needs it. */
async function closeFiles(context: Context, isShared = false): Promise<void> {
  for (const store of context.stores.values()) await store.close?.();
  if (!isShared) await leaveEngineLock(context).catch(() => {});
  await context.objects.close();
}
