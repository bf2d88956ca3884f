/**
 * The system calls that the engine makes, one method a call, so that a wrapper can count each, crash at it,
 * or make it fail. Errors carry a `code` (`ENOENT`, `EEXIST`, ...) as node's do. Paths are absolute.
 */

export interface Stat {
  type: 'file' | 'directory' | 'symlink' | 'other';
  /** Bytes. */
  size: number;
  /** The permission bits and type as in `st_mode`. */
  mode: number;
  mtimeNs: bigint;
  ctimeNs: bigint;
  dev: bigint;
  ino: bigint;
  uid: number;
  gid: number;
}

/**
 * The ways to open a file: `read` (never blocks on a pipe, never follows a link at the last component), `directory` (a
 * folder, never through a link), `create` (must not exist yet; for writing), `append` (made if missing), `journal`
 * (must exist; for reading, and for writing at its end).
 */
export type OpenHow = 'read' | 'directory' | 'create' | 'append' | 'journal';

export interface FileHandle {
  /** The number of the descriptor, or -1 where the file system has none. */
  fd: number;
  stat(): Promise<Stat>;
  /** Reads up to `length` bytes at `position`; fewer at the end of the file. */
  read(position: number, length: number): Promise<Uint8Array>;
  /** Writes all bytes at the current position. */
  write(bytes: Uint8Array): Promise<void>;
  truncate(size: number): Promise<void>;
  chmod(mode: number): Promise<void>;
  chown(uid: number, gid: number): Promise<void>;
  sync(): Promise<void>;
  /** As `sync`, but of the content and the size alone. */
  syncData(): Promise<void>;
  close(): Promise<void>;
}

export interface Fs {
  /** True where `/proc/self/fd/N/name` reaches `name` below the folder open as descriptor N (Linux). */
  readonly descriptorPaths: boolean;
  /** True where nothing outlives the machine's power, so that nothing has to be synced. */
  readonly volatile: boolean;
  open(path: string, how: OpenHow, mode?: number): Promise<FileHandle>;
  /** Reads the whole content, through links. */
  readFile(path: string): Promise<Uint8Array>;
  /** Lists the names in a folder, in no order. */
  readdir(path: string): Promise<string[]>;
  /** Returns the stat of the path, of a link itself and not its target. `null` when nothing is there: that is asked for often. */
  lstat(path: string): Promise<Stat | null>;
  readlink(path: string): Promise<string>;
  realpath(path: string): Promise<string>;
  rename(from: string, to: string): Promise<void>;
  link(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  mkdir(path: string): Promise<void>;
  rmdir(path: string): Promise<void>;
  /** Fails (EACCES, EROFS) when this process may not add and remove names in the folder. */
  checkWritable(folder: string): Promise<void>;
  /** Sets access and modification time to now. */
  touch(path: string): Promise<void>;
  /**
   * Calls `changed` when the file is touched, written or replaced, until the function that it answers is called. Throws where
   * the file is missing or cannot be watched; a file system that has no watches leaves it out.
   */
  watch?(path: string, changed: () => void): () => void;
}

/** Returns the `code` of a system error, or `undefined`. */
export function errno(error: unknown): string | undefined {
  return (error as { code?: string } | null)?.code;
}

/** Returns the `code` of an error of the operating system, such as `EIO`; `undefined` of others, such as `ERR_OUT_OF_RANGE`. */
export function systemCode(error: unknown): string | undefined {
  const code = errno(error);
  return typeof code === 'string' && /^E[A-Z0-9]+$/.test(code) ? code : undefined;
}

/** True where the process or the machine has too much in hand at the moment: the path is not to blame. */
export function isPassing(error: unknown): boolean {
  const { data } = error as { data?: { cause?: unknown } };
  return ['EMFILE', 'ENFILE', 'ENOMEM'].includes(systemCode(error) ?? String(data?.cause));
}

/** True when the error says that there is nothing at the path; every other error is an error. */
export function isMissing(error: unknown): boolean {
  return errno(error) === 'ENOENT' || errno(error) === 'ENOTDIR';
}

/** Returns the result of a read, or `null` when there is nothing at the path. Other errors pass through. */
export async function orNull<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Returns the stat of what has to be at the path. Throws ENOENT where there is nothing. */
export async function lstatOf(fs: Pick<Fs, 'lstat'>, path: string): Promise<Stat> {
  const stat = await fs.lstat(path);
  if (!stat) throw systemError('ENOENT', 'lstat', path);
  return stat;
}

/** Creates an error such as a system call gives, without a stack: that a file is missing is asked for often. */
export function systemError(code: string, call: string, path: string): Error {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const error = new Error(`${code}: ${call} '${path}'`);
  Error.stackTraceLimit = stackTraceLimit;
  return Object.assign(error, { code, syscall: call, path });
}

/** True for what link(2) says where the file system has no hard links. */
export function hasNoLinks(error: unknown): boolean {
  return ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'].includes(errno(error) ?? '');
}

/** True where link(2) makes no link: `hasNoLinks`, or the file has as many as it can, or allows none. */
export function cannotLink(error: unknown): boolean {
  return hasNoLinks(error) || ['EMLINK', 'EACCES'].includes(errno(error) ?? '');
}

/** The fields that node and its imitations give; the `Ns` ones are missing in some imitations. */
export interface BigStat {
  mode: bigint | number;
  size: bigint | number;
  mtimeNs?: bigint;
  ctimeNs?: bigint;
  mtimeMs: bigint | number;
  ctimeMs: bigint | number;
  dev: bigint | number;
  ino: bigint | number;
  uid: bigint | number;
  gid: bigint | number;
}

/** Makes the contract's `Stat` of node's. */
export function toStat(stat: BigStat): Stat {
  const mode = Number(stat.mode);
  return {
    type: TYPES[mode >> 12] ?? 'other',
    size: Number(stat.size),
    mode,
    mtimeNs: stat.mtimeNs ?? fromMs(stat.mtimeMs),
    ctimeNs: stat.ctimeNs ?? fromMs(stat.ctimeMs),
    dev: BigInt(stat.dev),
    ino: BigInt(stat.ino),
    uid: Number(stat.uid),
    gid: Number(stat.gid),
  };
}

/** The kinds of files by the upper four bits of `st_mode`: S_IFREG, S_IFDIR, S_IFLNK. */
const TYPES: Readonly<Record<number, Stat['type']>> = { 8: 'file', 4: 'directory', 10: 'symlink' };

function fromMs(ms: bigint | number): bigint {
  return BigInt(Math.trunc(Number(ms))) * 1_000_000n;
}
