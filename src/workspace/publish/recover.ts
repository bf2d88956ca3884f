/**
 * Repair after a crash, before anything else is done: what the journal says was published is finished, what was not
 * is taken back. Only called with the engine's lock held, so no living process has work under way here.
 */

import { letPacksGo } from '../../git/collector.ts';
import { createFile, emptyFolder, parentOf, removeIfThere } from '../../git/durable.ts';
import { orNull } from '../../git/fs.ts';
import { lockedByGit, releaseGitLocks, tryGitLocks } from '../../git/git-locks.ts';
import { type JournalEntry, type JournalIndexEntry, readJournal, removeJournal } from '../../git/journal.ts';
import { parseCommit } from '../../git/objects/commit.ts';
import { objectTemp, syncFolders, syncObjects, writeObjects } from '../../git/objects/loose.ts';
import { readRef } from '../../git/refs/refs.ts';
import { sleep } from '../../git/sleep.ts';
import { type Context, collectorOf, looseOf } from '../context.ts';
import { indexEntry, readIndex, writeIndexEntries } from './index-step.ts';
import { carriedObjects, checkedEntry } from './journal-check.ts';

/** Repairs what a dead process left. Cheap when there is nothing: a look for the journal, and one at the folder. */
export async function recover(context: Context): Promise<void> {
  const { fs, codec, workFolder: folder } = context;
  const names = await fs.readdir(context.folder);
  const journal = await readJournal(fs, codec, folder);
  const entry = journal.kind === 'whole' ? checkedEntry(context, journal.entry) : null;
  if (entry) await repair(context, entry);
  if (journal.kind !== 'none') await removeJournal(fs, folder);
  await emptyFolder(fs, `${folder}/tmp`);
  await letPacksGo(collectorOf(context), names);
}

async function repair(context: Context, entry: JournalEntry): Promise<void> {
  await restoreObjects(context, entry);
  const direction = (await wasPublished(context, entry)) ? 'forward' : 'back';
  await removeOwnLocks(context, entry);
  if (entry.store !== null) {
    await context.store.recover(
      entry.store,
      direction,
      async oid => (await context.objects.readOrNull(oid))?.content ?? null,
    );
  }
  const temp = `${context.workFolder}/tmp/recovery-index`;
  await removeIfThere(context.fs, temp);
  const { index, landing } = entry;
  if (index) await repairIndex(context, entry, () => rewriteIndex(context, index, direction, temp));
  if (landing) {
    const { followBranch } = await import('../land/index.ts');
    await repairIndex(context, entry, () => followBranch(context, landing, temp));
  }
  await syncFolders(context.fs, [parentOf(entry.refPath), context.repo.gitDir]);
}

/** A power cut may have taken the objects that only the journal held durably. */
async function restoreObjects(context: Context, entry: JournalEntry): Promise<void> {
  const options = looseOf(context);
  const objects = await carriedObjects(context, entry);
  if (objects.length === 0) return;
  // What else is there is needed: the new contents of the files, which may not be in any object.
  for (const { oid } of objects) await removeIfThere(options.fs, objectTemp(options, oid));
  await syncObjects(options.fs, await writeObjects(options, objects));
}

/** True when the ref holds the new commit, or one after it: somebody may have committed on top since. */
async function wasPublished(context: Context, entry: JournalEntry): Promise<boolean> {
  const present = await readRef(context.repo, entry.ref);
  if (present === entry.new) return true;
  if (present === entry.old || !present) return false;
  return isBelow(context, present, entry.new, entry.old);
}

/** Looks for `wanted` among the ancestors of `from`, no further than `stop`. */
async function isBelow(
  context: Context,
  from: string,
  wanted: string,
  stop: string | null,
): Promise<boolean> {
  const seen = new Set<string>();
  const next = [from];
  for (let oid = next.pop(); oid; oid = next.pop()) {
    if (oid === wanted) return true;
    if (oid === stop || seen.has(oid)) continue;
    seen.add(oid);
    const object = await context.objects.readOrNull(oid);
    if (object) next.push(...parseCommit(object.content).parents);
  }
  return false;
}

/** Removes the locks of git that hold our token or our new commit; every other one belongs to somebody else. */
async function removeOwnLocks(context: Context, entry: JournalEntry): Promise<void> {
  for (const path of entry.locks) {
    const bytes = await orNull(context.fs.readFile(path));
    const text = bytes && new TextDecoder().decode(bytes);
    if (text === entry.token || text === `${entry.new}\n`) await removeIfThere(context.fs, path);
  }
}

async function repairIndex(
  context: Context,
  entry: JournalEntry,
  rewrite: () => Promise<void>,
): Promise<void> {
  const lock = `${context.repo.gitDir}/index.lock`;
  const token = `${context.workFolder}/tmp/recovery-token`;
  await removeIfThere(context.fs, token);
  await createFile(context.fs, token, new TextEncoder().encode(entry.token));
  const deadline = Date.now() + context.patience.git;
  while (await tryGitLocks(context.fs, [{ path: lock, staged: token }])) {
    if (Date.now() > deadline) throw await lockedByGit(context.fs, lock, context.repo.commonDir);
    await sleep(20);
  }
  try {
    await rewrite();
  } finally {
    await releaseGitLocks(context.fs, [lock]);
  }
}

/** Entries that hold neither the old nor the new value were changed by the person since: they stay. */
async function rewriteIndex(
  context: Context,
  entries: readonly JournalIndexEntry[],
  direction: 'forward' | 'back',
  temp: string,
): Promise<void> {
  const index = await readIndex(context);
  const stale = entries.filter(({ path, before, after }) => {
    const present = indexEntry(index, path)?.oid;
    return present === (direction === 'forward' ? before : after)?.oid;
  });
  if (stale.length === 0) return;
  const target = stale.map(one =>
    direction === 'forward' ? one : { ...one, after: one.before, before: one.after },
  );
  await writeIndexEntries(context, target, temp);
}
