/** Keeping git's index in step with an edit on the checked-out branch: the edited entries change, no others. */

import { createFile, removeIfThere, syncFile } from '../../fs/durable.ts';
import { isMissing, lstatOf, type Stat, toStat } from '../../fs/fs.ts';
import { assertChangeable, readIndexEntry, trackedAs, updateIndex } from '../../git/index/file.ts';
import { racilyDirty } from '../../git/index/racy.ts';
import type { Context } from '../context.ts';
import { makeFolders } from './engine-folder.ts';
import type { IndexEdit } from './journal/record.ts';

/** Tells how git tracks a path of the work tree; see `trackedAs`. */
export async function tracking(context: Context, path: string): Promise<ReturnType<typeof trackedAs>> {
  return trackedAs(await context.index.read(), path);
}

/** Returns what is staged at a path of the work tree; `null` where nothing is: git add --intent-to-add stages no content. */
export function indexEntry(index: Uint8Array | null, path: string): { mode: string; oid: string } | null {
  const entry = index && readIndexEntry(index, path);
  return entry?.intentToAdd ? null : entry;
}

/** True when the index still holds what the entries were planned on. Throws CONFLICT when they cannot be changed. */
export function indexHolds(index: Uint8Array | null, entries: readonly IndexEdit[]): boolean {
  const changes = entries.map(({ path, after }) => ({ path, entry: after && { ...after, stat: NO_STAT } }));
  assertChangeable(index, changes);
  return entries.every(({ path, before }) => {
    const present = indexEntry(index, path);
    return present?.oid === before?.oid && present?.mode === before?.mode;
  });
}

/** An index that is written beside the present one. */
export interface StagedIndex {
  bytes: Uint8Array;
  /** The index file from which the staged one was made. */
  was: Uint8Array | null;
}

/**
 * Writes the index with the entries' `after` as the file `temp`, which is not there yet; not synced. `stat` tells how the
 * file at a path looks while its entry is right; `null`: git has to look at the content.
 */
export async function stageIndex(
  context: Context,
  entries: readonly IndexEdit[],
  temp: string,
  stat: (path: string) => Stat | null,
): Promise<StagedIndex> {
  const was = await context.index.read();
  const changes = entries.map(({ path, after }) => ({
    path,
    entry: after && { ...after, stat: stat(path) ?? NO_STAT },
  }));
  const smudged = was ? await hiddenChanges(context, was) : [];
  const bytes = await updateIndex(was, changes, content => context.codec.sha1(content), smudged);
  await createFile(context.fs, temp, bytes, { sync: false });
  return { bytes, was };
}

/**
 * Puts a staged index, which is at `temp`, in its place; index.lock must be held. `stage` stages it once more where somebody
 * wrote the index since, or removed the engine's folder: without it the next plain commit would take the edit back.
 */
export async function publishIndex(
  context: Context,
  staged: StagedIndex,
  temp: string,
  stage: () => Promise<StagedIndex>,
): Promise<void> {
  let now = staged;
  for (let tries = 1; ; tries++)
    try {
      while ((await context.index.read()) !== now.was) {
        await removeIfThere(context.fs, temp);
        now = await stage();
        await syncFile(context.fs, temp);
      }
      await context.fs.rename(temp, context.index.path);
      return context.index.wrote(now.bytes);
    } catch (error) {
      if (!isMissing(error) || tries > 1) throw error;
      await makeFolders(context);
      now = await stage();
    }
}

/** Writes the entries' `after` into the index, durably; index.lock must be held. `temp` is a file that is not there yet. */
export async function writeIndexEntries(
  context: Context,
  entries: readonly IndexEdit[],
  temp: string,
): Promise<void> {
  const staged = await stageIndex(context, entries, temp, () => null);
  await syncFile(context.fs, temp);
  await context.fs.rename(temp, context.index.path);
  context.index.wrote(staged.bytes);
}

/** Entries of other files that look unchanged and are not, as soon as the index is newer than they are. */
async function hiddenChanges(context: Context, index: Uint8Array): Promise<Uint8Array[]> {
  const { fs, codec, repo } = context;
  const writtenNs = (await lstatOf(fs, context.index.path)).mtimeNs;
  const hash = (content: Uint8Array): Promise<string> | string => codec.hash('blob', content);
  return racilyDirty({ fs, workDir: repo.workDir!, index, writtenNs, hash });
}

/** Git will find the entry out of date and look at the content. */
const NO_STAT: Stat = toStat({ mode: 0, size: 0, mtimeMs: 0, ctimeMs: 0, dev: 0, ino: 0, uid: 0, gid: 0 });
