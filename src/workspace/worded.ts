/** Answers and refusals in the words of a caller. */

import { EditError } from '../errors.ts';
import { phrased, type Vocabulary } from '../wording.ts';
import type { Context } from './context.ts';
import { withInside } from './missing.ts';
import { openTrail } from './open-trail.ts';
import { Snapshot } from './snapshot.ts';

/** What `work` answers, or its refusal, in the caller's words. */
export async function worded<T>(
  context: Context,
  vocabulary: Vocabulary,
  work: () => Promise<T>,
): Promise<T> {
  try {
    const answer = await work();
    const { message } = Object(answer) as { message?: unknown };
    if (typeof message !== 'string') return answer;
    const words = phrased(message, vocabulary);
    return words === message ? answer : { ...answer, message: words };
  } catch (error) {
    throw wordedError(vocabulary, await completed(context, error));
  }
}

export function wordedError(vocabulary: Vocabulary, error: unknown): unknown {
  return error instanceof EditError ? EditError.phrased(error, vocabulary) : error;
}

/** A path that leads out of the workspace may name a file in it all the same. */
async function completed(context: Context, error: unknown): Promise<unknown> {
  const snapshot = async (): Promise<Snapshot> => new Snapshot(context, await openTrail(context));
  return withInside(snapshot, error).catch(() => error);
}
