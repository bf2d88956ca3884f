/** A commit of a review: it is made as edits are, as one transaction that moves the reviewer's ref and nothing else. */

import { Notifier } from '../../engine/calls/notifier.ts';
import { type Context, fromTrail } from '../../engine/context.ts';
import type { Person } from '../../engine/editor.ts';
import { committer, personsIdentity } from '../../engine/identity.ts';
import { REVIEW_SESSION } from '../../engine/rejections/people.ts';
import { publish } from '../../engine/transaction/publication.ts';
import { movingRef, publishWithRetry } from '../../engine/transaction/transaction.ts';
import { asWriter, type LockLease } from '../../engine/transaction/writer.ts';
import type { EncodedObject } from '../../git/objects/object.ts';
import type { TreeRef } from '../../git/objects/tree-entries.ts';
import { appendCommit } from '../../trail/append.ts';
import { formatMessage, type TrailMeta } from '../../trail/message.ts';
import { openReview, type Review } from './accepted-text.ts';

export interface ReviewStep {
  op: 'accept' | 'unaccept';
  /** By path; `null`: the file is not part of the accepted text. */
  changes: ReadonlyMap<string, TreeRef | null>;
  /** Contents of those, and the tree in place of the present one with the changes. */
  blobs: readonly EncodedObject[];
  tree?: string | null;
  subject: string;
  meta?: Partial<TrailMeta>;
}

/** Plans on the review as it is and commits it, again where somebody was faster. Answers the commit. */
export async function publishReview<Step extends ReviewStep>(
  context: Context,
  given: Person | undefined,
  plan: (review: Review) => Promise<Step>,
): Promise<{ commit: string; step: Step }> {
  const publishOnce = async (turn: LockLease): Promise<{ commit: string; step: Step } | null> => {
    const review = await openReview(context, given);
    const step = await plan(review);
    const { oid: commit, objects } = await commitOf(review, step);
    const { ref, oid } = review;
    const move = movingRef(context, {
      ref,
      checkedOut: false,
      oid,
      head: null,
      commit,
      summary: step.subject,
    });
    const { done } = await publish(context, { ...move, objects: [...step.blobs, ...objects] }, turn);
    if (done) tell(review, step, commit);
    return done ? { commit, step } : null;
  };
  return asWriter(context, turn => publishWithRetry('this review', () => publishOnce(turn)));
}

function tell(
  { snapshot: { context }, reviewer }: Review,
  { op, changes, subject }: ReviewStep,
  commit: string,
): void {
  const by = { session: REVIEW_SESSION, agent: undefined, model: undefined, person: reviewer };
  const paths = [...changes.keys()].flatMap(path => fromTrail(context, path) ?? []);
  const event = { kind: 'review' as const, op, commit, subject, paths, files: [] };
  context.listener.emit(() => ({ ...event, ...new Notifier(context, by).start() }));
}

/** Its second parent is the trail's newest commit, so that no gc takes away what was reviewed. */
function commitOf(
  review: Review,
  { op, changes, subject, meta, tree = review.accepted }: ReviewStep,
): ReturnType<typeof appendCommit> {
  const { snapshot, newest, reviewer } = review;
  const { context, trail, shown } = snapshot;
  const parents = [newest?.commit, shown.parent].filter(one => one != null);
  const head = trail.checkedOut || trail.head === null ? {} : { head: trail.head };
  return appendCommit(context.objects, {
    parents,
    tree,
    changes,
    message: formatMessage(subject, undefined, {
      op,
      paths: [...changes.keys()],
      base: shown.parent ?? undefined,
      ...head,
      committer: context.identity.committer?.email,
      ...meta,
    }),
    author: personsIdentity(context, reviewer),
    committer: committer(context),
  });
}
