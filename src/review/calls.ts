/** The calls of a review as the workspace has them. What changes files is a change as any other, made by a person. */

import type { Answer, DoneData } from '../engine/answer.ts';
import { Cancellation } from '../engine/calls/cancel.ts';
import { Notifier } from '../engine/calls/notifier.ts';
import type { Calls } from '../engine/calls/queue.ts';
import { makeChange } from '../engine/change/change.ts';
import type { Planned } from '../engine/change/planned.ts';
import { planRecord } from '../engine/change/record.ts';
import { type Context, fromTrail } from '../engine/context.ts';
import type { Person } from '../engine/editor.ts';
import type { Snapshot } from '../engine/files/snapshot.ts';
import { REVIEW_SESSION } from '../engine/rejections/people.ts';
import { isEditError } from '../errors.ts';
import { newSession } from '../workspace/new-session.ts';
import type { Session } from '../workspace/session.ts';
import { type AcceptData, accept } from './accept.ts';
import { listReview, type ReviewData } from './listing.ts';
import { OpenFiles } from './open-files.ts';
import { checkAccept, checkReject, checkReview, checkUnreview } from './options.ts';
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
    const reviewer = reviewerOf(place.context, options.reviewer);
    const { reason, dryRun = false, at } = options;
    const plan = (snapshot: Snapshot): Promise<Planned> => planReject(snapshot, reviewer, options);
    const { rejections } = place.context;
    const onDrafted = (commit: string, trail: string): Promise<void> => rejections.add(commit, trail);
    return publishLocalChange(place, {
      reviewer,
      word: 'reject',
      plan,
      reason,
      dryRun,
      names: [at],
      onDrafted,
    });
  },

  unreview: async (place: ReviewPlace, given: object): Promise<Answer<UnreviewData>> => {
    const { context, cancel } = place;
    const { reviewer: named, of } = checkUnreview(place.method, given);
    const reviewer = reviewerOf(context, named);
    const { took, entry } = await lastAction(context, reviewer, of);
    if (took === 'accept') {
      cancel.begin();
      return tookBack(took, entry.subject, await unaccept(context, reviewer));
    }
    const plan = (snapshot: Snapshot): Promise<Planned> => planUnreject(snapshot, entry);
    const { data } = await publishLocalChange(place, { reviewer, word: 'unreject', plan, dryRun: false });
    // What is on the trail says so, too.
    await context.rejections.remove(entry.commit).catch(() => {});
    return tookBack(took, entry.subject, data.commit!);
  },
};

/**
 * Records text that may be an agent's and is in no commit yet: only text that a commit holds can be accepted or
 * claimed.
 */
async function recordNobodys(place: ReviewPlace, reviewer: Person): Promise<void> {
  const { unrecorded } = await OpenFiles.open(await openReview(place.context, reviewer));
  const paths = [...unrecorded.keys()].flatMap(path => fromTrail(place.context, path) ?? []);
  if (paths.length === 0) return;
  const plan = (snapshot: Snapshot): Promise<Planned> => planRecord(snapshot, paths, { outside: true });
  const recorded = publishLocalChange(
    { ...place, cancel: new Cancellation() },
    { reviewer, plan, dryRun: false },
  );
  // Somebody else may have recorded it meanwhile.
  await recorded.catch(error => {
    if (!isEditError(error, 'NO_CHANGE')) throw error;
  });
}

export type ReviewCalls = typeof reviewCalls;

function tookBack(
  took_back: UnreviewData['took_back'],
  subject: string,
  commit: string,
): Answer<UnreviewData> {
  return { message: `Took back: ${subject}.`, data: { took_back, commit } };
}

interface LocalChange {
  reviewer: Person;
  /** The operation that followers are told; absent where a record of text from outside tells of itself. */
  word?: 'reject' | 'unreject';
  plan(snapshot: Snapshot): Promise<Planned>;
  reason?: string | undefined;
  dryRun: boolean;
  names?: ReadonlyArray<string | undefined>;
  onDrafted?(commit: string, trail: string): Promise<void>;
}

/** Makes a change that history knows as one that a person made by hand; see by-hand.ts. */
async function publishLocalChange(
  { context, calls, cancel }: ReviewPlace,
  { reviewer, word, ...change }: LocalChange,
): Promise<Answer<DoneData>> {
  const person = { name: reviewer.name, email: reviewer.email };
  const editor = { session: REVIEW_SESSION, agent: undefined, model: undefined, person };
  const session = (): Session => newSession(context, editor, undefined, calls);
  const { message, data } = await makeChange(context, { op: 'outside', editor, session, cancel, ...change });
  if (word) new Notifier(context, editor).reviewed(word, data, change.reason);
  return { message, data };
}
