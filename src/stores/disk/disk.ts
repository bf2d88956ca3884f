/** Files in a folder on disk. How a path is reached, read, staged, published and recovered is in disk-*.ts. */

import { EditError } from '../../errors.ts';
import type { Fs, Stat } from '../../fs/fs.ts';
import { randomToken } from '../../fs/lock/processes.ts';
import type { Store } from '../store.ts';
import { type Disk, diskFailure } from './contract.ts';
import { OpenFolders } from './folders.ts';
import { pathsOf, stageOnDisk } from './publish.ts';
import { listStored, readEntry, readStored, sizesStored } from './read.ts';
import { dropOnDisk, recoverOnDisk, syncOnDisk } from './recover.ts';
import { resolveOnDisk } from './resolve.ts';
import type { DiskRecord } from './staged-file.ts';

export interface DiskOptions extends Pick<Disk, 'fs' | 'stageFolder' | 'hash'> {
  /** The workspace's folder, absolute. Links in it are resolved once, at the first call. */
  root: string;
  /** The repository's own folder, absolute. */
  gitDir: string;
  /** In bytes; default 64 MiB. */
  maxBytes?: number;
  euid?: number | undefined;
}

/** A store over a folder. System errors come out as STORE_FAILED with the `cause` in `data`. */
export function diskStore(options: DiskOptions): Store {
  let opened: Promise<Disk> | null = null;
  let ready: Disk | null = null;
  /** Runs an action of the disk on `path`, and words its failure. */
  const on = async <A extends unknown[], T>(
    what: string,
    path: string,
    action: (disk: Disk, ...args: A) => Promise<T>,
    ...args: A
  ): Promise<T> => {
    // Asked again when it failed: the folder may be there the next time.
    opened ??= openDisk(options).catch(error => {
      opened = null;
      throw error;
    });
    try {
      ready ??= await opened;
      return await action(ready, ...args);
    } catch (error) {
      const failure = diskFailure(what, path, error);
      throw (await isGone(options)) ? folderGone() : failure;
    }
  };
  const all = 'the workspace';
  return {
    separate: true,
    resolve: path => on('Reading', path, resolveOnDisk, path),
    read: path => on('Reading', path, readStored, path),
    entry: path => on('Reading', path, readEntry, path),
    sizesOf: paths => on('Reading', all, sizesStored, paths),
    list: (path, most) => on('Reading', path, listStored, path, most),
    stage: (changes, name = freshName()) => on('Writing', pathsOf(changes), stageOnDisk, changes, name),
    recover: (records, recovery) =>
      on('Repairing', all, recoverOnDisk, records as readonly DiskRecord[], recovery),
    drop: (record, kept) => on('Repairing', all, dropOnDisk, record as DiskRecord, { kept }),
    sync: records => on('Syncing', all, syncOnDisk, records as readonly DiskRecord[]),
    close: async () => (await opened)?.folders.close(),
  };
}

async function isGone({ fs, root }: DiskOptions): Promise<boolean> {
  return (await fs.lstat(root).catch(() => true)) === null;
}

function folderGone(): EditError {
  const message =
    'The folder of the workspace is gone: it was removed or moved. What was edited in it stays in history. Put the folder back, or open the workspace where it is now.';
  return new EditError('NOT_A_REPOSITORY', message, { gone: true });
}

/** Names changes that nobody else gives a name. */
function freshName(): string {
  return `${randomToken()}.0`;
}

const MAX_BYTES: number = 64 * 1024 * 1024;

async function openDisk(options: DiskOptions): Promise<Disk> {
  const { fs, stageFolder, hash, euid, maxBytes = MAX_BYTES } = options;
  const [root, gitDir] = [await fs.realpath(options.root), await fs.realpath(options.gitDir)];
  return {
    ...{ fs, root, stageFolder, hash, euid, maxBytes },
    gitInside: gitDir.startsWith(`${root}/`) ? gitDir.slice(root.length + 1) : null,
    foldsCase: await foldsCase(fs, root, gitDir),
    folders: new OpenFolders(fs, root),
    seen: new WeakMap(),
    plain: new Map(),
    looked: null,
  };
}

/** True when the disk of the files folds case, or when git's own folder, which always holds HEAD, is elsewhere and cannot tell. */
async function foldsCase(fs: Fs, root: string, gitDir: string): Promise<boolean> {
  const look = (path: string): Promise<Stat | null> => fs.lstat(path);
  const [top, head, other] = [await look(root), await look(`${gitDir}/HEAD`), await look(`${gitDir}/head`)];
  if (!head || head.dev !== top?.dev) return true;
  return other?.ino === head.ino;
}
