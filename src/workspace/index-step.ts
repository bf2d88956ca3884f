/** Keeping git's index in step with an edit on the checked-out branch: the edited entries change, no others. */

import { createFile } from '../git/durable.ts';
import { orNull, type Stat } from '../git/fs.ts';
import { readIndexEntry, trackedAs, updateIndex } from '../git/index-file.ts';
import { racilyDirty } from '../git/index-racy.ts';
import type { JournalIndexEntry } from '../git/journal.ts';
import type { Context } from './context.ts';

/** The bytes of the index, or `null` where there is none yet. */
export function readIndex(context: Context): Promise<Uint8Array | null> {
  return orNull(context.fs.readFile(indexPath(context)));
}

/** How git tracks a path of the work tree; see `trackedAs`. */
export async function tracking(context: Context, path: string): Promise<ReturnType<typeof trackedAs>> {
  return trackedAs(await readIndex(context), path);
}

/** What the index holds at a path of the work tree. */
export function indexEntry(index: Uint8Array | null, path: string): { mode: string; oid: string } | null {
  return index && readIndexEntry(index, path);
}

/**
 * Writes the entries' `after` into the index; index.lock must be held. `temp` is a file that is not there yet.
 * `published`: the files were written this moment, so that their times stand for what the entries say.
 */
export async function writeIndexEntries(
  context: Context,
  entries: readonly JournalIndexEntry[],
  temp: string,
  published: boolean,
): Promise<void> {
  const old = await readIndex(context);
  const changes = await Promise.all(
    entries.map(async ({ path, after }) => {
      const stat = published ? await orNull(context.fs.lstat(`${context.repo.workDir}/${path}`)) : null;
      return { path, entry: after && { ...after, stat: stat ?? NO_STAT } };
    }),
  );
  const smudged = old === null ? [] : await smudgedNames(context, old);
  const bytes = await updateIndex(old, changes, content => context.codec.sha1(content), smudged);
  await createFile(context.fs, temp, bytes);
  await context.fs.rename(temp, indexPath(context));
}

/** Entries whose file a person changed in the second of the last writing: a newer index would hide that. */
async function smudgedNames({ fs, codec, repo }: Context, index: Uint8Array): Promise<Uint8Array[]> {
  const { mtimeNs: writtenNs } = await fs.lstat(`${repo.gitDir}/index`);
  const hash = (content: Uint8Array): Promise<string> | string => codec.hash('blob', content);
  return racilyDirty({ fs, workDir: repo.workDir!, index, writtenNs, hash });
}

/** A file that holds who knows what: git will find the entry out of date and look at the content. */
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
