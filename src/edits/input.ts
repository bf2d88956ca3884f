/** Parses what a model or a framework sent by a schema: aliases, nulls, unknown fields, messages. */

import * as z from 'zod';
import { EditError } from '../errors.ts';
import { closestName } from '../near-names.ts';
import { camelCase } from '../spelling.ts';
import { loneSurrogateAt, loneSurrogateWords } from '../text/document.ts';
import { type Problem, problemsOf, shortened, unquoted } from './input-problems.ts';

/** The part of an edit or a tool that parsing needs; an Edit is one. */
export interface InputSpec<Schema extends z.ZodObject = z.ZodObject> {
  /** The word before the message. */
  name: string;
  /** A flat, strict object. A field that may be absent may be `null` too. */
  input: Schema;
  /**
   * Other names of a field, by its own name, in snake_case or camelCase; the other spelling comes with each. `edits.from`
   * is the field `from` of each item of the list `edits`.
   */
  aliases: Readonly<Record<string, readonly string[]>>;
  /** An input that works, shown with every refusal. */
  example: Readonly<Record<string, unknown>>;
  /** Names a member of the input in refusals, as in 'there is no field `x`'; 'field' if left out. */
  noun?: 'field' | 'option';
  /** By a member that another call takes, that call. */
  homes?: Readonly<Record<string, string>>;
}

/** The most problems told; one that comes with every item of a long list is told often enough. */
const TOLD = 10;

/** Has schemas read and not compiled: for a process that checks one input, to compile one takes longer. */
export function interpretSchemas(): void {
  z.config({ jitless: true });
}

/**
 * The parsed JSON input of a tool or an edit. Throws as parseFields does; also INVALID_INPUT for a text that is not
 * Unicode or holds a NUL, and INVALID_INPUT and TOO_LARGE for what is out of all bounds.
 */
export function parseInput<Schema extends z.ZodObject>(
  spec: InputSpec<Schema>,
  raw: unknown,
): z.infer<Schema> {
  checkBounds(spec.name, raw);
  const data = parsedAs(spec, renamed(spec, asObject(spec, raw)), DEEPEST_TEXT);
  const broken = brokenTexts(data, '');
  if (broken.length > 0) throw refusal(spec, broken);
  return data;
}

/**
 * The members of `raw` under the schema's own names, parsed by it. A field is accepted in snake_case and camelCase
 * and by its aliases, an option of the library by its name alone; `null` for an optional one is as if it were absent. Values may be functions and objects of a
 * program, which are not looked into. Throws INVALID_INPUT, with `fields`, `problems` and `example` in its data: for an
 * unknown member, for one given under two names with different values, and for what the schema refuses.
 */
export function parseFields<Schema extends z.ZodObject>(
  spec: InputSpec<Schema>,
  raw: unknown,
): z.infer<Schema> {
  return parsedAs(spec, renamed(spec, asObject(spec, raw)));
}

/** A list in text may hold a list in text; nothing that a tool takes is deeper. */
const DEEPEST_TEXT = 3;

/** Parses what was given. Texts that are the JSON of what the schema wants are read as that, up to `texts` times. */
function parsedAs<Schema extends z.ZodObject>(
  spec: InputSpec<Schema>,
  given: Record<string, unknown>,
  texts = 0,
): z.infer<Schema> {
  const parsed = spec.input.safeParse(given, { reportInput: true });
  const read = parsed.success || texts === 0 ? null : unquoted(given, parsed.error.issues);
  if (read !== null) {
    checkBounds(spec.name, read);
    return parsedAs(spec, read, texts - 1);
  }
  if (!parsed.success) throw refusal(spec, problemsOf(spec.input, parsed.error.issues));
  return parsed.data;
}

function asObject(spec: InputSpec, raw: unknown): Record<string, unknown> {
  if (typeof raw === 'object' && raw !== null && !Array.isArray(raw)) return raw as Record<string, unknown>;
  const what = spec.noun === 'option' ? 'options must be given as an object' : 'the input must be an object';
  throw refusal(spec, [{ field: '', words: `${what}, but ${shortened(raw)} was given` }]);
}

/** Returns the given values under the schema's own names. */
function renamed(spec: InputSpec, raw: Record<string, unknown>): Record<string, unknown> {
  const names = namesOf(spec);
  const problems: Problem[] = [];
  const given = new Map<string, { as: string; value: unknown }>();
  for (const [as, value] of Object.entries(raw)) {
    const field = names.get(as);
    const first = field === undefined ? undefined : given.get(field);
    if (field === undefined) problems.push(unknownField(spec, names, as, problems.length < TOLD));
    else if (isAbsent(spec, field, value)) continue;
    else if (first === undefined) given.set(field, { as, value });
    else if (JSON.stringify(first.value) !== JSON.stringify(value)) problems.push(twice(field, first.as, as));
  }
  if (problems.length > 0) throw refusal(spec, problems);
  const fields: Record<string, unknown> = {};
  for (const [field, { value }] of given)
    fields[field] = Array.isArray(value) ? itemsRenamed(spec, field, value) : value;
  return fields;
}

function twice(field: string, first: string, second: string): Problem {
  const words = `\`${first}\` and \`${second}\` are the same field, and were given different values: send one`;
  return { field, words };
}

/** The items of a list under their own names, by aliases such as `edits.from`; one that is given twice is left alone. */
function itemsRenamed({ aliases }: InputSpec, list: string, value: unknown[]): unknown[] {
  const prefix = `${list}.`;
  const own = Object.entries(aliases).filter(([name]) => name.startsWith(prefix));
  if (own.length === 0) return value;
  return value.map(item => {
    if (typeof item !== 'object' || item === null) return item;
    const fields: Record<string, unknown> = { ...item };
    for (const [name, others] of own) {
      const field = name.slice(prefix.length);
      const as = others.flatMap(other => [other, camelCase(other)]).find(other => other in fields);
      if (as === undefined || field in fields) continue;
      fields[field] = fields[as];
      delete fields[as];
    }
    return fields;
  });
}

const spellings = new WeakMap<InputSpec, Map<string, string>>();

/** Every accepted spelling, with the field it stands for. A field's own name is never another one's alias. */
function namesOf(spec: InputSpec): Map<string, string> {
  const known = spellings.get(spec);
  if (known) return known;
  const { input, aliases } = spec;
  const fields = Object.keys(input.shape);
  const names = new Map<string, string>();
  spellings.set(spec, names);
  // An option of the library has one spelling.
  const others = spec.noun === 'option' ? [] : [camelCase, snakeCase];
  const add = (name: string, field: string): void => {
    for (const spelling of [name, ...others.map(spell => spell(name))]) {
      if (!names.has(spelling)) names.set(spelling, field);
    }
  };
  for (const field of fields) add(field, field);
  for (const field of fields) for (const alias of aliases[field] ?? []) add(alias, field);
  return names;
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
}

/** True for a value that counts as not given. `null` does, but for a field that must be given and may be `null`. */
function isAbsent({ input }: InputSpec, field: string, value: unknown): boolean {
  if (value === undefined) return true;
  const schema: z.core.$ZodType = input.shape[field]!;
  return value === null && (z.safeParse(schema, undefined).success || !z.safeParse(schema, null).success);
}

function unknownField(
  { noun = 'field', homes = {} }: InputSpec,
  names: Map<string, string>,
  as: string,
  isTold: boolean,
): Problem {
  const other = camelCase(as);
  const home = Object.hasOwn(homes, other) && !names.has(other) ? homes[other] : undefined;
  const near = isTold && home === undefined ? closestName(as, [...names.keys()]) : null;
  const meant =
    home !== undefined
      ? `: it goes to ${home}`
      : near === null
        ? ''
        : `, did you mean \`${names.get(near)}\`?`;
  const shown = shortened(as).slice(1, -1);
  return { field: shown, words: `there is no ${noun} \`${shown}\`${meant}` };
}

function refusal(spec: InputSpec, all: readonly Problem[]): EditError {
  const problems = all.slice(0, TOLD);
  const more = all.length > TOLD ? `; and ${all.length - TOLD} more problems` : '';
  const words = problems.map(({ words }) => words).join('; ') + more;
  const stop = words.endsWith('?') ? '' : '.';
  // Whoever hands the call on fills in its id.
  const known = Object.keys(spec.input.shape)
    .filter(name => name !== 'call_id')
    .join(', ');
  const title = spec.noun === 'option' ? 'Options' : 'Fields';
  const message = `${spec.name}: ${words}${stop} Nothing was done. ${title}: ${known}. Example: ${JSON.stringify(spec.example)}`;
  const fields = problems.map(({ field }) => field);
  return new EditError('INVALID_INPUT', message, { fields, problems, example: spec.example });
}

/** Texts in the value, at any depth, that have no UTF-8 form, or would make a file binary. */
function brokenTexts(value: unknown, field: string, found: Problem[] = []): Problem[] {
  if (typeof value === 'string') {
    const fault = textFault(value);
    if (fault !== null) found.push({ field, words: `\`${field}\` ${fault}` });
  } else if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) brokenTexts(item, `${field}[${i}]`, found);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value))
      brokenTexts(item, field === '' ? key : `${field}.${key}`, found);
  }
  return found;
}

function textFault(text: string): string | null {
  const half = loneSurrogateAt(text);
  if (half >= 0) return loneSurrogateWords(text, half).replace(/\.$/, '');
  const nul = text.indexOf('\0');
  if (nul < 0) return null;
  return `holds a NUL (U+0000) at character ${nul + 1}, and a file with one is binary, which nobody can view or edit as text: leave it out`;
}

/** Lists and objects in each other; the deepest schema has four. */
const DEEPEST = 64;

/** Values of all kinds, in all depths; 10,000 edits in one change are about 60,000. */
const MOST = 1_000_000;

/**
 * Throws INVALID_INPUT for lists and objects more than 64 deep, which a value that contains itself is, and TOO_LARGE
 * for more than a million values. Without recursion, which such a value is made to break.
 */
function checkBounds(name: string, raw: unknown): void {
  let level: unknown[] = [raw];
  let seen = 0;
  for (let depth = 0; level.length > 0; depth++) {
    seen += level.length;
    if (seen > MOST) {
      const message = `${name}: the input has more than ${MOST} values. Nothing was done. Make the change in several calls.`;
      throw new EditError('TOO_LARGE', message, { limit: MOST });
    }
    const below: unknown[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      for (const one of Array.isArray(value) ? value : Object.values(value)) below.push(one);
    }
    level = below;
    if (depth < DEEPEST || level.length === 0) continue;
    const message = `${name}: the input has lists or objects more than ${DEEPEST} deep in each other, which no tool takes. Nothing was done.`;
    throw new EditError('INVALID_INPUT', message, { limit: DEEPEST });
  }
}
