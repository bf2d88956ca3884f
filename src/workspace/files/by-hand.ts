/**
 * What the person did by hand to the edits of one path: in changes from outside that the trail recorded, and in the file as
 * it is. Landing, log and status all ask here.
 */

import { EditError } from '../../errors.ts';
import { lookup } from '../../git/objects/tree.ts';
import { isOutside } from '../../operations.ts';
import type { StoredFile } from '../../stores/store.ts';
import { Weave } from '../../text/diff/weave.ts';
import { textFile } from '../../text/document.ts';
import { isAway, type TrailHead } from '../../trail/head.ts';
import { heldBy, type Recorded, sameRecorded } from '../../trail/steps.ts';
import type { TrailEntry } from '../../trail/walk.ts';
import { type Context, fromTrail } from '../context.ts';
import { overRecorded } from './conversion.ts';
import type { Snapshot } from './snapshot.ts';

/** A commit of the trail that is about the path. */
export interface PathEntry {
  entry: TrailEntry;
  /** True when a commit of the branch holds it. */
  landed: boolean;
}

export interface PathByHand {
  /** As the trail records it. */
  path: string;
  /** The edits of the path; `null` where a side is no text. */
  weave: Weave | null;
  /** What the path held before the first of the entries. */
  base: Recorded;
  /** The file as git would record it; `undefined` where nobody can say. */
  file: StoredFile | null | undefined;
  /** True when the file is not what the trail holds. */
  isChanged: boolean;
  /** True when the file has the mode again that it had before the edits. */
  isModeBack: boolean;
}

/**
 * True where the files tell what the person did to the trail's edits. Where the branch is the trail, or files live in it
 * alone, what they do is a commit or an edit; and the files of another branch tell nothing.
 */
export async function tellsByHand({ repo, store }: Context, trail: TrailHead): Promise<boolean> {
  return store.separate && !trail.checkedOut && !(await isAway(repo, trail));
}

/**
 * `null` where the person changed nothing since the first of these commits: oldest first, all that are about the path and
 * not in HEAD.
 */
export async function handOn(
  snapshot: Snapshot,
  path: string,
  entries: readonly PathEntry[],
): Promise<PathByHand | null> {
  const [first] = entries;
  if (!first) return null;
  const { tree } = snapshot.trail;
  const recorded = tree ? await lookup(snapshot.context.objects, tree, path) : null;
  const { file, isChanged } = await presentOf(snapshot, path, recorded);
  if (!isChanged && !entries.some(isByHand)) return null;
  const base = (await sidesOf(snapshot, path, first.entry)).before;
  const hand = isChanged && file !== undefined ? { text: () => file && decoded(path, file.bytes) } : null;
  const weave = await woven(snapshot, path, entries, recorded, hand);
  const isModeBack = !!file && file.mode === base?.mode && file.mode !== recorded?.mode;
  return { path, weave, base, file, isChanged, isModeBack };
}

/** The edits of the path that HEAD came up to without them; `held` is what it then had there. Oldest first. */
export async function leftByHead(
  snapshot: Snapshot,
  path: string,
  entries: readonly PathEntry[],
  held: Recorded,
): Promise<string[]> {
  const edits = entries.filter(one => !isOutside(one.entry.meta!.op)).map(one => one.entry.commit);
  const last = await heldBy(snapshot.context.objects, entries.at(-1)?.entry.commit, path);
  const hand = { text: () => textOf(snapshot, path, held) };
  const weave = await woven(snapshot, path, entries, last, hand);
  return answersOf({ weave, isChanged: !sameRecorded(last, held) }, edits).rejected;
}

/** The file as git would record it, and whether that is not what is recorded. */
export async function presentOf(
  snapshot: Snapshot,
  path: string,
  recorded: Recorded,
): Promise<Pick<PathByHand, 'file' | 'isChanged'>> {
  const name = fromTrail(snapshot.context, path);
  const now = name === null ? undefined : await presentAt(snapshot, name);
  if (name === null || now === undefined) return { file: undefined, isChanged: false };
  const isChanged = !(await snapshot.conversion.isRecorded(name, now, recorded));
  const over = overRecorded(snapshot.context, recorded);
  return { file: now && (await snapshot.conversion.recorded(name, now, over)), isChanged };
}

/** Of these edits of the path, those of which the person left nothing there, and those of which they left a part. */
export function answersOf(
  { weave, isChanged }: Pick<PathByHand, 'weave' | 'isChanged'>,
  edits: readonly string[],
): { rejected: string[]; reduced: string[] } {
  // Of what is no text only this much can be said.
  if (!weave) return { rejected: isChanged ? [...edits] : [], reduced: [] };
  const { rejected, reduced } = weave.answers();
  return {
    rejected: edits.filter(edit => rejected.has(edit)),
    reduced: edits.filter(edit => reduced.has(edit)),
  };
}

function isByHand({ entry, landed }: PathEntry): boolean {
  return isOutside(entry.meta!.op) && !landed;
}

/** A folder, or a link that leads elsewhere, in place of the file means that the file is gone. */
async function presentAt(snapshot: Snapshot, name: string): Promise<StoredFile | null | undefined> {
  if (!snapshot.context.store.separate) return undefined;
  try {
    return (await snapshot.resolve(name)) === name ? await snapshot.file(name) : null;
  } catch (error) {
    if (!(error instanceof EditError)) throw error;
    return error.code === 'IS_DIRECTORY' ? null : undefined;
  }
}

/** What the path held before the commit and after it. */
export async function sidesOf(
  { context: { objects } }: Snapshot,
  path: string,
  { parents, tree }: TrailEntry,
): Promise<{ before: Recorded; after: Recorded }> {
  return { before: await heldBy(objects, parents[0], path), after: await lookup(objects, tree, path) };
}

/** `last` is what the path held at the end, and `hand` what the person made of that. */
async function woven(
  snapshot: Snapshot,
  path: string,
  entries: readonly PathEntry[],
  last: Recorded,
  hand: { text(): Promise<string | null> | string | null } | null,
): Promise<Weave | null> {
  const text = (held: Recorded): Promise<string | null> => textOf(snapshot, path, held);
  try {
    let now = entries[0] ? (await sidesOf(snapshot, path, entries[0].entry)).before : last;
    const weave = new Weave(await text(now));
    const moveTo = async (held: Recorded): Promise<void> => {
      if (!sameRecorded(held, now)) weave.base(await text(held));
    };
    for (const one of entries) {
      const { before, after } = await sidesOf(snapshot, path, one.entry);
      await moveTo(before);
      if (isByHand(one)) weave.hand(await text(after));
      else if (isOutside(one.entry.meta!.op)) weave.base(await text(after));
      else weave.edit(one.entry.commit, await text(after));
      now = after;
    }
    await moveTo(last);
    if (hand) weave.hand(await hand.text());
    return weave;
  } catch (error) {
    if (error instanceof EditError && NO_TEXT.has(error.code)) return null;
    throw error;
  }
}

const NO_TEXT: ReadonlySet<string> = new Set(['BINARY_FILE', 'NOT_UTF8', 'TOO_LARGE']);

async function textOf({ context }: Snapshot, path: string, held: Recorded): Promise<string | null> {
  if (!held) return null;
  if (!held.mode.startsWith('100'))
    throw new EditError('BINARY_FILE', `${path} is no regular file.`, { path });
  return decoded(path, (await context.objects.read(held.oid, 'blob')).content);
}

/** With the byte order mark, so that the bytes follow from the text. */
function decoded(path: string, bytes: Uint8Array): string {
  const { text, bom } = textFile(path, bytes, '');
  return bom ? `\ufeff${text}` : text;
}
