/**
 * Deleting a ref as git does (refs/files-backend.c): under its lock and that of `packed-refs`, its value compared, first
 * its line in `packed-refs`, then its file, so that an old value never shows up again.
 */

import { fromLatin1, latin1, utf8 } from '../../bytes.ts';
import { createFile, parentOf, removeIfThere, syncFolder } from '../../fs/durable.ts';
import { errno, orNull } from '../../fs/fs.ts';
import type { WantedLock } from '../git-locks.ts';
import type { Repository } from '../repository/repository.ts';
import { followRef, packedRefs, refPath } from './refs.ts';

/** Names the locks to hold. `staged` is the finished file that says whose they are. */
export function locksToDelete(repo: Repository, ref: string, staged: string): WantedLock[] {
  return [`${refPath(repo, ref)}.lock`, `${repo.commonDir}/packed-refs.lock`].map(path => ({ path, staged }));
}

/** Deletes a ref, with the locks held. False when it has another value, or is symbolic; then it stays. `temp` is a free path. */
export async function deleteRef(
  repo: Repository,
  ref: string,
  expected: string,
  temp: string,
): Promise<boolean> {
  const { name, oid } = await followRef(repo, ref);
  if (name !== ref || oid !== expected) return false;
  await unpack(repo, ref, temp);
  const path = refPath(repo, ref);
  if (await removeIfThere(repo.fs, path)) await syncFolder(repo.fs, parentOf(path));
  await removeIfThere(repo.fs, `${repo.commonDir}/logs/${ref}`);
  return true;
}

async function unpack(repo: Repository, ref: string, temp: string): Promise<void> {
  const text = await packedRefs(repo);
  const kept = withoutRef(text, latin1(utf8(ref)));
  if (kept === text) return;
  await createFile(repo.fs, temp, fromLatin1(kept));
  await repo.fs.rename(temp, `${repo.commonDir}/packed-refs`);
  await syncFolder(repo.fs, repo.commonDir);
}

/** Takes out the line of the ref, and the line below it that says what a tag leads to. */
function withoutRef(text: string, name: string): string {
  const at = text.indexOf(` ${name}\n`);
  if (at < 0) return text;
  const start = text.lastIndexOf('\n', at) + 1;
  let end = at + name.length + 2;
  if (text[end] === '^') end = text.indexOf('\n', end) + 1;
  return text.slice(0, start) + text.slice(end);
}

/** Removes folders that the ref left empty, up to the one at `top`. The locks must be released before. */
export async function removeEmptyFolders(repo: Repository, ref: string, top: string): Promise<void> {
  for (let folder = parentOf(ref); folder.startsWith(top) && folder !== top; folder = parentOf(folder)) {
    for (const at of [`${repo.commonDir}/${folder}`, `${repo.commonDir}/logs/${folder}`]) {
      await orNull(repo.fs.rmdir(at)).catch(error => {
        if (!['ENOTEMPTY', 'EEXIST', 'EBUSY'].includes(errno(error) ?? '')) throw error;
      });
    }
  }
}
