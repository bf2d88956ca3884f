/** Failures as refusals that a caller can act on: of the system, and of the engine itself. */

import { EditError, internalError, thrownWords } from '../../errors.ts';
import { systemCode } from '../../fs/fs.ts';

/** Whatever went wrong, callers get one kind of error; the cause of a failure is kept. */
export function asEditError(error: unknown): EditError {
  if (error instanceof EditError) return error;
  const code = systemCode(error);
  if (code === undefined) return internalError(error);
  const message = `Reading or writing failed: ${failureWords(error)}. Nothing was changed; try again when the cause is gone.`;
  return new EditError('STORE_FAILED', message, { cause: code }, { cause: error });
}

/** What went wrong, without the paths of this machine that a system's own message holds. */
export function failureWords(error: unknown): string {
  const code = systemCode(error);
  return code === undefined ? thrownWords(error) : (SYSTEM_WORDS[code] ?? code);
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
