/** Signs the newest commit after a landing or a push, where the user's git config asks for it: `vedit.sign = land, push`. */

import { isEditError } from '../../errors.ts';
import type { Answer } from '../answer.ts';
import type { Context } from '../context.ts';
import { signHead } from './sign.ts';

/** Returns the answer with what came of it. What was done stays done: a signature that fails is a note. */
export async function signAfter<Data extends { notes: string[]; dry_run?: true }>(
  context: Context,
  moment: 'land' | 'push',
  answer: Answer<Data>,
): Promise<Answer<Data>> {
  const wanted = context.userConfig?.get('vedit.sign')?.split(/[\s,]+/) ?? [];
  if (answer.data.dry_run || !wanted.includes(moment)) return answer;
  const note = await signHead(context).then(
    ({ message }) => message,
    error => (isEditError(error, 'NO_CHANGE') ? null : `The newest commit was not signed: ${error.message}`),
  );
  if (note === null) return answer;
  const { message, data } = answer;
  return { message: `${message}\nNote: ${note}`, data: { ...data, notes: [...data.notes, note] } };
}
