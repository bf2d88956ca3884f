/**
 * The options of the library's calls, checked: one that there is not, or of another kind, is refused by name, for an
 * option that is not understood would be an option that is not followed. Each set is declared once; where a tool has the
 * same fields, they are declared in its words (snake_case), and the library's are made of them.
 */

import * as z from 'zod';
import { type InputSpec, parseFields } from '../../edits/input.ts';
import { isPromise, shortened } from '../../edits/input-problems.ts';
import { EditError } from '../../errors.ts';
import { lazy } from '../../lazy.ts';

/** Makers of the schema of each member of T, called when it is asked for: one too many, or one left out, does not compile. */
export type FieldsOf<T> = {
  readonly [K in keyof T]-?: () => undefined extends T[K]
    ? Optional<Exclude<T[K], undefined>>
    : z.ZodType<T[K]>;
};

type Optional<T> = z.ZodOptional<z.ZodType<T>>;

export type Snake<Name> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : '';

/** As FieldsOf, under the names that a tool has for them. */
export type ToolFieldsOf<T> = FieldsOf<{ [K in keyof T as Snake<K>]: T[K] }>;

/** Checks what `call` was given. Throws INVALID_INPUT. */
export type CheckOptions<T> = (call: string, options: unknown) => T;

/** Leaves options to be checked by what is loaded only where it is used. */
export const unchecked: CheckOptions<unknown> = (_call, options) => options;

/** The check of one set of options, whose fields are made at the first call. */
export function optionsCheck<T extends object>(
  fields: FieldsOf<T>,
  example: Readonly<Record<string, unknown>>,
): CheckOptions<T> {
  const input = lazy(() => z.strictObject(shapeOf(fields)));
  return (call, options) => {
    refusePromises(call, options);
    const spec: InputSpec = {
      name: call,
      input: input(),
      aliases: {},
      example,
      noun: 'option',
      homes: HOMES,
    };
    return parseFields(spec, options) as T;
  };
}

/** By the names of options that are given to another call than theirs, where they go. */
const HOMES: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ['workspace.session({ … })', 'agent model person client subagent turn trailers beforeCommit repeatCalls'],
    [
      'openWorkspace({ … })',
      'root mount fs store trail outside outsideBy allowIgnored user policyFiles identity limits encodings maxFileBytes ' +
        'excludesFiles userConfig trustOwners attributesFiles brief durability patience now edits onEvent tellReads onEventError approve beforeRead vocabulary syntax recordRefusals',
    ],
    [
      'calls that change files, as in session.undo({ reason })',
      'reason dryRun editId callId allowSecret base version onStale',
    ],
    ['workspace.land({ … })', 'message onto accepted coAuthors'],
    ['the options of one call, as in session.view({ …, signal })', 'signal'],
    ['workspace.session({ id })', 'session'],
    ['initRepository({ … })', 'nested bare branch'],
  ].flatMap(([home, names]) => names!.split(' ').map(name => [name, home!])),
);

/** Throws INVALID_INPUT for what an async function of the caller has not answered yet, such as `systemGit(env)`. */
export function refusePromises(call: string, options: unknown): void {
  const all = [['', options] as const, ...Object.entries(Object(options))];
  const found = all.find(([, value]) => isPromise(value));
  if (!found) return;
  const [field] = found;
  const what = field === '' ? 'its options' : `\`${field}\``;
  const message = `${call}: a promise was given for ${what}: await it, and give what it answers. Nothing was done.`;
  throw new EditError('INVALID_INPUT', message, { fields: [field] });
}

/** Fields as they are declared: each makes its schema when it is asked for. */
export type Fields = Readonly<Record<string, () => z.ZodType>>;

/** The schemas that fields make. */
export type ShapeOf<F extends Fields> = { [K in keyof F]: ReturnType<F[K]> };

/** Makes the schemas of fields. */
export function shapeOf<F extends Fields>(fields: F): ShapeOf<F> {
  return Object.fromEntries(Object.entries(fields).map(([name, make]) => [name, make()])) as ShapeOf<F>;
}

/** Checks a text that a call is given beside its options. Throws INVALID_INPUT for anything else. */
export function checkText(call: string, name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  const message = `${call}: \`${name}\` must be a text, but ${shortened(value)} was given. Nothing was done.`;
  throw new EditError('INVALID_INPUT', message, { fields: [name] });
}

/** Checks a list of texts. Throws INVALID_INPUT naming the call and the field. */
export function checkTexts(call: string, name: string, value: unknown): readonly string[] {
  if (Array.isArray(value) && value.every(one => typeof one === 'string')) return value;
  const message = `${call}: \`${name}\` must be a list of texts, but ${shortened(value)} was given. Nothing was done.`;
  throw new EditError('INVALID_INPUT', message, { fields: [name] });
}
