/** Files in a folder on disk. How a path is read, staged, published and recovered is in the files beside this one. */

import { EditError } from '../../errors.ts';
import { errno, type Fs, isMissing, type Stat } from '../../fs/fs.ts';
import { randomToken } from '../../fs/lock/processes.ts';
import { pathName } from '../../wording.ts';
import { checkPath, isAscii, isSameName } from '../paths.ts';
import type { Store } from '../store.ts';
import { below, type Disk, diskFailure } from './contract.ts';
import { OpenFolders } from './folders.ts';
import { pathsOf, stageOnDisk } from './publish.ts';
import { isPastTick, listStored, readEntry, readStored, sameStat } from './read.ts';
import { dropOnDisk, recoverOnDisk, syncOnDisk } from './recover.ts';
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

/** As many links as Linux follows in one path. */
const MOST_LINKS = 40;

/**
 * The path without links. What is not there yet is kept as given. Throws OUTSIDE_WORKSPACE for a link that leads out
 * or nowhere, PROTECTED_PATH, NESTED_REPOSITORY, SPECIAL_FILE, and INVALID_INPUT for another spelling of a name.
 */
async function resolveOnDisk(disk: Disk, given: string): Promise<string> {
  let path = await asNamed(disk, checkPath(given, { folder: true }));
  for (let followed = 0; followed <= MOST_LINKS; followed++) {
    const link = await firstLink(disk, path);
    if (link === null) {
      assertOutsideGit(disk, path, given);
      return path;
    }
    const target = `${await targetOf(disk, link, given)}${path.slice(link.length)}`;
    path = checkPath(target.replace(/^\//, ''), { folder: true });
  }
  const message = `The path ${pathName(given)} goes through more than ${MOST_LINKS} links.`;
  throw new EditError('SPECIAL_FILE', message, { path: given });
}

/** The path with the names that are there, where one is given in another Unicode form of exactly one of them. */
async function asNamed(disk: Disk, path: string): Promise<string> {
  if (isAscii(path)) return path;
  let at = '';
  for (const name of path.split('/')) {
    const next = below(at, name);
    const isThere = isAscii(name) || (await disk.fs.lstat(`${disk.root}/${next}`).catch(whenTooLong));
    const names = isThere ? [] : await disk.fs.readdir(`${disk.root}/${at}`).catch(() => []);
    const same = names.filter(one => isSameName(one, name));
    at = same.length === 1 ? below(at, same[0]!) : next;
  }
  return at;
}

/** Looks at each component that is there; the path of the first that is a link, or `null`. */
async function firstLink(disk: Disk, path: string): Promise<string | null> {
  let at = '';
  let folder: Stat | null = null;
  for (const name of path === '' ? [] : path.split('/')) {
    const above = at;
    at = below(above, name);
    const stat = await disk.fs.lstat(`${disk.root}/${at}`);
    if (!stat) return null;
    // A disk that keeps case takes each name in ASCII for itself.
    if (disk.foldsCase || !isAscii(name)) await assertSpelling(disk, above, name, stat);
    if (stat.type === 'symlink') return at;
    if (stat.type === 'directory') {
      await assertNotNested(disk, at, stat);
      folder = stat;
    } else if (at === path) {
      if (stat.type !== 'file') throw special(path);
      if (folder) disk.looked = { path, folder, file: stat, at: performance.now() };
    }
  }
  return null;
}

function special(path: string): EditError {
  const words = `${pathName(path)} is a device, pipe or socket, not a file with content. Name a regular file.`;
  return new EditError('SPECIAL_FILE', words, { path });
}

/** Follows a link to a path relative to the root. Where it ends outside is never told. */
async function targetOf(disk: Disk, link: string, given: string): Promise<string> {
  let real: string;
  try {
    real = await disk.fs.realpath(`${disk.root}/${link}`);
  } catch (error) {
    throw outside(given, isMissing(error) ? 'leads to a place where nothing is' : 'cannot be followed', link);
  }
  if (real === disk.root) return '';
  const prefix = disk.root === '/' ? '/' : `${disk.root}/`;
  if (!real.startsWith(prefix)) throw outside(given, 'leads out of the workspace', link);
  return real.slice(prefix.length);
}

function outside(given: string, why: string, link: string): EditError {
  const words = `The path ${pathName(given)} is refused: the link ${pathName(link)} ${why}. Name a file inside the workspace.`;
  return new EditError('OUTSIDE_WORKSPACE', words, { path: given, link });
}

function assertOutsideGit(disk: Disk, path: string, given: string): void {
  if (disk.gitInside === null || !`${path}/`.startsWith(`${disk.gitInside}/`)) return;
  const message = `The path ${pathName(given)} is in git's own folder. It is not edited here: use git's commands.`;
  throw new EditError('PROTECTED_PATH', message, { path: given });
}

/**
 * A work tree or submodule has `.git`; a bare repository has HEAD, objects and refs. A folder that looks as it did has no
 * other names in it.
 */
async function assertNotNested(disk: Disk, path: string, stat: Stat): Promise<void> {
  const known = disk.plain.get(path);
  if (known && sameStat(known.stat, stat) && isPastTick(known)) return;
  const at = Date.now();
  const has = (name: string): Promise<Stat | null> => disk.fs.lstat(`${disk.root}/${path}/${name}`);
  const nested =
    (await has('.git')) || ((await has('HEAD')) && (await has('objects')) && (await has('refs')));
  if (!nested) disk.plain.set(path, { stat, at });
  if (!nested || path === disk.gitInside) return;
  const words = `${pathName(path)} is a repository of its own. Open a workspace in it to edit its files.`;
  throw new EditError('NESTED_REPOSITORY', words, { path });
}

/**
 * Refuses a second spelling of a name, on a file system that folds case or normalises: when a different spelling leads
 * to the same file, the one given must be the one that the folder lists.
 */
async function assertSpelling(disk: Disk, folder: string, name: string, stat: Stat): Promise<void> {
  const at = `${disk.root}/${folder}`;
  for (const other of otherSpellings(disk, name)) {
    const found = await disk.fs.lstat(`${at}/${other}`).catch(whenTooLong);
    if (!found || found.ino !== stat.ino || found.dev !== stat.dev) continue;
    const names = await disk.fs.readdir(at);
    if (names.includes(name)) return;
    const suggestion = names.find(listed => folded(listed) === folded(name)) ?? other;
    const path = below(folder, name);
    const words = `The path ${pathName(path)} is spelled ${pathName(below(folder, suggestion))} on this disk. Use that spelling.`;
    throw new EditError('INVALID_INPUT', words, { path, suggestion: below(folder, suggestion) });
  }
}

/** The other spelling of a long name can be longer than any name on disk. */
function whenTooLong(error: unknown): null {
  if (errno(error) === 'ENAMETOOLONG') return null;
  throw error;
}

/** A disk that keeps case may still take the composed and the decomposed form of a letter for the same. */
function otherSpellings(disk: Disk, name: string): string[] {
  const upper = name.toUpperCase();
  const others = new Set([name.normalize('NFC'), name.normalize('NFD')]);
  if (disk.foldsCase) others.add(upper === name ? name.toLowerCase() : upper);
  others.delete(name);
  return [...others];
}

function folded(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}
