/** Finishing, after a crash or a power cut, what the records of published changes describe. */

import { EditError } from '../../errors.ts';
import { ensureFolder, exists, parentOf, removeIfThere } from '../../fs/durable.ts';
import { type Fs, isPassing, type Stat } from '../../fs/fs.ts';
import {
  decideAside,
  decideFile,
  type Evidence,
  type FileRecord,
  isSameVersion,
  type Version,
} from '../../fs/recovery-rules.ts';
import { foldersAbove, isTreePath } from '../paths.ts';
import type { Recovery, StoreChange } from '../store.ts';
import { dropBackup } from './backup.ts';
import { type Disk, type Folder, splitPath } from './contract.ts';
import { inOrder, stageOnDisk } from './publish.ts';
import { pruneFolders } from './put-in-place.ts';
import { presentFile } from './read.ts';
import {
  backupName,
  besideName,
  type DiskRecord,
  evidenceOf,
  isStagedName,
  type RecordedFile,
} from './staged-file.ts';
import { inFolder } from './walk.ts';

/** Brings each file of the records to what the last record of it says, where the rules of recovery say so. */
export async function recoverOnDisk(
  disk: Disk,
  records: readonly DiskRecord[],
  recovery: Recovery,
): Promise<string[]> {
  const byPath = new Map<string, RecordedFile[]>();
  for (const file of records.flatMap(ownFiles))
    byPath.set(file.path, [...(byPath.get(file.path) ?? []), file]);
  const lost: string[] = [];
  const isOpen = async (last: RecordedFile): Promise<boolean> => {
    const present = await evidenceAt(disk, last.path);
    const staged = await disk.fs.lstat(`${disk.stageFolder}/${last.staged}`);
    // Nobody else touches the stage folder: it came with a copy of the repository.
    const isCopied = staged !== null && last.ours !== null && String(staged.ino) !== last.ours.ino;
    const version = recovery.isAside || isCopied ? { version: await versionAt(disk, last.path) } : {};
    const decided = decideFile({
      boot: recovery.boot,
      records: byPath.get(last.path)!.map(asRule),
      publication: 'published',
      others: (await recovery.isCurrent(last.path)) ? null : { head: OTHER },
      present,
      isStaged: staged !== null,
      ...version,
    });
    const isTold = recovery.boot === 'other' && !recovery.isAside;
    if (decided !== 'leave' && isTold && present === null && last.after) lost.push(last.path);
    return decided !== 'leave';
  };
  const lasts = [...byPath.values()].map(files => files.at(-1)!);
  const left = new Set<string>();
  const tell: Recovery['left'] = (path, error) => {
    left.add(path);
    recovery.left!(path, error);
  };
  await publishAgain(disk, lasts, isOpen, recovery.left ? { ...recovery, left: tell } : recovery);
  // What lies staged tells the next repair what is open, should this one fail to set it aside.
  for (const { files } of records)
    await dropOnDisk(disk, { files: files.filter(({ path }) => !left.has(path)) }, recovery);
  return lost;
}

function asRule({ before, after, seen, ours }: RecordedFile): FileRecord {
  return { before, after, was: seen, staged: ours };
}

/** Reads the version of the file at a path; `null` where there is none. Throws STORE_FAILED. */
async function versionAt(disk: Disk, path: string): Promise<Version> {
  const file = await presentFile(disk, path);
  return file === 'something else' ? OTHER : file;
}

/** A version that no file has. */
const OTHER: Version = { version: '', mode: '' };

/** Clears what a record left that does not count: text that somebody wrote into a replaced file is kept, the rest is removed. */
export async function dropOnDisk(
  disk: Disk,
  record: DiskRecord,
  recovery: Pick<Recovery, 'left' | 'kept'> = {},
): Promise<void> {
  for (const file of ownFiles(record)) {
    // The newest first: what an earlier recovery kept, then what the run that crashed did.
    for (const one of [renamed(file), file]) await recoverBackup(disk, one, recovery.kept).catch(whenMoved);
    await removeBeside(disk, [file, renamed(file)]).catch(error => asLeft(recovery, file.path, error));
    for (const one of [renamed(file), file])
      await removeIfThere(disk.fs, `${disk.stageFolder}/${one.staged}`);
  }
}

/** Finds the paths of records whose new content still lies in the stage folder; of records of other stores, none. */
export async function stillStaged(
  fs: Fs,
  stageFolder: string,
  records: readonly unknown[],
): Promise<string[]> {
  const paths: string[] = [];
  for (const file of (records as DiskRecord[]).flatMap(ownFiles))
    if (await exists(fs, `${stageFolder}/${file.staged}`)) paths.push(file.path);
  return paths;
}

/** Makes durable the names that published records changed: those in the folders of their files, and in those above. */
export async function syncOnDisk(disk: Disk, records: readonly DiskRecord[]): Promise<void> {
  // Which of the folders above a file the change made is not known.
  const files = records.flatMap(ownFiles);
  const folders = new Set(files.flatMap(({ path }) => [...foldersAbove(path), '']));
  for (const path of folders) await inFolder(disk, path, open => open.sync()).catch(whenMoved);
}

/** Returns the files of a record whose names are such as are given here: it may come with a repository that somebody else made. */
function ownFiles({ files }: DiskRecord): RecordedFile[] {
  return (Array.isArray(files) ? files : []).filter(isOwn).map(withoutSpecialBits);
}

function isOwn(file: RecordedFile): boolean {
  try {
    const { path, staged, before, after, was, seen, ours } = file;
    const isNamed = typeof staged === 'string' && isStagedName(staged) && typeof path === 'string';
    return (
      isNamed &&
      isTreePath(path) &&
      [before, after].every(isSide) &&
      [seen, ours].every(one => typeof one === 'object') &&
      (was === null || [was.perm, was.uid, was.gid].every(Number.isSafeInteger))
    );
  } catch {
    return false;
  }
}

function isSide(side: RecordedFile['after']): boolean {
  return side === null || (/^100(644|755)$/.test(side.mode) && /^[0-9a-f]{40}$/.test(side.version));
}

/** Takes away the bits that let a file run as another user. */
function withoutSpecialBits(file: RecordedFile): RecordedFile {
  return { ...file, was: file.was && { ...file.was, perm: file.was.perm & 0o777 } };
}

function renamed(file: RecordedFile): RecordedFile {
  return { ...file, staged: `${file.staged}-again` };
}

async function removeBeside(disk: Disk, files: readonly RecordedFile[]): Promise<void> {
  for (const file of files) {
    const remove = (open: Folder): Promise<boolean> =>
      removeIfThere(disk.fs, `${open.at}/${besideName(file)}`);
    await inFolder(disk, splitPath(file.path).folder, remove).catch(whenMoved);
  }
}

/** Tells recovery that a path waits; throws the error where nobody can be told, or where the process is to blame. */
function asLeft(recovery: Pick<Recovery, 'left'>, path: string, error: unknown): void {
  if (!recovery.left || isPassing(error)) throw error;
  recovery.left(path, error);
}

/** Passes over a folder that was swapped for a link meanwhile: it holds nothing of ours. */
function whenMoved(error: unknown): void {
  if (!(error instanceof EditError)) throw error;
}

async function evidenceAt(disk: Disk, path: string): Promise<Evidence | null> {
  const { folder, name } = splitPath(path);
  const look = (open: Folder): Promise<Stat | null> => disk.fs.lstat(`${open.at}/${name}`);
  const stat = await inFolder(disk, folder, look).catch(error => {
    whenMoved(error);
    return null;
  });
  return evidenceOf(stat);
}

/** Gives the files for which `isOpen` says so what they shall hold, as a change of its own. */
async function publishAgain(
  disk: Disk,
  files: readonly RecordedFile[],
  isOpen: (file: RecordedFile) => Promise<boolean>,
  recovery: Recovery,
): Promise<void> {
  const changes: StoreChange[] = [];
  for (const file of files) {
    const left = (error: unknown): void => asLeft(recovery, file.path, error);
    // What an earlier recovery left that was cut short.
    await recoverBackup(disk, renamed(file), recovery.kept).catch(whenMoved);
    await removeBeside(disk, [file, renamed(file)]).catch(left);
    const change = await isOpen(file)
      .then(open => (open ? changeFor(disk, file, recovery) : null))
      .catch(left);
    if (change) changes.push(change);
    await removeIfThere(disk.fs, `${disk.stageFolder}/${renamed(file).staged}`);
  }
  const deleted = files.filter(({ after }) => !after).map(({ path }) => splitPath(path).folder);
  const publish = (some: readonly StoreChange[]): Promise<void> =>
    publishStaged(disk, some, files.map(renamed), new Set(deleted));
  try {
    await publish(changes);
  } catch {
    // Each by itself, so that one that cannot be put in place keeps no other from it. A folder that a file leaves and
    // another one enters is not empty in between: it would be made anew, without its mode.
    for (const { change } of inOrder(changes.map(one => ({ change: one }))))
      if (!isSameVersion(await versionAt(disk, change.path).catch(() => OTHER), change.after))
        await publish([change]).catch(error => asLeft(recovery, change.path, error));
  }
}

async function publishStaged(
  disk: Disk,
  changes: readonly StoreChange[],
  files: readonly RecordedFile[],
  folders: ReadonlySet<string>,
): Promise<void> {
  const staged = await stageOnDisk(disk, changes, NO_NAME, files);
  try {
    await staged.sync();
    await staged.publish();
    for (const folder of folders) await pruneFolders(disk, folder).catch(whenMoved);
    await staged.settle();
  } finally {
    await staged.discard();
  }
}

/** Stands for the beginning of names that nothing needs: every file that recovery stages has a name already. */
const NO_NAME = 'unnamed';

async function changeFor(disk: Disk, file: RecordedFile, { blob }: Recovery): Promise<StoreChange | null> {
  const before = await presentFile(disk, file.path);
  if (before === 'something else') return null;
  if (!file.after) return before && { path: file.path, before, after: null };
  const bytes = await blob(file.after.version);
  return bytes && { path: file.path, before, after: { ...file.after, bytes } };
}

/**
 * A file that lost its place to a change, and has a second name since: what somebody wrote into it goes to the folder `kept` of
 * the engine, and is told. Then the second name goes.
 */
async function recoverBackup(disk: Disk, file: RecordedFile, kept: Recovery['kept']): Promise<void> {
  const name = backupName(file);
  const at = `${disk.stageFolder}/${name}`;
  const stat = await disk.fs.lstat(at);
  if (!stat) return;
  const facts = { was: file.seen, aside: evidenceOf(stat)!, present: await evidenceAt(disk, file.path) };
  const isWritten = stat.type === 'file' && decideAside(facts) === 'keep';
  if (!isWritten || !(await isSomebodys(disk, at, file))) return void (await dropBackup(disk, file));
  const folder = `${parentOf(disk.stageFolder)}/kept`;
  await ensureFolder(disk.fs, folder);
  await disk.fs.rename(at, `${folder}/${name}`);
  kept?.(file.path, `${folder}/${name}`);
}

/** False for a version of the record's, and for zeros, which a power cut leaves. */
async function isSomebodys(disk: Disk, at: string, { before, after }: RecordedFile): Promise<boolean> {
  const bytes = await disk.fs.readFile(at);
  const version = await disk.hash(bytes);
  return ![before?.version, after?.version].includes(version) && bytes.some(byte => byte !== 0);
}
