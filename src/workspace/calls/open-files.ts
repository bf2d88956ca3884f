/**
 * The files that workspaces keep open between calls. Those of a workspace that rests are closed after some seconds, and
 * sooner where many rest: a process may have few (`ulimit -n`). The next call opens them again.
 */

import { leaveEngineLock } from '../../fs/lock/engine-lock.ts';
import type { Context } from '../context.ts';
import { writerOf } from '../transaction/writer.ts';

/** Milliseconds. */
const REST = 10_000;

/** Files for each workspace: it keeps six, and two more for each pack. */
const EACH = 10;

/** Files where the system does not say how many. */
const USUAL = 1_024;

/** Workspaces with a call under way, and those that rest with their files open, longest ago first. */
const busy = new Set<OpenFiles>();
const resting = new Set<OpenFiles>();

export class OpenFiles {
  readonly #most: number;
  readonly #context: Context;
  #closing: Promise<void> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(context: Context) {
    this.#context = context;
    this.#most = Math.max(1, Math.floor((context.processes.mostFiles ?? USUAL) / EACH));
  }

  /** Done before a call: from now on they stay open, and there is room for them. */
  async use(): Promise<void> {
    this.#wake();
    busy.add(this);
    await this.#closing;
    while (resting.size > 0 && busy.size + resting.size > this.#most) await [...resting][0]!.#rest(true);
  }

  /** Done when no call is under way. */
  rest(): void {
    busy.delete(this);
    resting.add(this);
    this.#timer = setTimeout(() => void this.#rest(false), REST);
    // Only in Node does a timer keep anything alive.
    (this.#timer as { unref?: () => void }).unref?.();
  }

  /** For good, after the last call. */
  async close(): Promise<void> {
    this.#wake();
    busy.delete(this);
    await this.#closing;
    await closeFiles(this.#context);
  }

  /** Fails for nobody: the checkpoint that failed is told by the next one. */
  #rest(isEarly: boolean): Promise<void> {
    this.#wake();
    const context = this.#context;
    this.#closing ??= writerOf(context)
      .rest(context, isEarly)
      .then(() => closeFiles(context))
      .catch(() => {})
      .finally(() => {
        this.#closing = null;
      });
    return this.#closing;
  }

  #wake(): void {
    clearTimeout(this.#timer);
    resting.delete(this);
  }
}

/** Closes the files that a workspace keeps open; each is opened again by whoever needs it. */
async function closeFiles(context: Context): Promise<void> {
  for (const store of context.stores.values()) await store.close?.();
  await leaveEngineLock(context).catch(() => {});
  await context.objects.close();
}
