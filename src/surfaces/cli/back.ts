/** What undo and redo take: how many edits, and whose. */

import type { Call } from './command.ts';
import type { WriterOptions } from './options.ts';
import { wholeNumber } from './usage.ts';

/** A person means the whole history; one who names a session means that session's edits. */
export function backInput({ args, options }: Call<WriterOptions>): {
  count: number;
  scope: 'session' | 'trail';
} {
  const count = args[0] === undefined ? 1 : wholeNumber('N', args[0], 1);
  return { count, scope: options.session === undefined ? 'trail' : 'session' };
}
