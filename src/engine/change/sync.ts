/**
 * When HEAD moved since a trail beside the branch last looked (a commit, a reset, a rebase), one commit with both
 * parents brings the trail up to it: HEAD's tree, with what the agents did and the person has not committed.
 */

import { ifRefused } from '../../errors.ts';
import type { EncodedObject } from '../../git/objects/object.ts';
import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { diffTrees, type TreeChange } from '../../git/objects/tree-diff.ts';
import type { TreeRef } from '../../git/objects/tree-entries.ts';
import { type Appended, appendCommit } from '../../history/append.ts';
import type { FileChange } from '../../history/changes.ts';
import { bytesOfRows, fileOfRows, type RowsFile } from '../../history/file-rows.ts';
import { isInStep, type TrailHead } from '../../history/head.ts';
import { formatMessage } from '../../history/message.ts';
import { renamesAmong } from '../../history/read-steps.ts';
import { fileAt, type Recorded, sameRecorded } from '../../history/steps.ts';
import { readEntryOrNull, treeOf, walkRows } from '../../history/walk.ts';
import { isAgents } from '../../line/event.ts';
import type { LineFile } from '../../line/files.ts';
import { textAfter } from '../../line/row.ts';
import { type Context, fromTrail } from '../context.ts';
import { Snapshot } from '../files/snapshot.ts';
import { committer } from '../identity.ts';
import { originMeta } from '../origins/origins.ts';
import { openTrail } from '../trails/open-trail.ts';

/** The trail after the sync, and the commit that brings it there; the same trail and `null` when none is needed. */
export async function syncTrail(
  context: Context,
  trail: TrailHead,
): Promise<{ trail: TrailHead; commit: Appended | null }> {
  const { tip, head } = trail;
  if (isInStep(trail) || tip === null || head === null || (await hasLanded(context, trail)))
    return { trail, commit: null };
  const tree = await treeOf(context.objects, head);
  const before = trail.seen ? await treeOf(context.objects, trail.seen) : null;
  const moved = await diffTrees(context.objects, before, tree);
  const { changes, blobs } = await openFiles(context, trail, { before, tree, moved });
  // What a command of an agent committed counts as accepted by nobody.
  const { callsThatCommitted } = await import('../origins/head-moves.ts');
  const calls = await callsThatCommitted(context, head);
  const committed = calls.length > 0 ? moved : [];
  const message = formatMessage(`your commit ${head.slice(0, 12)}`, undefined, {
    op: 'head',
    paths: committed.flatMap(({ path, utf8 }) => (utf8 ? path : [])),
    ...(calls.length > 0 && originMeta({ by: 'during', calls })),
    head,
    branch: trail.branch ?? undefined,
    committer: context.identity.committer?.email,
  });
  const who = committer(context);
  const commit = await appendCommit(context.objects, {
    parents: [tip, head],
    tree,
    changes,
    message,
    author: who,
    committer: who,
  });
  const objects = [...blobs, ...commit.objects];
  return {
    trail: { ...trail, parent: commit.oid, tree: commit.tree, seen: head },
    commit: { ...commit, objects },
  };
}

/** The trees that HEAD had and has, and how they differ. */
interface HeadStep {
  before: string | null;
  tree: string;
  moved: readonly TreeChange[];
}

/** Files that are not to be as HEAD has them, and contents that no object has yet. */
interface OpenFiles {
  changes: Map<string, TreeRef | null>;
  blobs: EncodedObject[];
}

/**
 * The files that agents left otherwise than HEAD has them, and that are not as HEAD has them by now: where HEAD left them alone
 * they stay, else HEAD's step is taken by their rows.
 */
async function openFiles(context: Context, trail: TrailHead, step: HeadStep): Promise<OpenFiles> {
  const { tree } = step;
  const open: OpenFiles = { changes: new Map(), blobs: [] };
  const both: string[] = [];
  const snapshot = new Snapshot(context, trail);
  const { movedTo } = await import('../files/outside.ts');
  const nameNow = movedTo(snapshot);
  for (const { path, before: old, after } of await mayBeOpen(snapshot, step)) {
    const now = await fileAt(context.objects, tree, path);
    if (sameRecorded(after, now)) continue;
    // Of a file that somebody renamed, HEAD may have lost the old name before it gets the new one.
    const to = now === null ? await nameNow(path) : null;
    const isRenamed =
      to !== null && !(await hasHead(snapshot, step, to, { path, before: after, after: null }));
    if (!isRenamed && (await isThere(snapshot, path, now))) continue;
    open.changes.set(path, after);
    if (!isRenamed && !sameRecorded(old, now)) both.push(path);
  }
  if (both.length === 0) return open;
  const { standing } = await import('../standing.ts');
  const { files: read, events } = await standing(snapshot, both);
  // Of what is too large to compare, the agents' version stays.
  const files = read.filter(({ weave }) => weave.lost === null);
  const { at } = events.findLast(({ kind }) => kind === 'head')!;
  // Two files may have had one name: the one that has it counts.
  for (const { names } of files)
    for (const name of names) if (both.includes(name)) open.changes.set(name, null);
  for (const { weave } of files) {
    const made = fileOfRows(weave.rows().flatMap(row => textAfter(row, at) ?? []));
    if (made) open.changes.set(made.path, await stored(context, made, open.blobs));
  }
  return open;
}

/** True where HEAD has a file that was renamed under the name that it has, or has had since, before somebody renamed it again. */
async function hasHead(
  snapshot: Snapshot,
  { tree, moved }: HeadStep,
  to: string,
  gone: FileChange,
): Promise<boolean> {
  const { objects } = snapshot.context;
  if ((await fileAt(objects, tree, to)) !== null) return true;
  const passed: FileChange[] = [];
  for (const change of moved)
    if (!change.before && (await isThere(snapshot, change.path, null))) passed.push(change);
  return (await renamesAmong(objects, [...passed, gone])).size > 0;
}

/** Where HEAD moved over more files, git brought them: nobody looks into each. */
const MOST_MOVED = 200;

/**
 * The files of the trail that may be otherwise than HEAD has them: those that were, and those that HEAD has otherwise since and
 * the folder has not, as after `git reset --soft`, or has under a name that HEAD has not yet.
 */
async function mayBeOpen(
  snapshot: Snapshot,
  { before, moved }: HeadStep,
): Promise<Array<Pick<TreeChange, 'path' | 'before' | 'after'>>> {
  const { context, trail } = snapshot;
  const open = await diffTrees(context.objects, before, trail.tree);
  const known = new Set(open.map(({ path }) => path));
  const rest = moved.filter(({ path }) => !known.has(path));
  const kept: TreeChange[] = [];
  for (const change of rest.length > MOST_MOVED ? [] : rest)
    if (change.after === null || !(await isThere(snapshot, change.path, change.after))) kept.push(change);
  if (kept.length === 0) return open;
  const { lineFiles } = await import('../../line/files.ts');
  const query = { tip: trail.tip, ownOnly: true };
  const { files } = await lineFiles(
    context.objects,
    query,
    kept.map(({ path }) => path),
  );
  const isEdited = ({ weave }: LineFile): boolean =>
    weave.rows().some(({ log }) => log.some(({ event }) => isAgents(event)));
  const edited = new Set(files.filter(isEdited).map(({ names }) => names.at(-1)!));
  const own = kept.filter(({ path }) => edited.has(path));
  return [...open, ...own.map(change => ({ ...change, after: change.before }))];
}

/** True where the folder holds what HEAD has at a path. */
async function isThere(snapshot: Snapshot, path: string, now: Recorded): Promise<boolean> {
  const own = fromTrail(snapshot.context, path);
  const file = own === null ? undefined : await snapshot.entry(own).catch(ifRefused(undefined));
  return file !== undefined && snapshot.conversion.isRecorded(own!, file, now);
}

async function stored(context: Context, file: RowsFile, blobs: EncodedObject[]): Promise<TreeRef> {
  const mode = file.mode as TreeRef['mode'];
  if ('oid' in file) return { mode, oid: file.oid };
  const blob = await context.codec.encode('blob', await bytesOfRows(file));
  context.objects.remember(blob);
  blobs.push(blob);
  return { mode, oid: blob.oid };
}

/**
 * Returns the snapshot that readers look at: the files, and the trail, by default as it is now, with HEAD that moved joined
 * already.
 */
export async function syncedSnapshot(context: Context, given?: TrailHead): Promise<Snapshot> {
  const trail = given ?? (await openTrail(context));
  return new Snapshot(context, (await syncTrail(context, trail)).trail, { shown: trail });
}

/** By database, a HEAD that stands on one of the trail's own commits, and a newer commit of that trail. */
const landed = new WeakMap<ObjectDatabase, { head: string; tip: string }>();

/** True when HEAD stands on one of the trail's own commits: then the trail holds all that HEAD does. */
async function hasLanded({ objects }: Context, { tip, head, seen }: TrailHead): Promise<boolean> {
  // A commit of a person ends the question, however long the trail is.
  if ((await readEntryOrNull(objects, head!))?.meta == null) return false;
  const known = landed.get(objects);
  for await (const rows of walkRows(objects, tip, { ownOnly: true })) {
    for (const row of rows) {
      const isHead = row.commit === head;
      if (!isHead && row.head !== seen) return false;
      if (!isHead && !(known?.head === head && known.tip === row.commit)) continue;
      landed.set(objects, { head: head!, tip: tip! });
      return true;
    }
  }
  return false;
}
