/** Reads the values of a command line; one that cannot be understood is told, and the process exits with 2. */

import { parseSince } from '../queries/log/since.ts';

/** A command line that cannot be understood. Nothing was done. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Checks and converts the value; gets what an earlier use of the option gave. Throws UsageError. */
export type ReadValue = (value: string, name: string, previous: unknown) => unknown;

/** Kinds of values: a whole number from 1, a moment, a line of plain text, an absolute path, and of an option given several times each text. */
export interface ValueKinds {
  natural: number;
  time: Date;
  text: string;
  absolute: string;
  each: string[];
}

/** A kind of value, all that it can be, or what reads it. */
export type OptionValue = keyof ValueKinds | readonly string[] | ReadValue;

/** Reads the value of the option called `name`. Throws UsageError. */
export function readValue(value: OptionValue, text: string, name: string, previous: unknown): unknown {
  if (typeof value === 'function') return value(text, name, previous);
  if (typeof value === 'string') return READERS[value](text, name, previous);
  if (value.includes(text)) return text;
  throw new UsageError(`${name} must be one of ${value.join(', ')}, not ${JSON.stringify(text)}`);
}

const READERS: { readonly [Kind in keyof ValueKinds]: ReadValue } = {
  natural: (text, name) => wholeNumber(name, text, 1),
  time: (text, name) => parseTime(name, text),
  text: (text, name) => plainText(name, text),
  absolute: (text, name) => absolutePath(name, text),
  each: (text, _, previous) => [...((previous as string[] | undefined) ?? []), text],
};

/** A whole number of at least `min`, from an argument or option called `what`. Throws UsageError. */
export function wholeNumber(what: string, text: string, min: number): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : -1;
  if (number >= min) return number;
  throw new UsageError(`${what} must be a whole number of at least ${min}, not ${JSON.stringify(text)}`);
}

/** A time as `--since` takes it, of an option called `what`. Throws UsageError. */
export function parseTime(what: string, text: string): Date {
  try {
    return parseSince(text);
  } catch {
    throw new UsageError(
      `${what} must be a time such as 2026-11-20, 2026-11-20T15:00Z, 15:00, 3h, "2 days ago" or yesterday, not ${JSON.stringify(text)}`,
    );
  }
}

function absolutePath(what: string, text: string): string {
  if (/^(\/|[A-Za-z]:[\\/])/.test(text)) return text;
  throw new UsageError(`${what} must be an absolute path, such as /repo, not ${JSON.stringify(text)}`);
}

/** Checks a text that becomes a trailer of the commit; the engine asks for the same, but only when an edit is made. */
function plainText(what: string, text: string): string {
  if (text !== '' && text === text.trim() && !/\p{Cc}/u.test(text)) return text;
  throw new UsageError(
    `${what} must be one line of plain text without blanks at its ends, not ${JSON.stringify(text.slice(0, 60))}`,
  );
}
