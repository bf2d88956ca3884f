/**
 * The journal: files `<commonDir>/vedit/journal.<n>`, to which each change is appended before its first visible effect.
 *
 *     file    = "vedit journal 3\n" frame*          the first frame is the header, each other one a record
 *     frame   = length[4] sequence[4] payload[length] sum[20]
 *     payload = size[4] json[size] object*          the deflated objects that the JSON lists, one after another
 *
 * Numbers are big-endian. `sum` is the SHA-1 of the sum before it (zeros before the first), length, sequence and payload;
 * the header holds a random salt, so that no sum of another file fits. A header names the file before it, with the
 * length up to which that one counts and its last sum (the seal): bytes past a seal are void. Numbers only grow; the file
 * with the highest number is appended to. A record is appended in pieces, and synced as a whole.
 */

import { fromLatin1, pieces, toHex } from '../../../bytes.ts';
import { createFile, removeIfThere, syncFile, syncFolder } from '../../../fs/durable.ts';
import { reading } from '../../../fs/failures.ts';
import { errno, type FileHandle, type Fs, orNull } from '../../../fs/fs.ts';
import { randomToken } from '../../../fs/lock/processes.ts';
import { type Codec, fromHex } from '../../../git/objects/object.ts';
import {
  type Frame,
  frameOf,
  framesFrom,
  JOURNAL_FORMAT,
  type JournalFile,
  type JournalHeader,
  type PlacedFrame,
  parseFile,
  type Seal,
  SUM,
  ZERO_SUM,
} from './frames.ts';

/** The end of the file that is appended to, as this process left it. */
interface Tail extends Seal {
  handle: FileHandle;
  ino: bigint;
  sequence: number;
}

export interface JournalOptions {
  fs: Fs;
  codec: Codec;
  /** The engine's own folder, absolute. */
  folder: string;
}

/** The journal of one repository, in the hands of one process. All methods that write need the engine's lock. */
export class Journal<T> {
  readonly #options: JournalOptions;
  #tail: Tail | null = null;
  /** Where the last frame begins, while it can be taken back. */
  #last: (Seal & { sequence: number }) | null = null;

  constructor(options: JournalOptions) {
    this.#options = options;
  }

  /** Bytes of the present file; 0 where none is open. */
  get size(): number {
    return this.#tail?.length ?? 0;
  }

  /** Records in the present file. */
  get count(): number {
    return this.#tail ? this.#tail.sequence - 1 : 0;
  }

  get number(): number | null {
    return this.#tail?.file ?? null;
  }

  /**
   * Goes on behind what others appended since this process left the present file, and in the files that they began after it
   * in this start of the machine; answers their records: none where nobody wrote. `null` where that does not fit: then all
   * is read. Two lstat and a read as a rule.
   */
  async catchUp(boot: string | null): Promise<PlacedFrame<T>[] | null> {
    const tail = this.#tail;
    if (!tail) return null;
    const { fs } = this.#options;
    if (await fs.lstat(this.#path(tail.file + 1))) return this.#followInto(tail, boot);
    const stat = await fs.lstat(this.#path(tail.file));
    return stat?.ino === tail.ino ? this.#readOn(tail, stat.size) : null;
  }

  /** Reads the records from the end that is known to that length of the present file; `null` where they are not whole. */
  async #readOn(tail: Tail, length: number): Promise<PlacedFrame<T>[] | null> {
    // A record of megabytes is read by who needs it.
    if (length < tail.length || length > tail.length + MOST_READ) return null;
    const bytes = await tail.handle.read(tail.length - SUM, length - tail.length + SUM);
    if (toHex(bytes.subarray(0, SUM)) !== tail.sum) return null;
    if (bytes.length === SUM) return [];
    const found = await framesFrom<T>(this.#options.codec, bytes.subarray(SUM), tail, tail.sequence);
    if (!found) return null;
    Object.assign(tail, found.end, { sequence: tail.sequence + found.records.length });
    this.#last = null;
    return found.records;
  }

  /** Goes on into the next file, which says where this one ended: a checkpoint removes its name, and not what is open. */
  async #followInto(tail: Tail, boot: string | null): Promise<PlacedFrame<T>[] | null> {
    const next = await this.read(tail.file + 1);
    const seal = next?.header.seal;
    if (!next || next.torn || boot === null || next.header.boot !== boot) return null;
    const rest = seal?.file === tail.file ? await this.#readOn(tail, seal.length) : null;
    if (!rest || tail.length !== seal!.length || tail.sum !== seal!.sum) return null;
    if (!(await this.open(next))) return null;
    const later = await this.catchUp(boot);
    return later && [...rest, ...next.records, ...later];
  }

  /** Lists the numbers of all files, oldest first. */
  async list(): Promise<number[]> {
    const names = (await orNull(this.#options.fs.readdir(this.#options.folder))) ?? [];
    const numbers = names.flatMap(name => /^journal\.([1-9]\d{0,14})$/.exec(name)?.[1] ?? []);
    return numbers.map(Number).sort((a, b) => a - b);
  }

  /** Reads all files, oldest first, each up to its seal. Throws CORRUPT, UNSUPPORTED_REPOSITORY, STORE_FAILED. */
  async readAll(): Promise<JournalFile<T>[]> {
    const files: JournalFile<T>[] = [];
    let seal: Seal | null = null;
    for (const number of (await this.list()).reverse()) {
      const file: JournalFile<T> | null = await this.read(number, seal?.file === number ? seal : null);
      if (!file) continue;
      files.unshift(file);
      seal = file.header.seal;
    }
    return files;
  }

  /** Reads one file; `null` when it is gone, or was torn before its header was whole. */
  async read(number: number, seal: Seal | null = null): Promise<JournalFile<T> | null> {
    const bytes = await reading('the journal', orNull(this.#options.fs.readFile(this.#path(number))));
    if (!bytes) return null;
    return parseFile(this.#options.codec, number, seal ? bytes.subarray(0, seal.length) : bytes);
  }

  /** Returns the bytes of all files together. */
  async bytes(): Promise<number> {
    let bytes = 0;
    for (const number of await this.list())
      bytes += (await this.#options.fs.lstat(this.#path(number)))?.size ?? 0;
    return bytes;
  }

  /** Looks up when a file was last appended to, in milliseconds since 1970; 0 for one that is gone. */
  async changedAt(number: number): Promise<number> {
    const stat = await this.#options.fs.lstat(this.#path(number));
    return stat ? Number(stat.mtimeNs / 1_000_000n) : 0;
  }

  /**
   * Goes on with a file that was read, which must be the newest and not torn. False when this user may not write it, or a
   * checkpoint has removed it meanwhile.
   */
  async open(file: JournalFile<unknown>): Promise<boolean> {
    try {
      await this.#use(file.end, file.records.length + 1);
      return true;
    } catch (error) {
      // A file of another user is read, and another one begun; one that is gone is durable in its own place.
      if (['EACCES', 'EPERM', 'ENOENT'].includes(errno(error) ?? '')) return false;
      throw error;
    }
  }

  /** Opens the file that ends there, to append to it. */
  async #use(end: Seal, sequence: number): Promise<void> {
    await this.close();
    const handle = await this.#options.fs.open(this.#path(end.file), 'journal');
    const { ino } = await handle.stat();
    this.#tail = { ...end, handle, ino, sequence };
  }

  /** Makes durable what was read of a file, before another one is built on it. */
  async syncRead({ number }: JournalFile<unknown>): Promise<void> {
    await syncFile(this.#options.fs, this.#path(number));
  }

  /** Begins a new file that seals the one before; it is durable when this returns. */
  async begin(header: Omit<JournalHeader, 'format' | 'salt'>, number: number): Promise<void> {
    const { fs, codec, folder } = this.#options;
    const whole: JournalHeader = { format: JOURNAL_FORMAT, salt: randomToken(), ...header };
    const frame = await frameOf(codec, ZERO_SUM, 0, { data: whole, objects: [] });
    const magic = fromLatin1(`vedit journal ${JOURNAL_FORMAT}\n`);
    await createFile(fs, this.#path(number), [magic, ...frame.parts]);
    await syncFolder(fs, folder);
    await this.#use({ file: number, length: magic.length + frame.length, sum: toHex(frame.sum) }, 1);
  }

  /** The end of the present file, for the seal of the next. */
  get end(): Seal | null {
    return this.#tail && { file: this.#tail.file, length: this.#tail.length, sum: this.#tail.sum };
  }

  /** The end before the last record, where that one is not to count and could not be cut off. */
  get endBeforeLast(): Seal | null {
    const last = this.#last ?? this.#tail;
    return last && { file: last.file, length: last.length, sum: last.sum };
  }

  /** Appends a record; `sync` makes it durable. Throws the error of the write: then `takeBack`. */
  async append(record: Frame<T>): Promise<void> {
    const tail = this.#tail!;
    // Whatever fails before the write must not cut off the record before.
    this.#last = null;
    const frame = await frameOf(this.#options.codec, fromHex(tail.sum), tail.sequence, record);
    this.#last = { file: tail.file, length: tail.length, sum: tail.sum, sequence: tail.sequence };
    for (const piece of pieces(frame.parts)) await tail.handle.write(piece);
    const { size } = await tail.handle.stat();
    // A full disk may take a part of a write without an error.
    if (size !== tail.length + frame.length)
      throw Object.assign(new Error('ENOSPC: a write was cut short'), { code: 'ENOSPC' });
    Object.assign(tail, { length: size, sum: toHex(frame.sum), sequence: tail.sequence + 1 });
  }

  sync(): Promise<void> {
    return this.#tail!.handle.syncData();
  }

  /** Cuts the last record off, durably: what was refused must not appear after a power cut. */
  async cutLast(): Promise<void> {
    const [tail, last] = [this.#tail, this.#last];
    if (!tail || !last) return;
    await tail.handle.truncate(last.length);
    await tail.handle.sync();
    Object.assign(tail, last);
    this.#last = null;
  }

  /** Removes a file; its folder is synced, so that an older one never outlives a newer one. */
  async remove(number: number): Promise<void> {
    const { fs, folder } = this.#options;
    if (this.#tail?.file === number) await this.close();
    await removeIfThere(fs, this.#path(number));
    await syncFolder(fs, folder);
  }

  /** Forgets the end of the journal: it is read again. */
  async close(): Promise<void> {
    const tail = this.#tail;
    this.#tail = null;
    this.#last = null;
    await tail?.handle.close().catch(() => {});
  }

  #path(number: number): string {
    return `${this.#options.folder}/journal.${number}`;
  }
}

const MOST_READ = 16 * 1024 * 1024;
