/**
 * A file of the engine's folder that only saves time: a row of records, each appended at once.
 *
 *     magic, kind, bytes of what follows, CRC-32 of that with the bits of the kind turned      4 bytes each
 *
 * A reader takes no record after one that is cut off or damaged, and then begins the file anew with what it writes. A writer
 * that finds that there was a purge since it read the file takes the file away.
 */

import { concatBytes, uint32 } from '../bytes.ts';
import { removeIfThere } from '../fs/durable.ts';
import type { Fs } from '../fs/fs.ts';

const HEAD = 16;

export interface RecordFileOptions {
  fs: Fs;
  crc32(bytes: Uint8Array): number;
  path: string;
  /** The magic number of this form: another version gets another one, and neither understands the other's. */
  magic: number;
  /** Names the purges that there have been. */
  purges?: (() => Promise<string>) | undefined;
}

export interface FileRecord {
  kind: number;
  body: Uint8Array;
}

export class RecordFile {
  readonly #options: RecordFileOptions;
  #isWhole = true;
  #purges: Promise<string> | undefined;

  constructor(options: RecordFileOptions) {
    this.#options = options;
  }

  /** The records in front of the first that is damaged, or that `isGood` finds to be none. None where there is no file. */
  async read(isGood: (record: FileRecord) => boolean): Promise<void> {
    await (this.#purges ??= this.#options.purges?.());
    const bytes = await this.#options.fs.readFile(this.#options.path).catch(() => new Uint8Array());
    for (let at = 0; at < bytes.length && this.#isWhole; ) {
      const record = this.#recordAt(bytes, at);
      this.#isWhole = record !== null && isGood(record);
      at += HEAD + (record?.body.length ?? 0);
    }
  }

  #recordAt(bytes: Uint8Array, at: number): FileRecord | null {
    const { magic, crc32 } = this.#options;
    if (bytes.length - at < HEAD || uint32(bytes, at) !== magic) return null;
    const [kind, length, sum] = [4, 8, 12].map(by => uint32(bytes, at + by));
    const body = bytes.subarray(at + HEAD, at + HEAD + length!);
    return body.length === length && (crc32(body) ^ kind!) >>> 0 === sum ? { kind: kind!, body } : null;
  }

  /** The next record begins the file anew. */
  restart(): void {
    this.#isWhole = false;
  }

  /**
   * False where there was a purge since the file was read first: the file is gone then, and what is remembered of it must go, too.
   * Throws what the file system throws.
   */
  async append({ kind, body }: FileRecord): Promise<boolean> {
    const { fs, path, magic, crc32 } = this.#options;
    // Before all that waits: another append may note the purge meanwhile, and this record was read before it, too.
    const before = this.#purges;
    if (!this.#isWhole) await removeIfThere(fs, path);
    this.#isWhole = true;
    const handle = await fs.open(path, 'append', 0o666);
    try {
      await handle.write(concatBytes([numbers(magic, kind, body.length, crc32(body) ^ kind), body]));
    } finally {
      await handle.close();
    }
    this.#purges = this.#options.purges?.();
    if ((await this.#purges) === (await before)) return true;
    await removeIfThere(fs, path);
    return false;
  }
}

/** Encodes numbers, each in 4 bytes. */
export function numbers(...values: number[]): Uint8Array {
  const bytes = new Uint8Array(values.length * 4);
  const view = new DataView(bytes.buffer);
  for (const [i, value] of values.entries()) view.setUint32(i * 4, value);
  return bytes;
}
