/** Files in a folder on disk. How a path is reached, read, staged, published and recovered is in disk-*.ts. */

import { EditError } from '../../errors.ts';
import type { Fs, Stat } from '../../fs/fs.ts';
import { randomToken } from '../../fs/lock/processes.ts';
import { checkPath, isTreePath } from '../paths.ts';
import type { Recovery, Staged, Store, StoreChange, StoredFile, StoreEntry } from '../store.ts';
import { type Disk, diskFailure } from './contract.ts';
import { KeptFolders } from './folders.ts';
import { listStored } from './list.ts';
import { StagedOnDisk } from './publish.ts';
import { readEntry, readStored, sizesStored } from './read.ts';
import { dropOnDisk, recoverOnDisk, syncOnDisk } from './recover.ts';
import { resolveOnDisk } from './resolve.ts';
import { stageFiles } from './stage.ts';
import type { DiskRecord } from './staged-file.ts';

export interface DiskOptions {
  fs: Fs;
  /** The workspace's folder, absolute. Links in it are resolved once, at the first call. */
  root: string;
  /** The repository's own folder, absolute. */
  gitDir: string;
  /** An absolute folder for new contents that are not visible yet, on the disk of the repository. */
  stageFolder: string;
  /** The git blob id of a content. */
  hash(content: Uint8Array): Promise<string> | string;
  /** The largest file that is read or written, in bytes; default 64 MiB. */
  maxBytes?: number;
  /** Allow `.gitmodules`. */
  gitmodules?: boolean;
  /** The user id of this process, where files have owners. */
  euid?: number | undefined;
}

/** A store over a folder. System errors come out as STORE_FAILED with the `cause` in `data`. */
export function diskStore(options: DiskOptions): Store {
  return new DiskStore(options);
}

class DiskStore implements Store {
  readonly separate = true;
  readonly #options: DiskOptions;
  #disk: Promise<Disk> | null = null;
  /** As soon as it is open. */
  #open: Disk | null = null;

  constructor(options: DiskOptions) {
    this.#options = options;
  }

  resolve(path: string): Promise<string> {
    return this.#on('Reading', path, disk => resolveOnDisk(disk, path));
  }

  read(path: string): Promise<StoredFile | null> {
    return this.#on('Reading', path, disk => readStored(disk, real(path)));
  }

  entry(path: string): Promise<StoredFile | null> {
    return this.#on('Reading', path, disk => readEntry(disk, real(path)));
  }

  sizesOf(paths: readonly string[]): Promise<(number | null)[]> {
    return this.#on('Reading', 'the workspace', disk => sizesStored(disk, paths));
  }

  list(path: string, most?: number): Promise<StoreEntry[] | null> {
    return this.#on('Reading', path, disk => listStored(disk, real(path), most));
  }

  stage(changes: readonly StoreChange[], name: string = freshName()): Promise<Staged> {
    return this.#on('Writing', changes, async disk => {
      for (const { path } of changes) real(path, false);
      return new StagedOnDisk(disk, await stageFiles(disk, changes, name));
    });
  }

  recover(records: readonly unknown[], recovery: Recovery): Promise<string[]> {
    return this.#repair(disk => recoverOnDisk(disk, records as DiskRecord[], recovery));
  }

  drop(record: unknown, kept?: Recovery['kept']): Promise<void> {
    return this.#repair(disk => dropOnDisk(disk, record as DiskRecord, { kept }));
  }

  sync(records: readonly unknown[]): Promise<void> {
    return this.#on('Syncing', 'the workspace', disk => syncOnDisk(disk, records as DiskRecord[]));
  }

  async close(): Promise<void> {
    await (await this.#disk)?.folders.close();
  }

  #repair<T>(repair: (disk: Disk) => Promise<T>): Promise<T> {
    return this.#on('Repairing', 'the workspace', repair);
  }

  async #on<T>(
    what: string,
    paths: string | readonly StoreChange[],
    action: (disk: Disk) => Promise<T>,
  ): Promise<T> {
    try {
      return await action(this.#open ?? (await this.#opened()));
    } catch (error) {
      const named = typeof paths === 'string' ? paths : paths.map(({ path }) => path).join(', ');
      const failure = diskFailure(what, named, error);
      throw (await this.#isGone(failure)) ? folderGone() : failure;
    }
  }

  async #isGone(error: unknown): Promise<boolean> {
    const { fs, root } = this.#options;
    const isMissing = error instanceof EditError && error.data.cause === 'ENOENT';
    return isMissing && (await fs.lstat(root).catch(() => true)) === null;
  }

  /** Asked again when it failed: the folder may be there the next time. */
  #opened(): Promise<Disk> {
    this.#disk ??= openDisk(this.#options).then(
      disk => (this.#open = disk),
      error => {
        this.#disk = null;
        throw error;
      },
    );
    return this.#disk;
  }
}

function folderGone(): EditError {
  return new EditError(
    'NOT_A_REPOSITORY',
    'The folder of the workspace is gone: it was removed or moved. What was edited in it stays in history. Put the folder back, or open the workspace where it is now.',
    { gone: true },
  );
}

/** For changes that nobody else gives a name. */
function freshName(): string {
  return `${randomToken()}.0`;
}

/**
 * Real paths come from `resolve`, so the rules hold for them; those of a merge from a tree, so that they may be such as no
 * request can name. One that breaks git's own rules never gets to the disk.
 */
function real(path: string, folder = true): string {
  if (isTreePath(path) || (folder && path === '')) return path;
  checkPath(path, { folder, gitmodules: true });
  throw new EditError('INVALID_INPUT', `The path ${path} is not a real path. Resolve it first.`, { path });
}

/** 64 MiB. */
const MAX_BYTES: number = 64 * 1024 * 1024;

async function openDisk(options: DiskOptions): Promise<Disk> {
  const { fs, stageFolder, hash } = options;
  const root = await fs.realpath(options.root);
  const gitDir = await fs.realpath(options.gitDir);
  return {
    fs,
    root,
    gitInside: gitDir.startsWith(`${root}/`) ? gitDir.slice(root.length + 1) : null,
    stageFolder,
    hash,
    maxBytes: options.maxBytes ?? MAX_BYTES,
    gitmodules: options.gitmodules ?? false,
    euid: options.euid,
    foldsCase: await foldsCase(fs, root, gitDir),
    folders: new KeptFolders(fs, root),
    seen: new WeakMap(),
    plain: new Map(),
    looked: null,
  };
}

/** Git's own folder tells, as it always holds HEAD, when it is on the disk of the files. */
async function foldsCase(fs: Fs, root: string, gitDir: string): Promise<boolean> {
  const look = (path: string): Promise<Stat | null> => fs.lstat(path);
  const [top, head, other] = [await look(root), await look(`${gitDir}/HEAD`), await look(`${gitDir}/head`)];
  if (!head || head.dev !== top?.dev) return true;
  return other?.ino === head.ino;
}
