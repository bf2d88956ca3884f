/** The one table of exit codes, which the process answers to its caller. */

import type { ErrorCode } from '../../errors.ts';

export const EXIT = {
  done: 0,
  refused: 1,
  usage: 2,
  stale: 3,
  locked: 4,
  faulty: 5,
  fatal: 128,
  /** Shells report a signal as 128 and its number. */
  interrupted: 130,
  terminated: 143,
} as const;

/** The exit codes in words, for help and docs. */
const EXIT_WORDS: Readonly<Record<keyof typeof EXIT, string>> = {
  done: 'done',
  refused: 'refused, and nothing was changed',
  usage: 'the command line was not understood',
  stale: 'the file or the history moved on: look again, then decide',
  locked: 'somebody else is writing: try again',
  faulty: 'a check of the history found a fault',
  fatal: 'no repository, a path outside it, or it cannot be read or written',
  interrupted: 'ended by Ctrl-C (SIGINT)',
  terminated: 'ended by SIGTERM',
};

/** Each exit code with its words, in order. */
export const EXITS: ReadonlyArray<readonly [code: number, words: string]> = Object.entries(EXIT_WORDS).map(
  ([word, words]) => [EXIT[word as keyof typeof EXIT], words],
);

/** The codes whose exit code is not that of any refusal. */
const BY_ERROR: Readonly<Partial<Record<ErrorCode, number>>> = {
  STALE: EXIT.stale,
  CONFLICT: EXIT.stale,
  LOCKED: EXIT.locked,
  OUTSIDE_WORKSPACE: EXIT.fatal,
  REMOTE_FAILED: EXIT.fatal,
  UNSUPPORTED_REPOSITORY: EXIT.fatal,
  NOT_A_REPOSITORY: EXIT.fatal,
  CORRUPT: EXIT.fatal,
  STORE_FAILED: EXIT.fatal,
  INTERNAL_ERROR: EXIT.fatal,
};

export function exitCodeOf(code: ErrorCode): number {
  return BY_ERROR[code] ?? EXIT.refused;
}
