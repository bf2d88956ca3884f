/** Values that came as text: models and the templates of their prompts put quotes around numbers and whole lists. */

import type * as z from 'zod';
import { parseJson } from '../json.ts';

type Issue = z.core.$ZodIssue;

/**
 * A copy of `given` in which each text that the schema refused, and that is the JSON of what it wants there, is that
 * value; `null` where there is no such text. Only a whole number, `true`, `false`, a list and an object have one reading
 * as text; anything else stays refused.
 */
export function unquoted(
  given: Readonly<Record<string, unknown>>,
  issues: readonly Issue[],
): Record<string, unknown> | null {
  const read = issues.flatMap(issue => {
    const value = issue.code === 'invalid_type' ? readingOf(issue.expected, issue.input) : undefined;
    return value === undefined ? [] : [{ path: issue.path, value }];
  });
  if (read.length === 0) return null;
  return read.reduce((copy, { path, value }) => replaced(copy, path, value), { ...given });
}

function readingOf(expected: string, input: unknown): unknown {
  if (typeof input !== 'string') return undefined;
  const text = input.trim();
  if (expected === 'int' || expected === 'number')
    return /^-?\d{1,15}$/.test(text) ? Number(text) : undefined;
  if (expected === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  const begins = { array: '[', object: '{' }[expected];
  return begins !== undefined && text.startsWith(begins) ? parseJson(text) : undefined;
}

/** Puts a value at a path, in copies of the objects on the way: the caller's own stay as they are. */
function replaced(
  whole: Record<string, unknown>,
  [key, ...rest]: readonly PropertyKey[],
  value: unknown,
): Record<string, unknown> {
  const inner = whole[key as string];
  const copy: unknown = Array.isArray(inner) ? [...inner] : { ...(inner as object) };
  const next = rest.length === 0 ? value : replaced(copy as Record<string, unknown>, rest, value);
  whole[key as string] = next;
  return whole;
}
