/** Calls that are made again when somebody else came first. */

import * as z from 'zod';
import { type EditErrorOf, ERROR_CODES, type ErrorCode, isEditError } from '../../errors.ts';
import { sleep } from '../../fs/all-done.ts';
import { type CheckOptions, optionsCheck } from './call-options.ts';
import { type CallOptions, cancellation, checkCall, splitOptions } from './cancel.ts';
import * as option from './option.ts';

export interface RetryOptions<Code extends ErrorCode = ErrorCode> extends CallOptions {
  /** The codes after which the call is tried again; default: STALE and LOCKED. */
  on?: readonly Code[] | undefined;
  /** The number of tries in all; default 3. */
  tries?: number | undefined;
}

/** The argument of one try. */
export interface Attempt<Code extends ErrorCode = ErrorCode> {
  /** 1 for the first. */
  number: number;
  /** The refusal of the try before, with what changed (`data.diff`, `data.version`); `null` for the first. */
  refused: EditErrorOf<Code> | null;
}

const CODES = Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]];

const checkRetry: CheckOptions<Omit<RetryOptions, 'signal'>> = optionsCheck(
  { on: () => z.array(z.enum(CODES)).optional(), tries: option.positive },
  { on: ['STALE'], tries: 3 },
);

/** The first pause after LOCKED in milliseconds, each next twice as long: the call itself has waited for the lock. */
const PAUSE = 100;

/** Returns what `work` answers. Throws its last refusal when all tries were refused, and any other error at once. */
export async function retry<T, Code extends ErrorCode>(
  work: (attempt: Attempt<Code>) => Promise<T>,
  options: RetryOptions<Code>,
): Promise<T> {
  const { call, own } = splitOptions<RetryOptions<Code>>(options);
  checkCall('session.retry', call);
  const { on = ['STALE', 'LOCKED'], tries = 3 } = checkRetry('session.retry', own);
  const cancel = cancellation(undefined, call);
  let refused: EditErrorOf<Code> | null = null;
  for (let number = 1; ; number++) {
    cancel.check();
    try {
      return await work({ number, refused });
    } catch (error) {
      if (number >= tries || !isEditError(error, ...(on as readonly Code[]))) throw error;
      refused = error;
    }
    if (refused.code === 'LOCKED') await cancel.race(sleep(PAUSE * 2 ** (number - 1)));
  }
}
