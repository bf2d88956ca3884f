/** An open file of node's file system; see node-fs.ts for when a call is synchronous. */

import fs from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { errno, type FileHandle, type Stat } from '../fs.ts';
import { toStat } from '../stat.ts';

/** Up to this many bytes a synchronous read or write costs less than a trip to the thread pool. */
const SYNC_BYTES: number = 1024 * 1024;

const fsync = promisify(fs.fsync);
const fdatasync = promisify(fs.fdatasync);
const readAsync = promisify(fs.read);
const writeAsync = promisify(fs.write);

export class NodeHandle implements FileHandle {
  readonly fd: number;
  readonly #folder: boolean;

  constructor(fd: number, folder: boolean) {
    this.fd = fd;
    this.#folder = folder;
  }

  async stat(): Promise<Stat> {
    return toStat(fs.fstatSync(this.fd, { bigint: true }));
  }

  async read(position: number, length: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(length);
    let done = 0;
    while (done < length) {
      const got = await this.#readSome(bytes, done, position + done);
      if (got === 0) break;
      done += got;
    }
    return done === length ? bytes : bytes.subarray(0, done);
  }

  async #readSome(bytes: Uint8Array, from: number, position: number): Promise<number> {
    const length = bytes.length - from;
    if (length <= SYNC_BYTES) return fs.readSync(this.fd, bytes, from, length, position);
    return (await readAsync(this.fd, bytes, from, length, position)).bytesRead;
  }

  async write(bytes: Uint8Array): Promise<void> {
    let done = 0;
    while (done < bytes.length) done += await this.#writeSome(bytes, done);
  }

  async #writeSome(bytes: Uint8Array, from: number): Promise<number> {
    const length = bytes.length - from;
    if (length <= SYNC_BYTES) return fs.writeSync(this.fd, bytes, from, length, null);
    return (await writeAsync(this.fd, bytes, from, length, null)).bytesWritten;
  }

  async truncate(size: number): Promise<void> {
    fs.ftruncateSync(this.fd, size);
  }

  async chmod(mode: number): Promise<void> {
    fs.fchmodSync(this.fd, mode);
  }

  async chown(uid: number, gid: number): Promise<void> {
    fs.fchownSync(this.fd, uid, gid);
  }

  /**
   * Off the main thread, so that several run at once, and only when everything is written that this turn of the event
   * loop writes: making a file waits for the sync of another one in its folder. Windows cannot sync a folder and says
   * EPERM.
   */
  async sync(): Promise<void> {
    await nextTurn();
    try {
      await fsync(this.fd);
    } catch (error) {
      if (!(this.#folder && process.platform === 'win32' && errno(error) === 'EPERM')) throw error;
    }
  }

  async syncData(): Promise<void> {
    await nextTurn();
    await fdatasync(this.fd);
  }

  async close(): Promise<void> {
    fs.closeSync(this.fd);
  }
}
