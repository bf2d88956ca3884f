/** Finishing or taking back, after a crash, what a record describes. */

import { EditError } from '../errors.ts';
import { removeIfThere } from '../git/durable.ts';
import { orNull } from '../git/fs.ts';
import { type Disk, type Folder, onDisk, splitPath } from './disk-contract.ts';
import { StagedOnDisk } from './disk-publish.ts';
import { readStored } from './disk-read.ts';
import { besideName, type DiskRecord, type RecordedFile, stageFiles } from './disk-stage.ts';
import { inFolder } from './disk-walk.ts';
import type { StoreChange, StoredFile } from './store.ts';

/**
 * Gives each recorded file the content of the wanted side, when it holds that of the other one. A file that holds
 * neither was changed by somebody else since and stays. Staged files of the run that crashed are removed.
 */
export async function recoverOnDisk(
  disk: Disk,
  record: DiskRecord,
  direction: 'forward' | 'back',
  blob: (version: string) => Promise<Uint8Array | null>,
): Promise<void> {
  const changes: StoreChange[] = [];
  for (const file of record.files) {
    const content = async (version: string): Promise<Uint8Array | null> =>
      (await stagedContent(disk, file, version)) ?? blob(version);
    const change = await missingChange(disk, file, direction, content);
    if (change) changes.push(change);
  }
  await removeTemporaries(disk, record.files);
  const staged = new StagedOnDisk(disk, await stageFiles(disk, changes, record.files));
  await staged.sync();
  await staged.publish();
  for (const file of record.files) {
    if (!file[direction === 'forward' ? 'after' : 'before']) await staged.prune(splitPath(file.path).folder);
  }
  await staged.settle(record.files.flatMap(file => foldersAbove(file.path)));
  await staged.discard();
}

async function removeTemporaries(disk: Disk, files: readonly RecordedFile[]): Promise<void> {
  for (const file of files) {
    await removeIfThere(disk.fs, `${disk.stageFolder}/${file.staged}`);
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

async function presentFile(disk: Disk, path: string): Promise<StoredFile | null | 'something else'> {
  try {
    return await onDisk('Reading', path, () => readStored(disk, path));
  } catch (error) {
    if (error instanceof EditError && error.code !== 'STORE_FAILED') return 'something else';
    throw error;
  }
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
