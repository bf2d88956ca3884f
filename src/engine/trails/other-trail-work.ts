/**
 * Compares the files and the checked-out branch with another trail: path by path, where the work is that its newest
 * commit holds and the HEAD that it last saw does not.
 */

import { ifRefused } from '../../errors.ts';
import { lookup } from '../../git/objects/tree.ts';
import { diffTrees } from '../../git/objects/tree-diff.ts';
import { listRefs } from '../../git/refs/ref-list.ts';
import type { StoredFile } from '../../stores/store.ts';
import { lineDiff, splitLines } from '../../text/diff/line-diff.ts';
import { readableText } from '../../text/document.ts';
import type { TrailHead } from '../../trail/head.ts';
import { TRAIL_PREFIX } from '../../trail/head.ts';
import { type Recorded, sameRecorded } from '../../trail/steps.ts';
import { readEntryOrNull, type TrailEntry, treeOf, walkTrail } from '../../trail/walk.ts';
import { type Context, fromTrail } from '../context.ts';
import { overRecorded } from '../files/conversion.ts';
import { Snapshot } from '../files/snapshot.ts';

export interface OtherTrail {
  ref: string;
  oid: string;
}

export interface OtherTrailWork extends OtherTrail {
  /** Paths whose text is in the files, all of it or some, and in no commit of the branch. */
  inFiles: string[];
  /** Paths that the commit of the branch holds as the trail does. */
  inCommit: string[];
  /** Paths whose text neither the files nor the branch's commit have. */
  nowhere: string[];
  /** HEAD's commit when the trail last looked. */
  seen: string | null;
}

/** The most trails that are looked at, the newest ones, and the most files of each. */
const MOST_TRAILS = 50;
const MOST_FILES = 200;

/** The other trails with their newest commits, the newest first. A damaged one is no reason not to work on this one. */
export async function otherTrails(context: Context, trail: TrailHead): Promise<TrailEntryOf[]> {
  const refs = await listRefs(context.repo, TRAIL_PREFIX).catch(() => []);
  const found: TrailEntryOf[] = [];
  for (const { name: ref, oid } of refs) {
    if (ref === trail.ref || ref === trail.continues || oid === trail.tip) continue;
    const entry = await readEntryOrNull(context.objects, oid).catch(() => null);
    if (entry?.meta) found.push({ ref, entry });
  }
  return found.sort((a, b) => b.entry.time - a.entry.time).slice(0, MOST_TRAILS);
}

export interface TrailEntryOf {
  ref: string;
  entry: TrailEntry;
}

/** Looks at the files, each of them once however many trails are asked about. */
export class Stand {
  readonly #snapshot: Snapshot;

  /** Looks for work of other trails than `trail`, which is the workspace's own. */
  constructor(context: Context, trail: TrailHead) {
    this.#snapshot = new Snapshot(context, trail);
  }

  /** Leaves out the paths that the tree `known` holds as the other trail does. `null` for a trail that cannot be read. */
  of(other: TrailEntryOf, known: string | null = null): Promise<OtherTrailWork | null> {
    return this.#findWork(other, known).catch(ifRefused(null));
  }

  async #findWork({ ref, entry }: TrailEntryOf, known: string | null): Promise<OtherTrailWork> {
    const { context, trail } = this.#snapshot;
    const { objects } = context;
    const seen = entry.meta!.head ?? null;
    const standing: OtherTrailWork = { ref, oid: entry.commit, inFiles: [], inCommit: [], nowhere: [], seen };
    const head = trail.head && (await treeOf(objects, trail.head));
    const changes = await diffTrees(objects, seen && (await treeOf(objects, seen)), entry.tree);
    let looked = 0;
    for (const { path, utf8, before: old, after: theirs } of changes) {
      if (!utf8 || (known && sameRecorded(await lookup(objects, known, path), theirs))) continue;
      const committed = head === null ? null : await lookup(objects, head, path);
      if (sameRecorded(committed, theirs)) standing.inCommit.push(path);
      else if (looked++ >= MOST_FILES) continue;
      else if (await this.#isInFile({ path, old, theirs, committed })) standing.inFiles.push(path);
      else standing.nowhere.push(path);
    }
    return standing;
  }

  /** A file that was changed since counts where it was made from the same text and still has one of the changes. */
  async #isInFile({ path, old, theirs, committed }: PathSides): Promise<boolean> {
    const { context, conversion } = this.#snapshot;
    const own = fromTrail(context, path);
    const file = own === null ? undefined : await this.#file(own);
    if (own === null || file === undefined) return false;
    if (await conversion.isRecorded(own, file, theirs)) return true;
    if (!file || !theirs || !sameRecorded(old, committed)) return false;
    if (await conversion.isRecorded(own, file, committed)) return false;
    const { bytes } = await conversion.recorded(own, file, overRecorded(context, theirs));
    const contents = [await blobAt(context, path, old), await blobAt(context, path, theirs), bytes];
    const texts = contents.flatMap(one => readableText('', { bytes: one, version: '' })?.text ?? []);
    return texts.length === contents.length && shareChange(texts[0]!, texts[1]!, texts[2]!);
  }

  /** `undefined` where nobody can say what the file is. */
  async #file(path: string): Promise<StoredFile | null | undefined> {
    if (!this.#snapshot.context.store.separate) return undefined;
    return this.#snapshot.file(path).catch(ifRefused(undefined));
  }
}

async function blobAt({ objects }: Context, path: string, recorded: Recorded): Promise<Uint8Array> {
  return recorded ? objects.file(path, recorded.oid) : new Uint8Array();
}

interface PathSides {
  path: string;
  old: Recorded;
  theirs: Recorded;
  committed: Recorded;
}

/** True when both texts replaced the same lines of `old` by the same. */
function shareChange(old: string, one: string, other: string): boolean {
  const changes = (text: string): string[] => {
    const lines = splitLines(text);
    return lineDiff(old, text).changes.map(({ oldStart, oldEnd, newStart, newEnd }) =>
      JSON.stringify([oldStart, oldEnd, ...lines.slice(newStart, newEnd)]),
    );
  };
  const known = new Set(changes(one));
  return changes(other).some(change => known.has(change));
}

/** The most older commits that are looked at in case a clock was wrong. */
const SLOP = 20;

/** True when the trail that ends at `tip` was made on top of the commit `wanted`, or ends with it. */
export async function growsFrom(context: Context, tip: string, wanted: string): Promise<boolean> {
  const below = await readEntryOrNull(context.objects, wanted);
  if (!below) return false;
  for await (const commit of commitsBackTo(context, tip, below)) if (commit === wanted) return true;
  return false;
}

/** The trail's commits from `tip` back to `oldest`, or where that is none of them, as far back as it was made. */
export async function* commitsBackTo(
  context: Context,
  tip: string,
  oldest: TrailEntry,
): AsyncGenerator<string> {
  let slop = SLOP;
  for await (const { commit, time } of walkTrail(context.objects, tip, { ownOnly: true })) {
    yield commit;
    if (commit === oldest.commit || (time < oldest.time && slop-- === 0)) return;
  }
}
