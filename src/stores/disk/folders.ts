/**
 * Folders of the workspace that stay open between calls. A folder is reached through its descriptor as long as its path
 * still leads to it, so that an edit does not go down to it from the root five times.
 */

import type { FileHandle, Fs } from '../../fs/fs.ts';

/** So many folders stay open. */
const MOST = 8;

interface Kept {
  handle: FileHandle;
  dev: bigint;
  ino: bigint;
  uses: number;
}

export class KeptFolders {
  readonly #fs: Fs;
  readonly #root: string;
  readonly #kept = new Map<string, Kept>();

  constructor(fs: Fs, root: string) {
    this.#fs = fs;
    this.#root = root;
  }

  /** The open folder at a path, or `null` when it is not known or its path leads elsewhere now. Then `release` it. */
  async get(path: string): Promise<FileHandle | null> {
    const kept = this.#kept.get(path);
    if (!kept) return null;
    kept.uses++;
    const now = await this.#fs.lstat(`${this.#root}/${path}`).catch(() => null);
    if (now?.type === 'directory' && now.ino === kept.ino && now.dev === kept.dev) return kept.handle;
    this.#drop(path, kept);
    await this.#done(kept);
    return null;
  }

  /** Keeps a folder that was opened component by component; it counts as used until it is released. */
  async keep(path: string, handle: FileHandle): Promise<void> {
    const { dev, ino } = await handle.stat().catch(async error => {
      await handle.close();
      throw error;
    });
    const old = this.#kept.get(path);
    if (old) await this.#giveUp(path, old);
    this.#kept.set(path, { handle, dev, ino, uses: 1 });
    for (const [other, kept] of this.#kept) {
      if (this.#kept.size <= MOST) break;
      await this.#giveUp(other, kept);
    }
  }

  async release(handle: FileHandle): Promise<void> {
    for (const kept of [...this.#kept.values(), ...this.#dropped])
      if (kept.handle === handle) await this.#done(kept);
  }

  /** Closes all; they are opened again when they are needed. */
  async close(): Promise<void> {
    for (const [path, kept] of this.#kept) await this.#giveUp(path, kept);
  }

  async #giveUp(path: string, kept: Kept): Promise<void> {
    this.#drop(path, kept);
    if (kept.uses === 0) await kept.handle.close().catch(() => {});
  }

  /** Given up while they are in use: the last user closes them. */
  readonly #dropped = new Set<Kept>();

  #drop(path: string, kept: Kept): void {
    this.#kept.delete(path);
    if (kept.uses > 0) this.#dropped.add(kept);
  }

  async #done(kept: Kept): Promise<void> {
    kept.uses--;
    if (kept.uses > 0 || !this.#dropped.delete(kept)) return;
    await kept.handle.close().catch(() => {});
  }
}
