/** A line number in the input of an edit: any whole number, for how large a right one is only the file tells. */

import * as z from 'zod';

/** Unlike `z.int()` without an end: what no file has lines for is LINE_OUT_OF_RANGE with those there are, as 99 is. */
export const lineNumber = (): z.ZodNumber =>
  z
    .number()
    .check(({ value, issues }) => {
      if (!Number.isInteger(value)) issues.push({ code: 'invalid_type', expected: 'int', input: value });
    })
    .meta({ type: 'integer' });
