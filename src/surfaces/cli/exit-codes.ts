/** The one table of exit codes, which the process answers to its caller. */

import type { ErrorCode } from '../../errors.ts';

export const EXIT = {
  done: 0,
  /** The request was understood and refused; nothing was changed. */
  refused: 1,
  /** The command line was not understood; nothing was done. */
  usage: 2,
  /** The file or the history moved on: decide again on what is there now. */
  stale: 3,
  /** Somebody else is writing: try again. */
  locked: 4,
  /** A check of the history found a fault. */
  faulty: 5,
  /** There is no repository to work in, or it cannot be read or written. */
  fatal: 128,
  /** SIGINT ends the process; shells report that as 128 + 2. */
  interrupted: 130,
  /** Ended by SIGTERM. */
  terminated: 143,
} as const;

/** A new error code has to choose its exit code here, or this file does not compile. */
const BY_ERROR: Readonly<Record<ErrorCode, number>> = {
  NO_MATCH: EXIT.refused,
  AMBIGUOUS: EXIT.refused,
  STALE: EXIT.stale,
  CONFLICT: EXIT.stale,
  NOT_VIEWED: EXIT.refused,
  LINE_OUT_OF_RANGE: EXIT.refused,
  NO_CHANGE: EXIT.refused,
  FILE_NOT_FOUND: EXIT.refused,
  FILE_EXISTS: EXIT.refused,
  IS_DIRECTORY: EXIT.refused,
  PATCH_SYNTAX: EXIT.refused,
  PATCH_FAILED: EXIT.refused,
  INVALID_INPUT: EXIT.refused,
  BINARY_FILE: EXIT.refused,
  NOT_UTF8: EXIT.refused,
  TOO_LARGE: EXIT.refused,
  OUTSIDE_WORKSPACE: EXIT.fatal,
  PROTECTED_PATH: EXIT.refused,
  IGNORED_PATH: EXIT.refused,
  FILTERED_PATH: EXIT.refused,
  NESTED_REPOSITORY: EXIT.refused,
  SPECIAL_FILE: EXIT.refused,
  DENIED: EXIT.refused,
  SECRET: EXIT.refused,
  REJECTED: EXIT.refused,
  GIT_REFUSED: EXIT.refused,
  REMOTE_FAILED: EXIT.fatal,
  REMOTE_REFUSED: EXIT.refused,
  LOCKED: EXIT.locked,
  UNSUPPORTED_REPOSITORY: EXIT.fatal,
  NOT_A_REPOSITORY: EXIT.fatal,
  CORRUPT: EXIT.fatal,
  STORE_FAILED: EXIT.fatal,
  INTERNAL_ERROR: EXIT.fatal,
};

export function exitCodeOf(code: ErrorCode): number {
  return BY_ERROR[code];
}
