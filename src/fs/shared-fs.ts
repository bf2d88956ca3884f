/**
 * A file system on which everything that is made in a repository has the mode that core.sharedRepository wants
 * (git-init(1), --shared), as git gives it to every file and folder of its own. Files of the work tree are not git's:
 * those are staged in the engine's folder, and keep the mode that they have.
 */

import { withOpen } from './durable.ts';
import { errno, type FileHandle, type Fs, type OpenHow } from './fs.ts';

/** Permission bits that are added, or that stand instead of those of the umask. */
export type SharedMode = { add: number } | { set: number } | null;

interface SharedConfig {
  get(key: string): string | undefined;
  bool(key: string, fallback: boolean): boolean;
}

const KEY = 'core.sharedrepository';
const GROUP: SharedMode = { add: 0o660 };
const EVERYBODY: SharedMode = { add: 0o664 };

/** `null`: the umask decides. A value with which git refuses to work counts as that here. */
export function sharedMode(config: SharedConfig): SharedMode {
  const value = config.get(KEY);
  if (value === undefined || value === 'umask') return null;
  if (value === 'group') return GROUP;
  if (/^(all|world|everybody)$/.test(value)) return EVERYBODY;
  if (value !== '' && /^[0-7]+$/.test(value)) return octalMode(Number.parseInt(value, 8));
  try {
    return config.bool(KEY, false) ? GROUP : null;
  } catch {
    return null;
  }
}

function octalMode(mode: number): SharedMode {
  if (mode === 1) return GROUP;
  if (mode === 2) return EVERYBODY;
  return (mode & 0o600) === 0o600 ? { set: mode & 0o666 } : null;
}

/** The permission bits of a file that would have `mode`. */
export function sharedBits(mode: number, shared: SharedMode): number {
  if (!shared) return mode;
  let bits = 'set' in shared ? shared.set : shared.add;
  if (!(mode & 0o200)) bits &= ~0o222;
  if (mode & 0o100) bits |= (bits & 0o444) >> 2;
  return 'set' in shared ? (mode & ~0o777) | bits : mode | bits;
}

/** Gives the permission bits of a shared folder; with set-group-id where its group may use the files in it. */
export function sharedFolderBits(mode: number, shared: SharedMode): number {
  const bits = sharedBits(mode, shared);
  return shared && bits & 0o060 ? bits | 0o2000 : bits;
}

interface SharedOptions {
  shared: SharedMode;
  /** The absolute paths of the folders whose content is the repository's. */
  folders: readonly string[];
  /** True for the name of a file that only waits there for its place in the work tree. */
  isForWorkTree: (name: string) => boolean;
}

/** Wraps a file system. The same file system and repository give the same wrapper, so that wrappers can be compared. */
export function sharedFs(fs: Fs, options: SharedOptions): Fs {
  if (options.shared === null) return fs;
  const known = wrapped.get(fs) ?? new Map<string, Fs>();
  wrapped.set(fs, known);
  const key = JSON.stringify([options.shared, options.folders]);
  const made = known.get(key) ?? wrap(fs, options);
  known.set(key, made);
  return made;
}

const wrapped = new WeakMap<Fs, Map<string, Fs>>();

/** The calls that make nothing, or what is no file of git's. */
const PASSED = [
  ...(['readFile', 'readdir', 'lstat', 'readlink', 'realpath', 'rename', 'link'] as const),
  ...(['unlink', 'rmdir', 'checkWritable', 'touch', 'watch'] as const),
];

function wrap(fs: Fs, { shared, folders, isForWorkTree }: SharedOptions): Fs {
  const calls = PASSED.flatMap(name => (fs[name] ? [[name, fs[name].bind(fs)]] : []));
  const isOurs = (path: string): boolean =>
    folders.some(one => path.startsWith(`${one}/`)) && !isForWorkTree(path.slice(path.lastIndexOf('/') + 1));
  return {
    ...(Object.fromEntries(calls) as Pick<Fs, (typeof PASSED)[number]>),
    descriptorPaths: fs.descriptorPaths,
    volatile: fs.volatile,
    open: async (path, how, mode) => {
      const handle = await fs.open(path, how, mode);
      if ((how !== 'create' && how !== 'append') || !isOurs(path)) return handle;
      try {
        await share(handle, how, shared);
        return handle;
      } catch (error) {
        await handle.close().catch(() => {});
        if (how === 'create') await fs.unlink(path).catch(() => {});
        throw error;
      }
    },
    mkdir: async path => {
      await fs.mkdir(path);
      if (!isOurs(path)) return;
      await withOpen(fs, path, 'directory', async handle =>
        setMode(handle, sharedFolderBits((await handle.stat()).mode & 0o7777, shared)),
      );
    },
  };
}

/** Gives a file that was just made the shared mode; a log that somebody else began keeps its own. */
async function share(handle: FileHandle, how: OpenHow, shared: SharedMode): Promise<void> {
  const { mode, size } = await handle.stat();
  const wanted = sharedBits(mode & 0o7777, shared);
  if (wanted !== (mode & 0o7777) && !(how === 'append' && size > 0)) await setMode(handle, wanted);
}

/** Leaves somebody else's file as it is, and every one on a file system without modes. */
async function setMode(handle: FileHandle, mode: number): Promise<void> {
  await handle.chmod(mode).catch(error => {
    if (!['EPERM', 'ENOTSUP', 'ENOSYS', 'EINVAL'].includes(errno(error) ?? '')) throw error;
  });
}
