/** The kinds of fields that the inputs of edits have, each with the words for it that a model reads. */

import * as z from 'zod';

type Optional<Type extends z.ZodType> = z.ZodOptional<z.ZodNullable<Type>>;

export const filePath = (words = 'File to edit, relative to the workspace.'): z.ZodString => name(words);

export const name = (words: string): z.ZodString => z.string().min(1).describe(words);

export const text = (words: string): z.ZodString => z.string().describe(words);

export const optionalText = (words: string): Optional<z.ZodString> => z.string().nullish().describe(words);

export const flag = (words: string): Optional<z.ZodBoolean> => z.boolean().nullish().describe(words);

/**
 * A line number: any whole number, for how large a right one is only the file tells. Unlike `z.int()` without an end:
 * what no file has lines for is LINE_OUT_OF_RANGE with those there are, as 99 is.
 */
export const lineNumber = (): z.ZodNumber =>
  z
    .number()
    .check(({ value, issues }) => {
      if (!Number.isInteger(value)) issues.push({ code: 'invalid_type', expected: 'int', input: value });
    })
    .meta({ type: 'integer' });

export const optionalLine = (words: string): Optional<z.ZodNumber> => lineNumber().nullish().describe(words);
