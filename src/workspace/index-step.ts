/** Keeping git's index in step with an edit on the checked-out branch: the edited entries change, no others. */

import { createFile } from '../git/durable.ts';
import { orNull, type Stat } from '../git/fs.ts';
import { readIndexEntry, updateIndex } from '../git/index-file.ts';
import type { JournalIndexEntry } from '../git/journal.ts';
import type { Context } from './context.ts';

/** The bytes of the index, or `null` where there is none yet. */
export function readIndex(context: Context): Promise<Uint8Array | null> {
  return orNull(context.fs.readFile(indexPath(context)));
}

/** What the index holds at a path of the work tree. */
export function indexEntry(index: Uint8Array | null, path: string): { mode: string; oid: string } | null {
  return index && readIndexEntry(index, path);
}

/** Writes the entries' `after` into the index; index.lock must be held. `temp` is a file that is not there yet. */
export async function writeIndexEntries(
  context: Context,
  entries: readonly JournalIndexEntry[],
  temp: string,
): Promise<void> {
  const old = await readIndex(context);
  const changes = await Promise.all(
    entries.map(async ({ path, after }) => {
      const stat = after && (await orNull(context.fs.lstat(`${context.repo.workDir}/${path}`)));
      return { path, entry: after && { ...after, stat: stat ?? NO_STAT } };
    }),
  );
  const bytes = await updateIndex(old, changes, content => context.codec.sha1(content));
  await createFile(context.fs, temp, bytes);
  await context.fs.rename(temp, indexPath(context));
}

/** A file that somebody removed at this moment: git will find the entry out of date and look at the content. */
const NO_STAT: Stat = {
  type: 'file',
  size: 0,
  mode: 0,
  mtimeNs: 0n,
  ctimeNs: 0n,
  dev: 0n,
  ino: 0n,
  uid: 0,
  gid: 0,
};

function indexPath(context: Context): string {
  return `${context.repo.gitDir}/index`;
}
