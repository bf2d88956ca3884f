/** The options of verify, apart from the check itself, which is loaded only where it is made. */

import * as z from 'zod';
import { type CheckOptions, functionOf, optionsCheck, type ToolFieldsOf } from '../calls/call-options.ts';

export interface VerifyOptions {
  /** Commits noted earlier (ids, or 4 or more digits of one) that must still be in the trail. */
  expect?: readonly string[] | undefined;
  /**
   * The id of a commit noted earlier (or 7 or more digits of it), up to which the trail was found sound: only commits since
   * then are checked, and files that they name. Where it is no longer in the trail, that is a fault, and all is checked.
   */
  since?: string | undefined;
  /** Told of each commit read. */
  onCommit?: ((count: number) => void) | undefined;
}

/** The fields of the tool. */
export const verifyFields = (): ToolFieldsOf<Pick<VerifyOptions, 'expect' | 'since'>> => ({
  expect: z
    .array(z.string())
    .optional()
    .describe(
      'Commits noted earlier (ids) that must still be in the history: one that was cut off is found.',
    ),
  since: z
    .string()
    .optional()
    .describe(
      'A commit noted earlier (id), up to which all was sound: only newer commits, and the files that they name, are checked.',
    ),
});

export const checkVerify: CheckOptions<VerifyOptions> = optionsCheck(
  () => ({ ...verifyFields(), onCommit: functionOf<(count: number) => void>().optional() }),
  { expect: ['1a2b3c4'], since: '1a2b3c4' },
);
