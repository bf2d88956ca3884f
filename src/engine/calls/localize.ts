/** Answers and refusals as a caller gets them: in its words, and with what people rejected. Apart from the calls, for tools that make none. */

import { EditError } from '../../errors.ts';
import { render, type Vocabulary } from '../../wording.ts';
import type { Answer } from '../answer.ts';
import type { Context } from '../context.ts';
import type { Snapshot } from '../files/snapshot.ts';
import type { Told } from '../rejections/notices.ts';

/** Returns an error in the caller's words; that of a path which leads out of the workspace, with the file that was meant. */
export async function localizeError(
  context: Context,
  vocabulary: Vocabulary,
  thrown: unknown,
): Promise<unknown> {
  const error = await completed(context, thrown);
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
export function localizeAnswer<T>(answer: T, vocabulary: Vocabulary): T {
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

/** Adds what people rejected, or said, to an answer or a refusal. */
export function withRejections<P extends { message: string; data: unknown }>(part: P, told: Told | null): P {
  if (!told) return part;
  const { rejections, comments } = told;
  const said = {
    ...(rejections.length > 0 ? { rejections } : {}),
    ...(comments.length > 0 ? { comments } : {}),
  };
  const data = { ...(part.data as object), ...said };
  return { ...part, message: `${part.message}\n${told.message}`, data };
}
