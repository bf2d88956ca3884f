/** Answers and refusals in the words of a caller. */

import { EditError } from '../../errors.ts';
import { render, type Vocabulary } from '../../wording.ts';
import type { Answer } from '../answer.ts';
import type { Context } from '../context.ts';
import type { Snapshot } from '../files/snapshot.ts';

/** Does `work`, and returns its answer, or throws its refusal, in the caller's words. */
export async function localize<T>(
  context: Context,
  vocabulary: Vocabulary,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return localizeAnswer(await work(), vocabulary);
  } catch (error) {
    throw localizeError(vocabulary, await completed(context, error));
  }
}

export function localizeError(vocabulary: Vocabulary, error: unknown): unknown {
  return error instanceof EditError ? EditError.render(error, vocabulary) : error;
}

/** A path that leads out of the workspace may name a file in it all the same. */
async function completed(context: Context, error: unknown): Promise<unknown> {
  const snapshot = async (): Promise<Snapshot> => {
    const [{ Snapshot }, { openTrail }] = await Promise.all([
      import('../files/snapshot.ts'),
      import('../trails/open-trail.ts'),
    ]);
    return new Snapshot(context, await openTrail(context));
  };
  const { withInside } = await import('../files/missing.ts');
  return withInside(snapshot, error).catch(() => error);
}

/** Returns the answer with its message, and with what of it stands in the data too, in the caller's words. */
function localizeAnswer<T>(answer: T, vocabulary: Vocabulary): T {
  const { message, data } = Object(answer) as Partial<Answer<{ notes?: string[]; warnings?: string[] }>>;
  if (typeof message !== 'string') return answer;
  const say = (words: string): string => render(words, vocabulary);
  const { notes, warnings } = Object(data) as { notes?: string[]; warnings?: string[] };
  const said = {
    ...(Array.isArray(notes) ? { notes: notes.map(say) } : {}),
    ...(Array.isArray(warnings) ? { warnings: warnings.map(say) } : {}),
  };
  return { ...answer, message: say(message), data: { ...data, ...said } };
}
