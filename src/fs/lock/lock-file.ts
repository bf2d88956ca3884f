/**
 * The content of a lock of the engine: one JSON object, written before the file gets its name as a lock, so that nobody
 * sees a part of it. One that cannot be read was left by a power cut, or is of somebody else.
 */

import { parseJson } from '../../json.ts';
import { withOpen } from '../durable.ts';
import { errno, type Fs, isMissing, type Stat } from '../fs.ts';
import type { Disk, ProcessIdentity, SocketId } from './processes.ts';

export interface LockFile extends ProcessIdentity {
  format: 2;
  /** Names the owner's files: 24 hex digits. */
  token: string;
  /** The kind of disk that the folder is on, as the owner sees it. */
  disk: Disk;
  /** The socket that the owner listens on. */
  socket: SocketId | null;
}

export interface Seen {
  /** The content of the lock file, parsed; `null` when it cannot be read. */
  file: LockFile | null;
  /** The owner's token, or one that stands for a file that cannot be read. */
  token: string;
  /** False for a link or a folder, which no owner ever made. */
  regular: boolean;
  /** True for a file that is empty or cut off, as a power cut leaves it: an owner makes a whole file a lock. */
  torn: boolean;
  /** Milliseconds since 1970, of the owner's clock. */
  mtimeMs: number;
  ctimeMs: number;
  /** Changes when the file is replaced or its owner renews it; equal texts mean no sign of life in between. */
  state: string;
  ino: bigint;
}

export function encodeLock(lock: LockFile): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(lock));
}

/** Reads a lock, opened anew each time so that a network file system asks its server. `null` when there is none. */
export async function readLockFile(fs: Fs, path: string): Promise<Seen | null> {
  try {
    return await withOpen(fs, path, 'read', async handle => {
      const stat = await handle.stat();
      return seenOf(stat, stat.type === 'file' ? await handle.read(0, LONGEST) : null);
    });
  } catch (error) {
    if (isMissing(error)) return null;
    if (!UNREADABLE.has(errno(error) ?? '')) throw error;
    const stat = await fs.lstat(path);
    return stat && seenOf(stat, null);
  }
}

/** Bytes; a lock has about 400. */
const LONGEST = 8192;

/** A link, a socket, or a file that its user lets nobody else read. */
const UNREADABLE: ReadonlySet<string> = new Set(['ELOOP', 'ENXIO', 'EACCES', 'EPERM', 'EMLINK', 'EISDIR']);

function seenOf(stat: Stat, bytes: Uint8Array | null): Seen {
  const text = bytes && new TextDecoder().decode(bytes);
  const file = text === null ? null : parseLock(text);
  const token = file?.token ?? `unreadable-${stat.ino}`;
  return {
    file,
    token,
    regular: stat.type === 'file',
    torn: text !== null && parseJson(text) === undefined,
    mtimeMs: Number(stat.mtimeNs / 1_000_000n),
    ctimeMs: Number(stat.ctimeNs / 1_000_000n),
    state: `${token} ${stat.ino} ${stat.mtimeNs} ${stat.ctimeNs}`,
    ino: stat.ino,
  };
}

/** Parses a lock; `null` when it is not one of ours. */
export function parseLock(text: string): LockFile | null {
  const value = parseJson(text) as Partial<LockFile> | null | undefined;
  const isOurs = value?.format === 2 && isToken(value.token) && typeof value.pid === 'number';
  return isOurs ? complete(value) : null;
}

export function isToken(text: unknown): text is string {
  return typeof text === 'string' && /^[0-9a-f]{24}$/.test(text);
}

/** Fills in a lock file: anybody who may write to the folder may have written it. */
function complete(value: Partial<LockFile>): LockFile {
  const text = (part: unknown): string | null => (typeof part === 'string' ? part : null);
  const { socket } = value;
  const named = typeof socket?.dev === 'string' && typeof socket.ino === 'string';
  return {
    format: 2,
    token: value.token!,
    pid: value.pid!,
    host: text(value.host) ?? '',
    boot: text(value.boot),
    space: text(value.space),
    started: text(value.started) ?? '',
    disk: value.disk === 'local' || value.disk === 'layered' ? value.disk : 'other',
    socket: named ? { dev: socket!.dev, ino: socket!.ino } : null,
  };
}
