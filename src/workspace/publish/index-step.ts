/** Keeping git's index in step with an edit on the checked-out branch: the edited entries change, no others. */

import { eachDone } from '../../git/all-done.ts';
import { createFile } from '../../git/durable.ts';
import { orNull, type Stat } from '../../git/fs.ts';
import { assertChangeable, readIndexEntry, trackedAs, updateIndex } from '../../git/index/file.ts';
import { racilyDirty } from '../../git/index/racy.ts';
import type { JournalIndexEntry } from '../../git/journal.ts';
import type { Context } from '../context.ts';

/** The bytes of the index, or `null` where there is none yet. */
export function readIndex(context: Context): Promise<Uint8Array | null> {
  return context.index.read();
}

/** How git tracks a path of the work tree; see `trackedAs`. */
export async function tracking(context: Context, path: string): Promise<ReturnType<typeof trackedAs>> {
  return trackedAs(await readIndex(context), path);
}

/** What the index holds at a path of the work tree. */
export function indexEntry(index: Uint8Array | null, path: string): { mode: string; oid: string } | null {
  return index && readIndexEntry(index, path);
}

/** True when the index still holds what the entries were planned on. Throws CONFLICT when they cannot be changed. */
export function indexHolds(index: Uint8Array | null, entries: readonly JournalIndexEntry[]): boolean {
  const changes = entries.map(({ path, after }) => ({ path, entry: after && { ...after, stat: NO_STAT } }));
  assertChangeable(index, changes);
  return entries.every(({ path, before }) => {
    const present = indexEntry(index, path);
    return present?.oid === before?.oid && present?.mode === before?.mode;
  });
}

/**
 * Writes the entries' `after` into the index; index.lock must be held. `temp` is a file that is not there yet. `content`
 * tells the blob id of the bytes of a file for which its entry is right, where they are known.
 */
export async function writeIndexEntries(
  context: Context,
  entries: readonly JournalIndexEntry[],
  temp: string,
  content: (path: string) => string | null = () => null,
): Promise<void> {
  const old = await readIndex(context);
  const changes = await eachDone(entries, async ({ path, after }) => ({
    path,
    entry: after && { ...after, stat: (await statOf(context, path, content(path))) ?? NO_STAT },
  }));
  const smudged = old ? await hiddenChanges(context, old) : [];
  const bytes = await updateIndex(old, changes, content => context.codec.sha1(content), smudged);
  await createFile(context.fs, temp, bytes);
  await context.fs.rename(temp, context.index.path);
  context.index.wrote(bytes);
}

/** Above this size, in bytes, git looks at the content itself when it is asked next. */
const COMPARED = 1024 * 1024;

/**
 * How the file at `path` of the work tree looks while it holds the content with the blob id `version`; else `null`:
 * git must not believe that a text somebody saved a moment ago is the one that was recorded.
 */
async function statOf(context: Context, path: string, version: string | null): Promise<Stat | null> {
  const { fs, codec, repo } = context;
  const at = `${repo.workDir}/${path}`;
  const stat = await orNull(fs.lstat(at));
  if (version === null || stat?.type !== 'file' || stat.size > COMPARED) return null;
  const bytes = await orNull(fs.readFile(at));
  if (!bytes || (await codec.hash('blob', bytes)) !== version) return null;
  const now = await orNull(fs.lstat(at));
  const same = now?.ino === stat.ino && now.mtimeNs === stat.mtimeNs && now.ctimeNs === stat.ctimeNs;
  return same ? stat : null;
}

/** Entries of other files that look unchanged and are not, as soon as the index is newer than they are. */
async function hiddenChanges(context: Context, index: Uint8Array): Promise<Uint8Array[]> {
  const { fs, codec, repo } = context;
  const writtenNs = (await fs.lstat(context.index.path)).mtimeNs;
  const hash = (content: Uint8Array): Promise<string> | string => codec.hash('blob', content);
  return racilyDirty({ fs, workDir: repo.workDir!, index, writtenNs, hash });
}

/** Git will find the entry out of date and look at the content. */
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
