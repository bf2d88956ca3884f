/** The kinds of options that calls have. Each makes its schema when it is asked for. */

import * as z from 'zod';
import { isTrailerValue } from '../../history/message.ts';

type Optional<T> = z.ZodOptional<z.ZodType<T>>;

export const requiredText = (): z.ZodType<string> => z.string();

// Fields that may be left out, each with the words for it that a model reads, where one does.
export const text = (words?: string): Optional<string> => described(z.string(), words);
export const texts = (words?: string): Optional<string[]> => described(z.array(z.string()), words);
export const flag = (words?: string): Optional<boolean> => described(z.boolean(), words);
export const positive = (words?: string): Optional<number> => described(z.int().positive(), words);
export const natural = (): Optional<number> => z.int().nonnegative().optional();
export const date = (): Optional<Date> => z.date().optional();
export const trailer = (): Optional<string> => trailerOption.optional();

function described<T>(schema: z.ZodType<T>, words: string | undefined): Optional<T> {
  return words === undefined ? schema.optional() : schema.optional().describe(words);
}

/** Each edit names it in a trailer, so one that cannot stand there is refused before the first. */
export const trailerOption: z.ZodType<string> = z
  .string()
  .refine(
    isTrailerValue,
    'one line of plain text, not empty, without control characters or blanks at its ends',
  );

/** An object of the caller's with methods. */
export function objectOf<T extends object>(): z.ZodType<T> {
  return z.custom<T>(value => typeof value === 'object' && value !== null, 'an object');
}

export function functionOf<T extends (...args: never[]) => unknown>(): z.ZodType<T> {
  return z.custom<T>(value => typeof value === 'function', 'a function');
}

/** A function of the caller's, where they give one. */
export function callback<T extends (...args: never[]) => unknown>(): Optional<T> {
  return functionOf<T>().optional();
}
