/**
 * Lets followers of the trails hear that something was published: every change touches one file of the engine's folder,
 * and followers watch that file. What nobody touched it for (git's own commits, a writer that was killed, a file system
 * without watches) is found when the refs are read, once a second. The refs themselves are not watched: a watch misses
 * them once `git pack-refs` packed them, and network file systems have none.
 */

import { createFile } from '../../fs/durable.ts';
import { type Fs, isMissing } from '../../fs/fs.ts';
import type { Context } from '../context.ts';

/** Milliseconds between two looks at the refs when nothing is heard. */
const LOOK_MS = 1_000;

function newsFile({ folder }: Pick<Context, 'folder'>): string {
  return `${folder}/events`;
}

/** Tells those who follow to look now. One system call; never throws, since they look by themselves a little later. */
export async function notifyFollowers(context: Pick<Context, 'fs' | 'folder'>): Promise<void> {
  const { fs } = context;
  try {
    await fs.touch(newsFile(context));
  } catch (error) {
    // Only the first change of a repository finds no file. In one of several users the file may be another's.
    if (isMissing(error))
      await createFile(fs, newsFile(context), new Uint8Array(), { sync: false }).catch(() => {});
  }
}

/** Waits for changes, for one follower. Holds a watcher from the first wait on, and a timer only while it waits. */
export class ChangeWatcher {
  readonly #fs: Fs;
  readonly #path: string;
  readonly #signal: AbortSignal;
  #stopWatching: (() => void) | null = null;
  #heard = false;
  #wake: (() => void) | null = null;

  /** When `signal` is aborted, the watcher is closed and the wait ends. */
  constructor(context: Pick<Context, 'fs' | 'folder'>, signal: AbortSignal) {
    this.#fs = context.fs;
    this.#path = newsFile(context);
    this.#signal = signal;
    signal.addEventListener('abort', this.#aborted, { once: true });
  }

  /** From now on a change is heard, also one that comes before the next wait. Where nothing can be watched, nothing is. */
  listen(): void {
    if (this.#stopWatching || this.#signal.aborted || !this.#fs.watch) return;
    try {
      this.#stopWatching = this.#fs.watch(this.#path, this.#changed);
    } catch {
      // The file is not there yet, or the system has no watch left.
    }
  }

  /** Resolves when something was heard since the last wait, after a second, or when the signal is aborted. */
  async wait(): Promise<void> {
    this.listen();
    if (!this.#heard && !this.#signal.aborted) await this.#sleep();
    this.#heard = false;
  }

  close(): void {
    this.#signal.removeEventListener('abort', this.#aborted);
    this.#unwatch();
    this.#wake?.();
  }

  #sleep(): Promise<void> {
    return new Promise(resolve => {
      const timer = setTimeout(() => this.#wake?.(), LOOK_MS);
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = null;
        resolve();
      };
    });
  }

  readonly #aborted = (): void => this.close();

  /** A file that was removed or replaced is watched anew: the watcher is of the one that was there. */
  readonly #changed = (kind?: unknown): void => {
    if (kind !== 'change') this.#unwatch();
    this.#heard = true;
    this.#wake?.();
  };

  #unwatch(): void {
    this.#stopWatching?.();
    this.#stopWatching = null;
  }
}
