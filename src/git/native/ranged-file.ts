/** A file that is read in parts and stays open between them. */

import { errno, type FileHandle, type Fs } from '../fs.ts';

export class RangedFile {
  readonly size: number;
  readonly #handle: FileHandle;
  #kept: Uint8Array | null = null;

  private constructor(handle: FileHandle, size: number) {
    this.#handle = handle;
    this.size = size;
  }

  /** Errors are those of the file system. */
  static async open(fs: Fs, path: string): Promise<RangedFile> {
    const handle = await openThroughLink(fs, path);
    try {
      return new RangedFile(handle, (await handle.stat()).size);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Exactly `length` bytes. Throws an Error when the file ends before. */
  async read(position: number, length: number): Promise<Uint8Array> {
    const kept = this.#kept?.subarray(position, position + length);
    const bytes = kept ?? (await this.#handle.read(position, length));
    if (bytes.length < length) throw new Error('the file is cut off');
    return bytes;
  }

  /** Holds the whole file in memory from now on. */
  async keep(): Promise<void> {
    this.#kept = await this.read(0, this.size);
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

/** Some tools share packs between repositories by symbolic links. */
async function openThroughLink(fs: Fs, path: string): Promise<FileHandle> {
  try {
    return await fs.open(path, 'read');
  } catch (error) {
    if (errno(error) !== 'ELOOP') throw error;
    return await fs.open(await fs.realpath(path), 'read');
  }
}
