/**
 * When HEAD moved since a trail beside the branch last looked (a commit, a reset, a rebase), one commit with both
 * parents brings the trail up to it: HEAD's tree, with what the agents did and the person has not committed.
 */

import { parseCommit } from '../../git/objects/commit.ts';
import type { EncodedObject } from '../../git/objects/object.ts';
import { lookup } from '../../git/objects/tree.ts';
import { diffTrees } from '../../git/objects/tree-diff.ts';
import type { TreeRef } from '../../git/objects/tree-entries.ts';
import type { StoredFile } from '../../stores/store.ts';
import { type Appended, appendCommit } from '../../trail/append.ts';
import type { TrailHead } from '../../trail/head.ts';
import { joinStep } from '../../trail/join.ts';
import { formatMessage } from '../../trail/message.ts';
import { type Recorded, sameRecorded } from '../../trail/steps.ts';
import { walkTrail } from '../../trail/walk.ts';
import { type Context, fromTrail } from '../context.ts';
import { Conversion, overRecorded } from '../conversion.ts';
import { committer } from '../identity.ts';

/** The trail after the sync, and the commit that brings it there; the same trail and `null` when none is needed. */
export async function syncTrail(
  context: Context,
  trail: TrailHead,
): Promise<{ trail: TrailHead; commit: Appended | null }> {
  if (trail.checkedOut || !trail.oid || !trail.head || trail.head === trail.seen)
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
    parents: [trail.oid, trail.head],
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

/** True when HEAD stands on one of the trail's own commits: then the trail holds all that HEAD does. */
async function hasLanded(context: Context, trail: TrailHead): Promise<boolean> {
  for await (const entry of walkTrail(context.objects, trail.oid, { ownOnly: true })) {
    if (entry.commit === trail.head) return true;
    if (entry.meta?.head !== trail.seen) return false;
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
  const disk = new Disk(context);
  const before = trail.seen ? await treeOf(context, trail.seen) : null;
  for (const { path, before: old, after: ours } of await diffTrees(context.objects, before, trail.tree)) {
    const theirs = await lookup(context.objects, tree, path);
    if (sameRecorded(ours, theirs)) continue;
    const { recorded, content } = await chosen(disk, { path, old, ours, theirs });
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
async function chosen(disk: Disk, { path, old, ours, theirs }: Sides): Promise<Chosen> {
  if (await disk.holds(path, theirs)) return { recorded: theirs };
  if ((await disk.holds(path, ours)) || sameRecorded(old, theirs)) return { recorded: ours };
  const taken = await disk.join(path, 'disk', { from: ours, to: old });
  if (taken && (await disk.holds(path, taken.recorded))) return { recorded: theirs };
  return (await disk.join(path, theirs, { from: old, to: ours })) ?? { recorded: theirs };
}

async function remembered(context: Context, content: Uint8Array): Promise<EncodedObject> {
  const blob = await context.codec.encode('blob', content);
  context.objects.remember(blob);
  return blob;
}

/** The files as they are; none where the workspace cannot or may not look. */
class Disk {
  readonly #context: Context;
  readonly #conversion: Conversion;

  constructor(context: Context) {
    this.#context = context;
    this.#conversion = new Conversion(context);
  }

  /** True when the recorded path is on disk as recorded. */
  async holds(path: string, recorded: Recorded): Promise<boolean> {
    const own = fromTrail(this.#context, path);
    const file = await this.#read(own);
    return own !== null && file !== undefined && this.#conversion.isRecorded(own, file, recorded);
  }

  /** The step made on what is recorded, or on disk; `null` where it does not fit. */
  async join(
    path: string,
    on: Recorded | 'disk',
    step: { from: Recorded; to: Recorded },
  ): Promise<Chosen | null> {
    const { codec, objects } = this.#context;
    const file = on === 'disk' ? await this.#recorded(path, step.from) : null;
    if (on === 'disk' && !file) return null;
    const now = file ? { mode: file.mode, oid: file.version } : (on as Recorded);
    const read = async (oid: string): Promise<Uint8Array> =>
      oid === file?.version ? file.bytes : (await objects.read(oid)).content;
    const joined = await joinStep({ codec, read }, now, { path, ...step });
    return 'conflict' in joined ? null : joined;
  }

  async #recorded(path: string, over: Recorded): Promise<StoredFile | null> {
    const own = fromTrail(this.#context, path);
    const file = await this.#read(own);
    return file ? this.#conversion.recorded(own!, file, overRecorded(this.#context, over)) : null;
  }

  async #read(own: string | null): Promise<StoredFile | null | undefined> {
    if (own === null || !this.#context.store.separate) return undefined;
    try {
      return await this.#context.store.read(own);
    } catch {
      return undefined;
    }
  }
}

async function treeOf(context: Context, commit: string): Promise<string> {
  return parseCommit((await context.objects.read(commit)).content).tree;
}
