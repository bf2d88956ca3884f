/**
 * The file by which an owner of the lock learns that somebody waits: who finds the lock held writes a byte, and who gives the
 * lock back sees that the file was written. Not its times are set: another user's file lets nobody do that.
 */

import type { FileHandle, Fs } from '../fs.ts';

/** A waiter empties the file after so many bytes of its own. */
const LONGEST = 4096;

const BYTE: Uint8Array = new TextEncoder().encode('.');

export class Wanted {
  readonly #handle: FileHandle;
  #mtimeNs: bigint;
  #written = 0;
  /** True when this process itself wrote since somebody asked. */
  isOwn = false;

  private constructor(handle: FileHandle, mtimeNs: bigint) {
    this.#handle = handle;
    this.#mtimeNs = mtimeNs;
  }

  /** Opens the file; `null` where it cannot be written: then nobody is waited for. */
  static async open(fs: Fs, path: string): Promise<Wanted | null> {
    const handle = await fs.open(path, 'append').catch(() => null);
    if (!handle) return null;
    try {
      return new Wanted(handle, (await handle.stat()).mtimeNs);
    } catch {
      await handle.close().catch(() => {});
      return null;
    }
  }

  /** Tells the owner that this process waits. A disk that is full tells nothing, and the lock is had all the same. */
  async note(): Promise<void> {
    this.isOwn = true;
    if (this.#written++ % LONGEST === LONGEST - 1) await this.#handle.truncate(0).catch(() => {});
    await this.#handle.write(BYTE).catch(() => {});
  }

  /** True when somebody wrote since the last time that this was asked. */
  async isNoted(): Promise<boolean> {
    const before = this.#mtimeNs;
    this.isOwn = false;
    try {
      this.#mtimeNs = (await this.#handle.stat()).mtimeNs;
    } catch {}
    return this.#mtimeNs !== before;
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}
