/** The ways in which a repository cannot be used: it cannot be read, it is damaged, or it is of a kind that is not supported. */

import { EditError, type ErrorData, internalError } from '../errors.ts';
import { errno } from './fs.ts';

/** A read that failed for another reason than "not there". An EditError passes through; a fault of ours stays one. */
export function readFailed(error: unknown, what: string): EditError {
  if (error instanceof EditError) return error;
  if (error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError)
    return internalError(error);
  const cause = errno(error) ?? 'unknown error';
  const message = `reading ${what} failed (${cause}); nothing was changed: retry, or look at the disk and the permissions`;
  return new EditError('STORE_FAILED', message, { what, cause }, { cause: error });
}

/** Something in the repository that is there and cannot be right. */
export function corrupt(what: string, why: string, data: ErrorData = {}): EditError {
  const message = `${what} ${why}; run git fsck and restore it from another clone or a backup`;
  return new EditError('CORRUPT', message, { what, ...data });
}

/** Runs a read; what it throws becomes STORE_FAILED, naming `what`. */
export async function reading<T>(what: string, read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (error) {
    throw readFailed(error, what);
  }
}

/** Something that the engine does not support. `next`: what to do instead. */
export function unsupported(what: string, next: string): EditError {
  return new EditError('UNSUPPORTED_REPOSITORY', `${what}; ${next}`, { feature: what });
}
