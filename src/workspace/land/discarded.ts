/** Edits that stay behind because the person took them back by hand, and what the answer says of them. */

import { gitName } from '../../c-quote.ts';
import { EditError } from '../../errors.ts';
import { isOutside } from '../../operations.ts';
import { isAway, TRAIL_PREFIX, type TrailHead } from '../../trail/head.ts';
import type { PendingEntry } from '../../trail/open-edits.ts';
import { heldBy, sameRecorded } from '../../trail/steps.ts';
import { type Context, fromTrail } from '../context.ts';
import { answersOf, type PathByHand } from '../files/by-hand.ts';
import type { Snapshot } from '../files/snapshot.ts';
import type { Hands } from './by-hand.ts';

/** What stays behind at a path of the trail. */
export interface Discarded {
  path: string;
  /** The edits of which nothing is left there, oldest first; and those of which a part is. */
  edits: string[];
  reduced: string[];
  /** True when no other edit of the path is landing. */
  whole: boolean;
  /** True when the edits left no file there. */
  deleted: boolean;
  /** True when the file holds text of the person in their place, or beside it. */
  hasOther: boolean;
}

/** What of these edits the person took back. */
export async function findDiscarded(
  snapshot: Snapshot,
  hands: Hands,
  chosen: readonly PendingEntry[],
): Promise<Discarded[]> {
  const found: Discarded[] = [];
  for (const hand of [...hands.values()].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const about = editsOf(hand.path, chosen);
    const { rejected, reduced } = answersOf(hand, about);
    if (rejected.length + reduced.length === 0) continue;
    const whole = rejected.length === about.length;
    const deleted = (await heldBy(snapshot.context.objects, rejected.at(-1), hand.path)) === null;
    const hasOther = !!hand.file && !(await isAsInHead(snapshot, hand));
    found.push({ path: hand.path, edits: rejected, reduced, whole, deleted, hasOther });
  }
  return found;
}

/** As `findDiscarded`, for a landing that takes in the person's own changes: then only a file that is as HEAD has it tells of one. */
export async function findRestored(
  snapshot: Snapshot,
  hands: Hands,
  chosen: readonly PendingEntry[],
): Promise<Discarded[]> {
  const found: Discarded[] = [];
  for (const hand of hands.values()) {
    const edits = editsOf(hand.path, chosen);
    if (edits.length === 0 || !hand.isChanged || !(await isAsInHead(snapshot, hand))) continue;
    const deleted = (await heldBy(snapshot.context.objects, edits.at(-1), hand.path)) === null;
    found.push({ path: hand.path, edits, reduced: [], whole: true, deleted, hasOther: false });
  }
  return found;
}

function editsOf(path: string, chosen: readonly PendingEntry[]): string[] {
  const edits = chosen.filter(one => one.paths.includes(path) && !isOutside(one.entry.meta!.op));
  return edits.map(one => one.entry.commit);
}

async function isAsInHead({ context, trail }: Snapshot, { path, file }: PathByHand): Promise<boolean> {
  if (file === undefined) return false;
  const held = await heldBy(context.objects, trail.head, path);
  return sameRecorded(held, file && { mode: file.mode, oid: file.version });
}

/** The edits without what stays behind; one of which nothing is left waits for another landing. */
export function withoutDiscarded(
  chosen: readonly PendingEntry[],
  discarded: readonly Discarded[],
): PendingEntry[] {
  const gone = new Set(discarded.flatMap(({ path, edits }) => edits.map(commit => `${commit} ${path}`)));
  if (gone.size === 0) return [...chosen];
  const kept = chosen.map(one => ({
    ...one,
    paths: one.paths.filter(path => !gone.has(`${one.entry.commit} ${path}`)),
  }));
  return kept.filter(one => one.paths.length > 0);
}

/** So many edits are named for each path. */
const NAMED = 5;

/** For the answer: what stays behind, and the way back. */
export function discardedNotes(context: Context, discarded: readonly Discarded[]): string[] {
  const notes: string[] = [];
  const whole = discarded.filter(one => one.whole);
  if (whole.length > 0) notes.push(wholeNote(context, whole));
  for (const { path, edits, reduced } of discarded.filter(one => !one.whole)) {
    const all = edits.length > 0 ? `what ${idsOf(edits)} wrote` : '';
    const part = reduced.length > 0 ? `a part of what ${idsOf(reduced)} wrote` : '';
    const what = [all, part].filter(Boolean).join(' and ');
    notes.push(
      `Left out of ${nameOf(context, path)}, because it was rejected or taken back by hand: ${what}.`,
    );
  }
  return notes;
}

function idsOf(commits: readonly string[]): string {
  const ids = commits.slice(-NAMED).map(commit => commit.slice(0, 12));
  const more = commits.length > NAMED ? ` and ${commits.length - NAMED} before` : '';
  return ids.join(', ') + more;
}

function wholeNote(context: Context, discarded: readonly Discarded[]): string {
  const [{ path, edits, deleted }] = discarded as [Discarded];
  const name = nameOf(context, path);
  const way = deleted ? `delete ${name}` : `restore ${name} --from ${edits.at(-1)!.slice(0, 12)}`;
  const paths = discarded.map(one => nameOf(context, one.path)).join(', ');
  const rewritten = discarded.some(({ hasOther }) => hasOther)
    ? ' If you rewrote what they had written, land the files as they are (outside: true, --with-outside).'
    : '';
  return `Left out, because the files hold nothing of these edits any more (they were rejected or taken back by hand): ${paths}. To land them all the same, bring them back first: ${way}.${rewritten}`;
}

export async function allDiscarded(
  { context, trail }: Snapshot,
  discarded: readonly Discarded[],
): Promise<EditError> {
  const paths = discarded.map(one => nameOf(context, one.path));
  const isElsewhere = await isAway(context.repo, trail);
  const notes = isElsewhere ? [awayNote(trail)] : discardedNotes(context, discarded);
  const message = ['Nothing is left to land.', ...notes].join(' ');
  return new EditError('NO_CHANGE', message, { discarded: paths });
}

/** Says why the files lack the edits: they are those of another branch. */
function awayNote({ ref }: TrailHead): string {
  const branch = ref.slice(TRAIL_PREFIX.length);
  return `The files here hold nothing of these edits: they are of the trail of ${branch}, which is not checked out. Switch to it first (git switch ${branch}); then land, with --onto where they are to be on another branch.`;
}

function nameOf(context: Context, path: string): string {
  return gitName(fromTrail(context, path) ?? path);
}
