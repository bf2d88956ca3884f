/** Restore: files become what they were at a commit, or come back where they were lost. */

import { EditError } from '../../errors.ts';
import { lookup } from '../../git/objects/tree.ts';
import { isTree } from '../../git/objects/tree-entries.ts';
import { isAncestor } from '../../git/rev-list.ts';
import { isBelow } from '../../history/changed-paths.ts';
import { type Recorded, sameRecorded } from '../../history/steps.ts';
import { readEntry, treeOf } from '../../history/walk.ts';
import { foldersAbove } from '../../stores/paths.ts';
import type { StoredFile } from '../../stores/store.ts';
import { mergeFileOrNone } from '../../text/diff/merge.ts';
import { listedSome } from '../../text/words.ts';
import { capital, fieldName, pathName } from '../../wording.ts';
import { orNone } from '../change/folders.ts';
import type { Planned } from '../change/planned.ts';
import { fromTrail, toTrail } from '../context.ts';
import { overRecorded } from '../files/conversion.ts';
import { notHeld } from '../files/missing.ts';
import { editedPaths } from '../files/outside.ts';
import { recordedFile, type Snapshot } from '../files/snapshot.ts';
import { nameInTree } from '../files/unicode-name.ts';
import { plannedBack, type StepConflict, type WayBackFiles, wholeFile } from './back-conflict.ts';
import { inWorkspace, placed, presentFile } from './back-files.ts';

export interface RestoreScope {
  /** Files, and folders: of these the files that were edited through the engine. */
  paths: readonly string[];
  from: string;
  /** Only files that are gone, or as HEAD has them. */
  missing: boolean;
}

/** Files become what they were in `from`; what somebody changed since, not through vedit, is kept or a conflict. Throws FILE_NOT_FOUND, NO_CHANGE. */
export async function planRestore(
  snapshot: Snapshot,
  { paths, from, missing }: RestoreScope,
): Promise<Planned> {
  const held = await heldCommit(snapshot, await snapshot.commit(from));
  const found = new Map<string, FileRelation>();
  for (const one of new Set(paths)) {
    const folder = await folderNamed(snapshot, held, one);
    const named = folder === null ? [await fileNamed(snapshot, held, one)] : await editedIn(snapshot, folder);
    for (const path of named)
      found.set(
        path,
        folder === null && !missing ? 'other' : await relationOf(snapshot, held, path, missing),
      );
  }
  const relations = [...found];
  const others = relations.flatMap(([path, one]) => (one === 'other' ? [path] : []));
  const notes = notesOf(relations);
  if (others.length === 0) throw nothingLost(held.commit, paths, relations, notes);
  const files: WayBackFiles = { targets: new Map(), conflicts: [] };
  for (const recorded of others) {
    const path = inWorkspace(snapshot.context, recorded);
    const next = await restored(snapshot, path, await heldAt(snapshot, held, recorded));
    if ('conflict' in next) files.conflicts.push({ path, commit: held.commit, ...next.conflict });
    else files.targets.set(path, next.file);
  }
  return plannedBack(files, { meta: { restores: held.commit }, notes });
}

/**
 * The file with a recorded content in place of its own. One that was deleted or taken back to HEAD's holds nothing that could be
 * lost; what else somebody changed since is joined with it.
 */
async function restored(
  snapshot: Snapshot,
  path: string,
  held: Recorded,
): Promise<{ file: StoredFile | null } | { conflict: Omit<StepConflict, 'path' | 'commit'> }> {
  const { context, trail, conversion } = snapshot;
  const now = await presentFile(snapshot, path);
  const recorded = await snapshot.recorded(path);
  const to = held && (await recordedFile(context, path, held));
  const head = trail.head && (await treeOf(context.objects, trail.head));
  const committed = head ? await lookup(context.objects, head, toTrail(context, path)) : null;
  for (const old of now ? [committed, recorded] : [null])
    if (await conversion.isRecorded(path, now, old)) {
      const from = old && (await recordedFile(context, path, old));
      return { file: to && (await placed(snapshot, path, { now, from, to })) };
    }
  if (await conversion.isRecorded(path, now, held)) return { file: now };
  const version = now ? { version: now.version } : {};
  if (!now || !recorded || !to)
    return { conflict: { regions: [], ...version, note: wholeFile(path, now, to) } };
  const from = await recordedFile(context, path, recorded);
  const kept = await conversion.recorded(path, now, overRecorded(context, recorded));
  const merged = mergeFileOrNone(path, from, kept, to);
  if ('conflict' in merged) return { conflict: { regions: merged.conflict, ...version } };
  const oid = await context.codec.hash('blob', merged.content);
  const mode = kept.mode === from.mode ? to.mode : kept.mode;
  const file = { bytes: merged.content, mode, version: oid };
  return { file: await placed(snapshot, path, { now, from, to: file }) };
}

/** Counts the files of the trail's newest commit that are gone, or as HEAD has them, among those of its newest edits. */
export async function countLost(snapshot: Snapshot, limit: number): Promise<number> {
  const { context, shown } = snapshot;
  if (!context.store.separate || shown.tip === null || shown.parent === null) return 0;
  const held = await heldCommit(snapshot, shown.parent);
  let count = 0;
  for (const path of await editedPaths(context, shown, limit))
    if ((await relationOf(snapshot, held, path, true)) === 'other') count++;
  return count;
}

/** The folder of that name, as the trail records it, '' for the root; `null` for a file, or for nothing that is known. */
async function folderNamed(snapshot: Snapshot, held: HeldCommit, given: string): Promise<string | null> {
  // No name at all is none of the root: what is wrong with it is said where files are named.
  if (given === '') return null;
  const path = await snapshot.resolveFolder(given);
  if (path === '') return toTrail(snapshot.context, '').replace(/\/$/, '');
  const folder = toTrail(snapshot.context, path);
  const there = await heldAt(snapshot, held, folder);
  if (there) return isTree(there.mode) ? folder : null;
  const edited = await editedPaths(snapshot.context, snapshot.shown);
  return [...edited].some(one => one !== folder && isBelow(one, folder)) ? folder : null;
}

async function editedIn({ context, shown }: Snapshot, folder: string): Promise<string[]> {
  const edited = await editedPaths(context, shown);
  return [...edited].filter(path => isBelow(path, folder || undefined)).sort();
}

async function fileNamed(snapshot: Snapshot, held: HeldCommit, given: string): Promise<string> {
  const { context } = snapshot;
  const path = await snapshot.resolve(given);
  const recorded = toTrail(context, path);
  if (await heldAt(snapshot, held, recorded)) return recorded;
  // The file may be gone, so that only the commit tells in which Unicode form its name is.
  const other = await nameInTree(context.objects, held.tree, recorded);
  if (other !== null) return other;
  throw await notHeld(snapshot, path, held.commit);
}

const WHY: Readonly<Record<Staying, string>> = {
  written: 'kept, since what somebody else wrote is in them now',
  committed: 'kept as HEAD has them, since their text in HEAD is newer',
  blocked: 'not brought back, since something else is in their place',
};

function notesOf(relations: ReadonlyArray<readonly [string, FileRelation]>): string[] {
  return Object.entries(WHY).flatMap(([stays, words]) => {
    const paths = relations.filter(([, one]) => one !== 'other' && one?.stays === stays);
    return paths.length === 0 ? [] : [`${words}: ${listedSome(paths.map(([path]) => path))}`];
  });
}

/**
 * Returns the refusal of a restore that finds nothing lost; the own refusal of the file, which says more, where one
 * file was named.
 */
function nothingLost(
  commit: string,
  paths: readonly string[],
  relations: ReadonlyArray<readonly [string, FileRelation]>,
  notes: readonly string[],
): EditError {
  const [only] = relations.length === 1 ? relations : [];
  if (only && only[1] !== 'other' && only[1]?.error) return only[1].error;
  const where = listedSome(paths.map(pathName));
  const what = `Nothing of what ${commit.slice(0, 12)} holds in ${where} is lost: no file that was edited is gone, or back at HEAD's text.`;
  const older = `To go back to an older text, name its commit in ${fieldName('from')}.`;
  const message = [what, ...notes.map(note => `${capital(note)}.`), older].join(' ');
  return new EditError('NO_CHANGE', message, { paths: [...paths] });
}

/** Why a file stays as it is, though the commit holds another text of it. */
type Staying =
  /** It has a text that neither the trail nor HEAD has. */
  | 'written'
  /** HEAD has another text of it now than when the commit was made. */
  | 'committed'
  /** A link or a folder is in its place, or a filter of git's stands before it. */
  | 'blocked';

/** The relation of a file to what a commit holds of it: the same (`null`), another text that may come in its place, or one that stays. */
type FileRelation = 'other' | { stays: Staying; error?: EditError } | null;

/** A commit, and trees: of it, of HEAD, and of what HEAD was when the commit was made. `null`: of nothing. */
interface HeldCommit {
  commit: string;
  tree: string;
  head: string | null;
  seen: string | null;
}

async function heldCommit({ context: { objects }, trail }: Snapshot, commit: string): Promise<HeldCommit> {
  const { tree, meta } = await readEntry(objects, commit);
  const head = trail.head && (await treeOf(objects, trail.head));
  // What HEAD holds, the commit knows: then nothing of HEAD's is newer.
  const isKnown =
    trail.head === null || meta?.head === trail.head || (await isAncestor(objects, trail.head, commit));
  return { commit, tree, head, seen: isKnown ? head : await treeOf(objects, meta?.head ?? commit) };
}

function heldAt(snapshot: Snapshot, { tree }: HeldCommit, path: string): Promise<Recorded> {
  const { context, trail } = snapshot;
  const own = tree === trail.tree ? fromTrail(context, path) : null;
  return own === null ? lookup(context.objects, tree, path) : snapshot.recorded(own);
}

/** Tells of the file at a path of the trail. `missing`: only one that is gone, or as HEAD has it, may become another. */
async function relationOf(
  snapshot: Snapshot,
  commit: HeldCommit,
  path: string,
  missing: boolean,
): Promise<FileRelation> {
  const { context, conversion } = snapshot;
  const held = await heldAt(snapshot, commit, path);
  const own = fromTrail(context, path);
  if (own === null || !held?.mode.startsWith('100')) return null;
  const file = await placeFor(snapshot, own);
  if (file && 'stays' in file) return file;
  if (!missing) return 'other';
  if (file && sameRecorded({ mode: file.mode, oid: file.version }, held)) return null;
  if (await conversion.isRecorded(own, file, held)) return null;
  const [now, then] = await Promise.all(
    [commit.head, commit.seen].map(tree => (tree ? lookup(context.objects, tree, path) : null)),
  );
  if (file && !(now && (await conversion.isRecorded(own, file, now)))) {
    const isNewest = await conversion.isRecorded(own, file, await snapshot.recorded(own));
    return isNewest ? null : { stays: 'written' };
  }
  return sameRecorded(now!, then!) ? 'other' : { stays: 'committed' };
}

/** The file at a path, or that nothing can be written there. */
async function placeFor(
  snapshot: Snapshot,
  own: string,
): Promise<StoredFile | null | Exclude<FileRelation, 'other' | null>> {
  try {
    if ((await snapshot.resolve(own)) !== own) return { stays: 'blocked' };
    await snapshot.conversion.check(own);
    const file = await snapshot.file(own);
    if (file) return file;
    for (const folder of foldersAbove(own))
      if (await orNone(() => snapshot.file(folder))) return { stays: 'blocked' };
    return null;
  } catch (error) {
    if (!(error instanceof EditError)) throw error;
    return { stays: 'blocked', error };
  }
}
