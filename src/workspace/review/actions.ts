/** What a reviewer does to the files: a change as any other, made by a person. */

import type { Answer, DoneData } from '../answer.ts';
import type { Calls } from '../calls/calls.ts';
import type { Cancellation } from '../calls/cancel.ts';
import { makeChange } from '../change/change.ts';
import type { Planned } from '../change/draft.ts';
import type { Context } from '../context.ts';
import type { Person } from '../editor.ts';
import type { Snapshot } from '../files/snapshot.ts';
import { newSession } from '../session.ts';
import type { RejectOptions, UnreviewOptions } from './options.ts';
import { planReject } from './reject.ts';
import { reviewerOf } from './reviewed.ts';
import { lastAction, planUnreject, type UnreviewData, unaccept } from './unreview.ts';

/** Who reviews has no session in the history: what people do by hand has none. */
const SESSION = 'review';

export async function reject(
  context: Context,
  calls: Calls,
  given: RejectOptions,
  cancel: Cancellation,
): Promise<Answer<DoneData>> {
  const reviewer = reviewerOf(context, given.reviewer);
  const { reason, dryRun = false, at } = given;
  const plan = (snapshot: Snapshot): Promise<Planned> => planReject(snapshot, reviewer, given);
  const by = { context, calls, reviewer, cancel };
  return byHand(by, { plan, reason, dryRun, names: [at] });
}

export async function unreview(
  context: Context,
  calls: Calls,
  given: UnreviewOptions,
  cancel: Cancellation,
): Promise<Answer<UnreviewData>> {
  const reviewer = reviewerOf(context, given.reviewer);
  const { took, entry } = await lastAction(context, reviewer);
  const said = (commit: string): Answer<UnreviewData> => ({
    message: `Took back: ${entry.subject}.`,
    data: { took_back: took, commit },
  });
  if (took === 'accept') {
    cancel.begin();
    return said(await unaccept(context, reviewer));
  }
  const plan = (snapshot: Snapshot): Promise<Planned> => planUnreject(snapshot, entry);
  const { data } = await byHand({ context, calls, reviewer, cancel }, { plan, dryRun: false });
  return said(data.commit!);
}

interface By {
  context: Context;
  calls: Calls;
  reviewer: Person;
  cancel: Cancellation;
}

interface ByHand {
  plan(snapshot: Snapshot): Promise<Planned>;
  reason?: string | undefined;
  dryRun: boolean;
  names?: ReadonlyArray<string | undefined>;
}

/** For history it is what a person changed by hand; see by-hand.ts. */
async function byHand({ context, calls, reviewer, cancel }: By, change: ByHand): Promise<Answer<DoneData>> {
  const person = { name: reviewer.name, email: reviewer.email };
  const editor = { session: SESSION, agent: undefined, model: undefined, person };
  const session = newSession(context, editor, undefined, calls);
  const request = { op: 'outside', editor, session, cancel, plansOnHistory: true, ...change };
  const { message, data } = await makeChange(context, request);
  return { message, data };
}
