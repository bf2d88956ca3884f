/** Taking back the last thing that a reviewer did: an acceptance, or a rejection, whichever came later. */

import type { Planned } from '../engine/change/planned.ts';
import type { Context } from '../engine/context.ts';
import type { Person } from '../engine/editor.ts';
import type { Snapshot } from '../engine/files/snapshot.ts';
import { UndoPlan } from '../engine/undo/undo-plan.ts';
import { EditError } from '../errors.ts';
import { readEntryOrNull, type TrailEntry, treeOf, walkTrail } from '../history/walk.ts';
import { isReviewed } from '../operations.ts';
import { acceptedAtFirst, openReview, publishReview, type Review, type ReviewStep } from './review.ts';
import { acceptances } from './review-ref.ts';

export interface UnreviewData {
  took_back: 'accept' | 'reject';
  commit: string;
}

/** Finds the last action of a reviewer that they did not take back, or the one of that commit. Throws NO_CHANGE where there is none. */
export async function lastAction(
  context: Context,
  reviewer: Person,
  of?: string,
): Promise<{ took: UnreviewData['took_back']; entry: TrailEntry }> {
  const review = await openReview(context, reviewer);
  const accepted = await lastAccept(review);
  if (of !== undefined && of === accepted?.commit) return { took: 'accept', entry: accepted };
  const named = of === undefined ? null : await readEntryOrNull(context.objects, of);
  if (named?.meta?.rejects) return { took: 'reject', entry: named };
  if (of !== undefined) throw new EditError('NO_CHANGE', OTHERS, {});
  const rejected = await lastReject(review, accepted);
  if (rejected) return { took: 'reject', entry: rejected };
  if (accepted) return { took: 'accept', entry: accepted };
  const words = `${reviewer.name} has accepted and rejected nothing here that was not taken back.`;
  throw new EditError('NO_CHANGE', words, {});
}

async function lastAccept({ snapshot, newest }: Review): Promise<TrailEntry | null> {
  const { value } = await acceptances(snapshot.context.objects, newest?.commit ?? null).next();
  return value ?? null;
}

const OTHERS =
  'Other things were accepted since, or that was taken back already. Nothing was done: vedit review --take-back takes back the last one.';

/** The reviewer's last rejection on the trail, where it came after this acceptance. */
async function lastReject(
  { snapshot, reviewer }: Review,
  accepted: TrailEntry | null,
): Promise<TrailEntry | null> {
  const { context, trail } = snapshot;
  const then = accepted?.parents.at(-1);
  const back = new Set<string>();
  for await (const entry of walkTrail(context.objects, trail.tip, { ownOnly: !trail.checkedOut })) {
    if (entry.commit === then || (accepted && entry.time < accepted.time)) return null;
    const { unrejects, rejects } = entry.meta ?? {};
    if (unrejects !== undefined) back.add(unrejects);
    if (rejects && entry.author.email === reviewer.email && !back.has(entry.commit)) return entry;
  }
  return null;
}

/** Makes the accepted text what it was before the last acceptance. Throws NO_CHANGE, LOCKED. */
export async function unaccept(context: Context, reviewer: Person): Promise<string> {
  const { commit } = await publishReview(context, reviewer, async (review): Promise<ReviewStep> => {
    const entry = await lastAccept(review);
    if (!entry) throw new EditError('NO_CHANGE', 'That was taken back already.', {});
    const { tree, ...at } = await before(review, entry);
    const subject = `take back ${entry.subject}`.slice(0, 72);
    const meta = { undoes: [entry.commit], ...at };
    return { op: 'unaccept', changes: new Map(), blobs: [], tree, subject, meta };
  });
  return commit;
}

/**
 * Returns the accepted text before this acceptance, up to which commit it has what people wrote, and where HEAD was then: what came
 * into the branch since counts as accepted still. Before the first one the branch stood for it, or what was there before all
 * edits.
 */
async function before(
  review: Review,
  entry: TrailEntry,
): Promise<{ tree: string | null; base: string | undefined; head: string | undefined }> {
  const { objects } = review.snapshot.context;
  const [first] = entry.parents;
  const older = first === undefined ? null : await readEntryOrNull(objects, first);
  if (older && isReviewed(older.meta?.op))
    return { tree: older.tree, base: older.meta?.base, head: older.meta?.head };
  const head = entry.meta?.head;
  const tree = head === undefined ? await acceptedAtFirst(review) : await treeOf(objects, head);
  return { tree, base: undefined, head };
}

/** Plans putting the rejected text back, as an edit is taken back. */
export async function planUnreject(snapshot: Snapshot, entry: TrailEntry): Promise<Planned> {
  const planned = await (await UndoPlan.of(snapshot, [entry])).plan();
  return { ...planned, meta: { unrejects: entry.commit }, word: 'unreject' };
}
