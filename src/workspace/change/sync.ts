/**
 * When HEAD moved since a trail beside the branch last looked (a commit, a reset, a rebase), one commit with both
 * parents brings the trail up to it: HEAD's tree, with what the agents did and the person has not committed.
 */

import { parseCommit } from '../../git/objects/commit.ts';
import type { EncodedObject } from '../../git/objects/object.ts';
import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { lookup } from '../../git/objects/tree.ts';
import { diffTrees } from '../../git/objects/tree-diff.ts';
import type { TreeRef } from '../../git/objects/tree-entries.ts';
import type { StoredFile } from '../../stores/store.ts';
import { type Appended, appendCommit } from '../../trail/append.ts';
import type { TrailHead } from '../../trail/head.ts';
import { blobsOf, mergeStep } from '../../trail/history/merge-steps.ts';
import { formatMessage } from '../../trail/message.ts';
import { walkRows } from '../../trail/rows.ts';
import { type Recorded, type Step, sameRecorded } from '../../trail/steps.ts';
import { readEntryOrNull } from '../../trail/walk.ts';
import { type Context, fromTrail } from '../context.ts';
import { Conversion, overRecorded } from '../files/conversion.ts';
import { Snapshot } from '../files/snapshot.ts';
import { committer } from '../identity.ts';

/** The trail after the sync, and the commit that brings it there; the same trail and `null` when none is needed. */
export async function syncTrail(
  context: Context,
  trail: TrailHead,
): Promise<{ trail: TrailHead; commit: Appended | null }> {
  if (trail.checkedOut || !trail.tip || !trail.head || trail.head === trail.seen)
    return { trail, commit: null };
  if (await hasLanded(context, trail)) return { trail, commit: null };
  const tree = await treeOf(context, trail.head);
  const { changes, blobs } = await keptEdits(context, trail, tree);
  const message = formatMessage(`sync with ${trail.head.slice(0, 12)}`, undefined, {
    op: 'sync',
    paths: [],
    head: trail.head,
  });
  const who = committer(context);
  const commit = await appendCommit(context.objects, {
    parents: [trail.tip, trail.head],
    tree,
    changes,
    message,
    author: who,
    committer: who,
  });
  const objects = [...blobs, ...commit.objects];
  return {
    trail: { ...trail, parent: commit.oid, tree: commit.tree, seen: trail.head },
    commit: { ...commit, objects },
  };
}

/** What readers look at: the files, and the trail as it is when HEAD that moved counts as joined already. */
export async function syncedSnapshot(context: Context, trail: TrailHead): Promise<Snapshot> {
  return new Snapshot(context, (await syncTrail(context, trail)).trail);
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

/** The paths that are not to be as HEAD has them, and the contents that joining made. */
interface Kept {
  changes: Map<string, TreeRef | null>;
  blobs: EncodedObject[];
}

/** The agents' changes since the trail last saw HEAD that are still in the files, or that HEAD knows nothing of. */
async function keptEdits(context: Context, trail: TrailHead, tree: string): Promise<Kept> {
  const kept: Kept = { changes: new Map(), blobs: [] };
  const conversion = new Conversion(context);
  const before = trail.seen ? await treeOf(context, trail.seen) : null;
  for (const { path, before: old, after: ours } of await diffTrees(context.objects, before, trail.tree)) {
    const theirs = await lookup(context.objects, tree, path);
    if (sameRecorded(ours, theirs)) continue;
    const { recorded, content } = await chosen(context, conversion, { path, old, ours, theirs });
    if (sameRecorded(recorded, theirs)) continue;
    kept.changes.set(path, recorded);
    if (content) kept.blobs.push(await remembered(context, content));
  }
  return kept;
}

/** A path when the trail last saw HEAD, as the agents left it, and in HEAD now. */
interface Sides {
  path: string;
  old: Recorded;
  ours: Recorded;
  theirs: Recorded;
}

interface Chosen {
  recorded: Recorded;
  content?: Uint8Array;
}

/**
 * What the file on disk is decides. Where it is neither the agents' nor HEAD's, because the person goes on in it, HEAD's
 * is joined with what the agents did, unless the person took that out.
 */
async function chosen(context: Context, conversion: Conversion, sides: Sides): Promise<Chosen> {
  const { path, old, ours, theirs } = sides;
  const own = fromTrail(context, path);
  const file = own === null ? undefined : await onDisk(context, own);
  const holds = async (recorded: Recorded): Promise<boolean> =>
    file !== undefined && (await conversion.isRecorded(own!, file, recorded));
  if (await holds(theirs)) return { recorded: theirs };
  if ((await holds(ours)) || sameRecorded(old, theirs)) return { recorded: ours };
  const kept = file && (await conversion.recorded(own!, file, overRecorded(context, ours)));
  if (kept && (await isWithout(context, sides, kept))) return { recorded: theirs };
  return (await merged(context, theirs, { path, from: old, to: ours })) ?? { recorded: theirs };
}

/** The file as it is; `undefined` where the workspace cannot or may not look. */
async function onDisk(context: Context, path: string): Promise<StoredFile | null | undefined> {
  if (!context.store.separate) return undefined;
  try {
    return await context.store.read(path);
  } catch {
    return undefined;
  }
}

/** True when taking the agents' changes out of the file changes nothing: the person has done so. */
async function isWithout(context: Context, { path, old, ours }: Sides, file: StoredFile): Promise<boolean> {
  const now = { mode: file.mode, oid: file.version };
  const taken = await merged(context, now, { path, from: ours, to: old }, file);
  return taken !== null && sameRecorded(taken.recorded, now);
}

/** The step made on `now`, whose content is that of `file` or recorded; `null` where it does not fit. */
async function merged(
  { objects }: Context,
  now: Recorded,
  step: Pick<Step, 'path' | 'from' | 'to'>,
  file?: StoredFile,
): Promise<Chosen | null> {
  const result = await mergeStep(blobsOf(objects, new Map(file && [[file.version, file.bytes]])), now, step);
  return 'conflict' in result ? null : result;
}

async function remembered(context: Context, content: Uint8Array): Promise<EncodedObject> {
  const blob = await context.codec.encode('blob', content);
  context.objects.remember(blob);
  return blob;
}

async function treeOf(context: Context, commit: string): Promise<string> {
  return parseCommit((await context.objects.read(commit)).content).tree;
}
