/** Failures as refusals that a caller can act on: of the system, and of the engine itself. */

import { EditError, type ErrorCode, hostFault, internalError, isEditError } from '../../errors.ts';
import { failureWords } from '../../fs/failures.ts';
import { systemCode } from '../../fs/fs.ts';

/** Makes an EditError of whatever was thrown: STORE_FAILED for an error of the system, with its cause, else INTERNAL_ERROR. */
export function asEditError(error: unknown): EditError {
  if (error instanceof EditError) return error;
  const code = systemCode(error);
  if (code === undefined) return internalError(error);
  const message = `Reading or writing failed: ${failureWords(error)}. Nothing was changed; try again when the cause is gone.`;
  return new EditError('STORE_FAILED', message, { cause: code }, { cause: error });
}

/** Creates the error for a function of the program that failed; an error of the system keeps its words. */
export function hostFailure(what: string, error: unknown): EditError {
  return systemCode(error) === undefined ? hostFault(what, error) : asEditError(error);
}

/** Returns a handler for `catch` that answers `null` to an EditError with one of these codes, and throws any other error. */
export function nullFor(...codes: readonly ErrorCode[]): (error: unknown) => null {
  return error => {
    if (isEditError(error, ...codes)) return null;
    throw error;
  };
}
