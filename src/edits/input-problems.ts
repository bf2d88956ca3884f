/**
 * Deals with what a schema refused: reads a text that holds what it wants there, and says the rest in words that name the
 * field, what was expected and what was given.
 */

import * as z from 'zod';
import { parseJson } from '../json.ts';
import { listedSome, wellFormed } from '../text/words.ts';

export interface Problem {
  /** `old_str`, `edits[0].from`, or '' for the input as a whole. */
  field: string;
  /** A clause without a final stop. */
  words: string;
}

type Issue = z.core.$ZodIssue;

/** Says each issue of a parse with `reportInput` as a problem; of a value of the wrong type nothing but that. */
export function problemsOf(schema: z.ZodObject, issues: readonly Issue[]): Problem[] {
  const mistyped = new Map(
    issues.filter(({ code }) => code === 'invalid_type').map(issue => [fieldName(issue.path), issue]),
  );
  const told = issues.filter(issue => (mistyped.get(fieldName(issue.path)) ?? issue) === issue);
  return told.map(issue => {
    const field = fieldName(issue.path);
    return {
      field,
      words: issueWords(issue, field === '' ? 'the input' : `\`${field}\``, schemaAt(schema, issue.path)),
    };
  });
}

/** A value as short JSON, cut at 60 units; what has no JSON, such as a function, by its kind. */
export function shortened(value: unknown): string {
  if (isPromise(value)) return 'a promise that was not awaited';
  const short = typeof value === 'string' ? value.slice(0, 61) : value;
  const json = jsonOf(short) ?? kindOf(value);
  return json.length <= 60 ? json : `${wellFormed(json.slice(0, 60))}…`;
}

export function isPromise(value: unknown): boolean {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'undefined';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function fieldName(path: readonly PropertyKey[]): string {
  return path.reduce<string>((name, key) => {
    if (typeof key === 'number') return `${name}[${key}]`;
    return name === '' ? String(key) : `${name}.${String(key)}`;
  }, '');
}

function issueWords(issue: Issue, field: string, schema: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeWords(issue, field, schema);
    case 'too_small':
    case 'too_big':
      return boundWords(issue, field, schema);
    case 'invalid_value':
      return `${field} must be ${oneOf(issue.values)}, but ${shortened(issue.input)} was given`;
    case 'invalid_union':
      return `${field} must be ${unionWords(issue)}, but ${shortened(issue.input)} was given`;
    case 'custom':
      return `${field} must be ${issue.message}, but ${shortened(issue.input)} was given`;
    case 'unrecognized_keys':
      return `${field} has no field ${keysOf(issue)} (fields: ${fieldsOf(schema)})`;
    default:
      return `${field}: ${issue.message}`;
  }
}

function typeWords(issue: z.core.$ZodIssueInvalidType, field: string, schema: unknown): string {
  const expected = isWhole(schema) ? 'a whole number' : typeName(issue.expected);
  if (issue.input === undefined || issue.input === null) return `${field} is required (${expected})`;
  const quoted =
    typeof issue.input === 'string' && issue.input.trim() !== '' && !Number.isNaN(Number(issue.input));
  const hint = quoted && expected.endsWith('number') ? ' (send it without quotes)' : '';
  return `${field} must be ${expected}, but ${shortened(issue.input)} was given${hint}`;
}

function isWhole(schema: unknown): boolean {
  if (schema instanceof z.ZodNumberFormat) return true;
  return schema instanceof z.ZodNumber && schema.meta()?.type === 'integer';
}

function typeName(expected: string): string {
  const names: Record<string, string> = {
    string: 'a text',
    number: 'a number',
    int: 'a whole number',
    boolean: 'true or false',
    array: 'a list',
    object: 'an object',
    record: 'an object',
    date: 'a Date',
  };
  return names[expected] ?? expected;
}

type BoundIssue = z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig;

function boundWords(issue: BoundIssue, field: string, schema: unknown): string {
  const [word, bound] = issue.code === 'too_small' ? ['at least', issue.minimum] : ['at most', issue.maximum];
  if (issue.origin === 'string')
    return bound === 1 ? `${field} must not be empty` : `${field} must have ${word} ${bound} characters`;
  const given = `but ${shortened(issue.input)} was given`;
  if (issue.origin === 'array') {
    const items = `${issue.exact ? 'exactly' : word} ${bound} ${itemName(schema)}${bound === 1 ? '' : 's'}`;
    return `${field} must have ${items}, ${given}`;
  }
  if (issue.code === 'too_big') return `${field} may be at most ${bound}, ${given}`;
  return `${field} must be ${issue.inclusive ? word : 'more than'} ${bound}, ${given}`;
}

function itemName(schema: unknown): string {
  return schema instanceof z.ZodArray && schema.element instanceof z.ZodNumber ? 'number' : 'item';
}

function keysOf({ keys }: z.core.$ZodIssueUnrecognizedKeys): string {
  return listedSome(
    keys.map(key => `\`${shortened(key).slice(1, -1)}\``),
    10,
  );
}

function oneOf(values: readonly unknown[]): string {
  return values.length === 1
    ? JSON.stringify(values[0])
    : `one of ${values.map(value => JSON.stringify(value)).join(', ')}`;
}

function unionWords(issue: z.core.$ZodIssueInvalidUnion): string {
  const expected = issue.errors.flat().map(inner => {
    if (inner.code === 'invalid_type') return typeName(inner.expected);
    return inner.code === 'invalid_value' ? oneOf(inner.values) : inner.message;
  });
  return [...new Set(expected)].join(' or ');
}

function fieldsOf(schema: unknown): string {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape).join(', ') : 'none';
}

/** The schema of a field at a path, without what only makes it optional. */
function schemaAt(schema: unknown, path: readonly PropertyKey[]): unknown {
  const bare = unwrapped(schema);
  const [key, ...rest] = path;
  if (key === undefined) return bare;
  if (bare instanceof z.ZodObject) return schemaAt(bare.shape[String(key)], rest);
  return bare instanceof z.ZodArray ? schemaAt(bare.element, rest) : undefined;
}

function unwrapped(schema: unknown): unknown {
  const wrapped =
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  return wrapped ? unwrapped(schema.unwrap()) : schema;
}

/**
 * A copy of `given` in which each text that the schema refused, and that is the JSON of what it wants there, is that
 * value; `null` where there is no such text: models and the templates of their prompts put quotes around numbers and whole
 * lists. Only a whole number, `true`, `false`, a list and an object have one reading
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
