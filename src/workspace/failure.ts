/** Failures of the system as refusals that a caller can act on. */

import { EditError } from '../errors.ts';
import { errno } from '../git/fs.ts';

/** Whatever went wrong, callers get one kind of error; the cause of a failure is kept. */
export function asEditError(error: unknown): EditError {
  if (error instanceof EditError) return error;
  const code = errno(error);
  const text = error instanceof Error ? error.message.split('\n')[0]! : String(error);
  const message = code
    ? `Reading or writing failed: ${SYSTEM_WORDS[code] ?? code}. Nothing was changed; try again when the cause is gone.`
    : `A fault inside the engine: ${text}. Nothing was changed. Please report it.`;
  return new EditError('STORE_FAILED', message, { cause: code ?? text }, { cause: error });
}

const SYSTEM_WORDS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full (ENOSPC)',
  EDQUOT: 'the disk quota is used up (EDQUOT)',
  EACCES: 'permission denied (EACCES)',
  EPERM: 'not permitted (EPERM)',
  EROFS: 'the file system is read-only (EROFS)',
  EMFILE: 'too many open files (EMFILE)',
  ENFILE: 'too many open files (ENFILE)',
  EIO: 'the disk reported an error (EIO)',
};
