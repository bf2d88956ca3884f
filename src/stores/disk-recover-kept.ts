/** After a crash: the files that lost their place to a change, and what somebody may have written into them. */

import { orNull } from '../git/fs.ts';
import { type Disk, splitPath } from './disk-contract.ts';
import { dropKept, keptName, putInGap } from './disk-keep.ts';
import { presentFile } from './disk-read.ts';
import type { RecordedFile } from './disk-stage.ts';
import { inFolder, inMadeFolder } from './disk-walk.ts';

/**
 * Puts a kept file back when it holds somebody else's text, or when the change is taken back; not where somebody took
 * its place since. Then it is gone from the stage folder.
 */
export async function recoverKept(
  disk: Disk,
  file: RecordedFile,
  direction: 'forward' | 'back',
): Promise<void> {
  const kept = keptName(file);
  const stat = await orNull(disk.fs.lstat(`${disk.stageFolder}/${kept}`));
  if (!stat) return;
  const version =
    stat.type === 'file' ? await disk.hash(await disk.fs.readFile(`${disk.stageFolder}/${kept}`)) : null;
  const isForeign = version !== file.before?.version && version !== file.after?.version;
  const isWanted = isForeign || (direction === 'back' && version === file.before?.version);
  if (isWanted) await placeKept(disk, file, kept, stat.ino);
  await dropKept(disk, { name: kept });
}

async function placeKept(disk: Disk, file: RecordedFile, kept: string, ino: bigint): Promise<void> {
  const { folder, name } = splitPath(file.path);
  const present = await presentFile(disk, file.path);
  if (present === null && !file.after) {
    await inMadeFolder(
      disk,
      folder,
      () => {},
      open => putInGap(disk, open, name, kept),
    );
  }
  if (present === null || present === 'something else') return;
  const isOurs = [file.before?.version, file.after?.version].includes(present.version);
  if (!isOurs) return;
  await inFolder(disk, folder, async open => {
    const target = `${open.at}/${name}`;
    const now = await orNull(disk.fs.lstat(target));
    if (now && now.ino !== ino) await disk.fs.rename(`${disk.stageFolder}/${kept}`, target);
  });
}
