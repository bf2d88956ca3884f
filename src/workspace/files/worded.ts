/** Answers and refusals in the words of a caller. */

import { EditError } from '../../errors.ts';
import { phrased, type Vocabulary } from '../../wording.ts';
import type { Answer } from '../answer.ts';
import type { Context } from '../context.ts';
import { openTrail } from '../trails/open-trail.ts';
import { withInside } from './missing.ts';
import { Snapshot } from './snapshot.ts';

/** What `work` answers, or its refusal, in the caller's words. */
export async function worded<T>(
  context: Context,
  vocabulary: Vocabulary,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return wordedAnswer(await work(), vocabulary);
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

/** The message, and what of it stands in the data too, in the words of the caller. */
function wordedAnswer<T>(answer: T, vocabulary: Vocabulary): T {
  const { message, data } = Object(answer) as Partial<Answer<{ notes?: string[]; warnings?: string[] }>>;
  if (typeof message !== 'string') return answer;
  const say = (words: string): string => phrased(words, vocabulary);
  const { notes, warnings } = Object(data) as { notes?: string[]; warnings?: string[] };
  const said = {
    ...(Array.isArray(notes) ? { notes: notes.map(say) } : {}),
    ...(Array.isArray(warnings) ? { warnings: warnings.map(say) } : {}),
  };
  return { ...answer, message: say(message), data: { ...data, ...said } };
}
