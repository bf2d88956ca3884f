/** The options of verify, apart from the check itself, which is loaded only where it is made. */

import * as z from 'zod';
import { type CheckOptions, functionOf, optionsCheck, type ToolFieldsOf } from '../calls/call-options.ts';

export interface VerifyOptions {
  /** Commits noted earlier (ids, or 4 or more digits of one) that must still be in the trail. */
  expect?: readonly string[] | undefined;
  /** Told of each commit read. */
  onCommit?: ((count: number) => void) | undefined;
}

/** The fields of the tool. */
export const verifyFields: ToolFieldsOf<Pick<VerifyOptions, 'expect'>> = {
  expect: z
    .array(z.string())
    .optional()
    .describe(
      'Commits noted earlier (ids) that must still be in the history: one that was cut off is found.',
    ),
};

export const checkVerify: CheckOptions<VerifyOptions> = optionsCheck(
  { ...verifyFields, onCommit: functionOf<(count: number) => void>().optional() },
  { expect: ['1a2b3c4'] },
);
