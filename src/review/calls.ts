/** The calls of a review as the workspace has them. What changes files is a change as any other, made by a person. */

import type { Answer, DoneData } from '../engine/answer.ts';
import { Cancellation } from '../engine/calls/cancel.ts';
import { Notifier } from '../engine/calls/notifier.ts';
import type { Calls } from '../engine/calls/queue.ts';
import { makeChange } from '../engine/change/change.ts';
import type { Planned } from '../engine/change/planned.ts';
import { planRecord } from '../engine/change/record.ts';
import type { ChangeRequest } from '../engine/change/request.ts';
import { type Context, fromTrail } from '../engine/context.ts';
import type { Person } from '../engine/editor.ts';
import type { Snapshot } from '../engine/files/snapshot.ts';
import { REVIEW_SESSION } from '../engine/rejections/people.ts';
import { isEditError } from '../errors.ts';
import type { TrailEntry } from '../history/walk.ts';
import { newSession } from '../workspace/new-session.ts';
import type { Session } from '../workspace/session.ts';
import { type AcceptData, accept } from './accept.ts';
import { type CommentData, comment } from './comment.ts';
import { listReview, type ReviewData } from './listing.ts';
import { OpenFiles } from './open-files.ts';
import { checkAccept, checkComment, checkReject, checkReview, checkUnreview } from './options.ts';
import { planReject } from './reject.ts';
import { openReview, reviewerOf } from './review.ts';
import { lastAction, planUnreject, type UnreviewData, unaccept } from './unreview.ts';

export interface ReviewPlace {
  context: Context;
  calls: Calls;
  method: string;
  cancel: Cancellation;
}

export const reviewCalls = {
  review: async ({ context, method }: ReviewPlace, given: object): Promise<Answer<ReviewData>> =>
    listReview(context, checkReview(method, given)),

  accept: async (place: ReviewPlace, given: object): Promise<Answer<AcceptData>> => {
    const { context, method, cancel } = place;
    const options = checkAccept(method, given);
    cancel.begin();
    await recordNobodys(place, reviewerOf(context, options.reviewer));
    return accept(context, options);
  },

  reject: async (place: ReviewPlace, given: object): Promise<Answer<DoneData>> => {
    const options = checkReject(place.method, given);
    const { reason, dryRun = false, at } = options;
    const reviewer = reviewerOf(place.context, options.reviewer);
    return publishLocalChange(place, reviewer, {
      word: 'reject',
      plan: snapshot => planReject(snapshot, reviewer, options),
      ...{ reason, dryRun, names: [at] },
      onDrafted: (commit, trail) => place.context.rejections.add(commit, trail),
    });
  },

  comment: async (place: ReviewPlace, given: object): Promise<Answer<CommentData>> => {
    const options = checkComment(place.method, given);
    const reviewer = reviewerOf(place.context, options.reviewer);
    place.cancel.begin();
    await recordNobodys(place, reviewer);
    return comment(place.context, reviewer, options);
  },

  unreview: async (place: ReviewPlace, given: object): Promise<Answer<UnreviewData>> => {
    const { context, cancel, method } = place;
    const { reviewer: named, of } = checkUnreview(method, given);
    const reviewer = reviewerOf(context, named);
    const { took: took_back, entry } = await lastAction(context, reviewer, of);
    if (took_back === 'accept') cancel.begin();
    const commit =
      took_back === 'accept' ? await unaccept(context, reviewer) : await unreject(place, reviewer, entry);
    return { message: `Took back: ${entry.subject}.`, data: { took_back, commit } };
  },
};

export type ReviewCalls = typeof reviewCalls;

async function unreject(place: ReviewPlace, reviewer: Person, entry: TrailEntry): Promise<string> {
  const plan = (snapshot: Snapshot): Promise<Planned> => planUnreject(snapshot, entry);
  const { data } = await publishLocalChange(place, reviewer, { word: 'unreject', plan, dryRun: false });
  // What is on the trail says so, too.
  await place.context.rejections.remove(entry.commit).catch(() => {});
  return data.commit!;
}

/**
 * Records text that may be an agent's and is in no commit yet: only text that a commit holds can be accepted or
 * claimed.
 */
async function recordNobodys(place: ReviewPlace, reviewer: Person): Promise<void> {
  const { unrecorded } = await OpenFiles.open(await openReview(place.context, reviewer));
  const paths = [...unrecorded.keys()].flatMap(path => fromTrail(place.context, path) ?? []);
  if (paths.length === 0) return;
  const plan = (snapshot: Snapshot): Promise<Planned> => planRecord(snapshot, paths, { outside: true });
  const own = { ...place, cancel: new Cancellation() };
  // Somebody else may have recorded it meanwhile.
  await publishLocalChange(own, reviewer, { plan, dryRun: false }).catch(error => {
    if (!isEditError(error, 'NO_CHANGE')) throw error;
  });
}

type LocalChange = Pick<ChangeRequest, 'plan' | 'dryRun' | 'reason' | 'names' | 'onDrafted'> & {
  /** The operation that followers are told; absent where a record of text from outside tells of itself. */
  word?: 'reject' | 'unreject';
};

/** Makes a change that history knows as one that a person made by hand; see by-hand.ts. */
async function publishLocalChange(
  { context, calls, cancel }: ReviewPlace,
  { name, email }: Person,
  { word, ...change }: LocalChange,
): Promise<Answer<DoneData>> {
  const editor = { session: REVIEW_SESSION, agent: undefined, model: undefined, person: { name, email } };
  const session = (): Session => newSession(context, editor, undefined, calls);
  const { message, data } = await makeChange(context, { op: 'outside', editor, session, cancel, ...change });
  if (word) new Notifier(context, editor).reviewed(word, data, change.reason);
  return { message, data };
}
