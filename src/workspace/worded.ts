/** Answers and refusals in the words of a caller. */

import { EditError } from '../errors.ts';
import { phrased, type Vocabulary } from '../wording.ts';

/** What `work` answers, or its refusal, in the caller's words. */
export async function worded<T>(vocabulary: Vocabulary, work: () => Promise<T>): Promise<T> {
  try {
    const answer = await work();
    const { message } = Object(answer) as { message?: unknown };
    if (typeof message !== 'string') return answer;
    const words = phrased(message, vocabulary);
    return words === message ? answer : { ...answer, message: words };
  } catch (error) {
    throw wordedError(vocabulary, error);
  }
}

export function wordedError(vocabulary: Vocabulary, error: unknown): unknown {
  return error instanceof EditError ? EditError.phrased(error, vocabulary) : error;
}
