/** Finishing or taking back, after a crash, what a record describes. */

import { EditError } from '../errors.ts';
import { removeIfThere } from '../git/durable.ts';
import { orNull } from '../git/fs.ts';
import { type Disk, type Folder, splitPath } from './disk-contract.ts';
import { StagedOnDisk } from './disk-publish.ts';
import { presentFile } from './disk-read.ts';
import { recoverKept } from './disk-recover-kept.ts';
import { besideName, type DiskRecord, isStagedName, type RecordedFile, stageFiles } from './disk-stage.ts';
import { inFolder } from './disk-walk.ts';
import { checkPath } from './paths.ts';
import type { StoreChange, StoredFile } from './store.ts';

/**
 * Gives each recorded file the content of the wanted side, when it holds that of the other one. A file that holds
 * neither was changed by somebody else since and stays. Staged files of the run that crashed are removed.
 */
export async function recoverOnDisk(
  disk: Disk,
  { files }: DiskRecord,
  direction: 'forward' | 'back',
  blob: (version: string) => Promise<Uint8Array | null>,
): Promise<void> {
  const record: DiskRecord = {
    files: Array.isArray(files) ? files.filter(isOwn).map(withoutSpecialBits) : [],
  };
  const again = record.files.map(file => ({ ...file, staged: `${file.staged}-again` }));
  for (const [i, file] of record.files.entries()) {
    // The newest first: what an earlier recovery kept, then what the run that crashed did.
    for (const one of [again[i]!, file]) await recoverKept(disk, one, direction).catch(whenMoved);
  }
  await removeBeside(disk, [...record.files, ...again]);
  await removeStages(disk, again);
  const changes: StoreChange[] = [];
  for (const file of record.files) {
    const content = async (version: string): Promise<Uint8Array | null> =>
      (await stagedContent(disk, file, version)) ?? blob(version);
    const change = await missingChange(disk, file, direction, content);
    if (change) changes.push(change);
  }
  const staged = new StagedOnDisk(disk, await stageFiles(disk, changes, again));
  await staged.sync();
  await staged.publish();
  for (const file of record.files) {
    const { folder } = splitPath(file.path);
    if (!file[direction === 'forward' ? 'after' : 'before']) await staged.prune(folder).catch(whenMoved);
  }
  await staged.settle();
  for (const path of new Set(record.files.flatMap(file => foldersAbove(file.path))))
    await inFolder(disk, path, open => open.sync()).catch(whenMoved);
  await staged.discard();
  await removeStages(disk, record.files);
}

/** The record may come with a repository that somebody else made: names must be such as are given here. */
function isOwn(file: RecordedFile): boolean {
  try {
    return isStagedName(file.staged) && checkPath(file.path, { gitmodules: true }) === file.path;
  } catch {
    return false;
  }
}

/** Nor may it give a file the right to run as another user. */
function withoutSpecialBits(file: RecordedFile): RecordedFile {
  return { ...file, was: file.was && { ...file.was, perm: file.was.perm & 0o777 } };
}

async function removeStages(disk: Disk, files: readonly RecordedFile[]): Promise<void> {
  for (const file of files) await removeIfThere(disk.fs, `${disk.stageFolder}/${file.staged}`);
}

async function removeBeside(disk: Disk, files: readonly RecordedFile[]): Promise<void> {
  for (const file of files) {
    const remove = (open: Folder): Promise<boolean> =>
      removeIfThere(disk.fs, `${open.at}/${besideName(file)}`);
    await inFolder(disk, splitPath(file.path).folder, remove).catch(whenMoved);
  }
}

/** A folder that was swapped for a link meanwhile holds nothing of ours. */
function whenMoved(error: unknown): void {
  if (!(error instanceof EditError)) throw error;
}

/**
 * What the run that crashed had staged, if it is whole. Git need not have these bytes: it may have recorded others,
 * with other line ends.
 */
async function stagedContent(disk: Disk, file: RecordedFile, version: string): Promise<Uint8Array | null> {
  const bytes = await orNull(disk.fs.readFile(`${disk.stageFolder}/${file.staged}`));
  return bytes && (await disk.hash(bytes)) === version ? bytes : null;
}

/** What is left to do for one file, or `null`: also when nobody has the content any more. */
async function missingChange(
  disk: Disk,
  file: RecordedFile,
  direction: 'forward' | 'back',
  content: (version: string) => Promise<Uint8Array | null>,
): Promise<StoreChange | null> {
  const [wanted, other] = direction === 'forward' ? [file.after, file.before] : [file.before, file.after];
  const present = await presentFile(disk, file.path);
  if (present === 'something else') return null;
  if (holds(present, wanted, other) || !holds(present, other, wanted)) return null;
  const bytes = wanted && (await content(wanted.version));
  if (wanted && !bytes) return null;
  return { path: file.path, before: present, after: wanted && { ...wanted, bytes: bytes! } };
}

/** The mode tells only where the content does not: some file systems keep no execute bit. */
function holds(
  present: StoredFile | null,
  side: RecordedFile['after'],
  other: RecordedFile['after'],
): boolean {
  if (!present || !side) return !present && !side;
  return present.version === side.version && (side.version !== other?.version || present.mode === side.mode);
}

/** Every folder from the root to that of the file: which of them the crashed run made is not known. */
function foldersAbove(path: string): string[] {
  const folders = [];
  for (let at = splitPath(path).folder; at !== ''; at = splitPath(at).folder) folders.push(at);
  return [...folders, ''];
}
