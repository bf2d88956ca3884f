/**
 * Folders of the workspace that stay open between calls. A folder is reached through its descriptor as long as its path
 * still leads to it, so that an edit does not go down to it from the root five times.
 */

import type { FileHandle, Fs, Stat } from '../../fs/fs.ts';

/** The most folders that stay open. */
const MOST = 8;

const STAYS_OPEN: Promise<void> = Promise.resolve();

/**
 * A folder that is open, as `Folder` in contract.ts: what is below its descriptor stays below it, whatever happens to its name.
 * Whoever opened it closes it. One that is kept stays open until it is evicted and no longer used.
 */
export class OpenFolder {
  readonly path: string;
  readonly at: string;
  readonly rest: readonly string[];
  readonly blocked: boolean;
  readonly handle: FileHandle;
  /** The stat of a kept folder as of the last look. */
  seen: Stat | null = null;
  uses = 1;
  isKept = false;

  constructor(handle: FileHandle, path: string, rest: readonly string[], blocked = false) {
    this.handle = handle;
    this.path = path;
    this.at = `/proc/self/fd/${handle.fd}`;
    this.rest = rest;
    this.blocked = blocked;
  }

  /** True while this look at its path shows the folder; then the look is kept. */
  isAt(look: Stat | null): boolean {
    if (look?.type !== 'directory' || look.ino !== this.seen?.ino || look.dev !== this.seen.dev) return false;
    this.seen = look;
    return true;
  }

  stat(): Promise<Stat> {
    return this.handle.stat();
  }

  sync(): Promise<void> {
    return this.handle.sync();
  }

  async assertSame(): Promise<void> {}

  close(): Promise<void> {
    this.uses--;
    return this.uses === 0 && !this.isKept ? this.handle.close().catch(() => {}) : STAYS_OPEN;
  }

  async giveUp(): Promise<void> {
    this.isKept = false;
    if (this.uses === 0) await this.handle.close().catch(() => {});
  }
}

export class OpenFolders {
  readonly #fs: Fs;
  readonly #root: string;
  readonly #kept = new Map<string, OpenFolder>();

  constructor(fs: Fs, root: string) {
    this.#fs = fs;
    this.#root = root;
  }

  /** Uses the open folder at a path, to be closed then; `null` when it is not known or its path leads elsewhere now. */
  async get(path: string): Promise<OpenFolder | null> {
    return this.#kept.has(path) ? this.getByStat(path, await this.lstat(path)) : null;
  }

  /** Returns the open folder at a path as `get` does, by a look at the path that somebody else took. */
  async getByStat(path: string, look: Stat | null): Promise<OpenFolder | null> {
    const kept = this.#kept.get(path);
    if (!kept) return null;
    if (kept.isAt(look)) return this.use(kept);
    this.#kept.delete(path);
    await kept.giveUp();
    return null;
  }

  /** Uses a folder once more without a look at its path; `null` when it was given up. */
  use(kept: OpenFolder | undefined): OpenFolder | null {
    if (!kept?.isKept) return null;
    kept.uses++;
    return kept;
  }

  lstat(path: string): Promise<Stat | null> {
    return this.#fs.lstat(path === '' ? this.#root : `${this.#root}/${path}`).catch(() => null);
  }

  /** Keeps a folder that was opened component by component; it is used until it is closed. */
  async keep(folder: OpenFolder): Promise<OpenFolder> {
    const { path } = folder;
    folder.seen = await folder.handle.stat().catch(async error => {
      await folder.close();
      throw error;
    });
    folder.isKept = true;
    const old = this.#kept.get(path);
    this.#kept.set(path, folder);
    await old?.giveUp();
    for (const [other, kept] of this.#kept) {
      if (this.#kept.size <= MOST) break;
      this.#kept.delete(other);
      await kept.giveUp();
    }
    return folder;
  }

  /** Closes all kept folders; they are opened again when they are needed. */
  async close(): Promise<void> {
    const all = [...this.#kept.values()];
    this.#kept.clear();
    for (const kept of all) await kept.giveUp();
  }
}
