/** Inputs of tools as JSON Schema (2020-12), as short as a model can use it; and as a Standard Schema. */

import * as z from 'zod';

/** Plain JSON: an object schema, or a part of one. */
export type JsonSchema = { [key: string]: unknown };

/**
 * Makes the JSON Schema of a tool's input. That a field may be `null` is not said: every optional field may be. Unknown fields
 * are refused by the engine, in words, so `additionalProperties` is not said either.
 */
export function jsonSchemaOf(input: z.ZodObject): JsonSchema {
  return shortened(z.toJSONSchema(input, { io: 'input' })) as JsonSchema;
}

/**
 * Returns the schema for a list that rides along with every turn: without descriptions and limits of fields, and
 * without the fields in `hidden`; what is not said is accepted, and refused, all the same.
 */
export function briefSchema(schema: JsonSchema, hidden: ReadonlySet<string>): JsonSchema {
  const properties = Object.entries(schema.properties as JsonSchema).filter(([name]) => !hidden.has(name));
  const brief = { ...schema, properties: Object.fromEntries(properties) };
  return pruned(brief, (key, value) => MINOR.has(key) && typeof value !== 'object') as JsonSchema;
}

const MINOR = new Set(['description', 'minLength', 'minItems', 'maxItems', 'minimum', 'exclusiveMinimum']);

/**
 * A Standard Schema with JSON Schema (https://standardschema.dev) that lets every value pass: the tool checks its
 * input itself, knows aliases, and refuses in words that a model can act on.
 */
export interface OpenSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'versioned-edit';
    readonly validate: (value: unknown) => { value: unknown };
    readonly jsonSchema: { input(): JsonSchema; output(): JsonSchema };
  };
}

export function openSchema(schema: JsonSchema): OpenSchema {
  const json = (): JsonSchema => schema;
  return {
    '~standard': {
      version: 1,
      vendor: 'versioned-edit',
      validate: value => ({ value }),
      jsonSchema: { input: json, output: json },
    },
  };
}

/** Leaves out what says nothing: the dialect, bounds of safe integers, the `null` beside a type. */
function shortened(schema: unknown): unknown {
  return pruned(schema, (key, value) => SILENT[key]?.(value) ?? false);
}

const isUnsafe = (value: unknown): boolean =>
  typeof value === 'number' && Math.abs(value) >= Number.MAX_SAFE_INTEGER;

/** Keywords to leave out, by their value: a field of that name has an object there, and stays. */
const SILENT: Readonly<Record<string, (value: unknown) => boolean>> = {
  $schema: value => typeof value === 'string',
  additionalProperties: value => value === false || JSON.stringify(value) === '{}',
  minimum: isUnsafe,
  maximum: isUnsafe,
  propertyNames: value => JSON.stringify(value) === '{"type":"string"}',
};

function pruned(value: unknown, isOut: (key: string, value: unknown) => boolean): unknown {
  if (Array.isArray(value)) return value.map(item => pruned(item, isOut));
  if (typeof value !== 'object' || value === null) return value;
  const bare = withoutNull(value as JsonSchema);
  const entries = Object.entries(bare).filter(([key, inner]) => !isOut(key, inner));
  return Object.fromEntries(entries.map(([key, inner]) => [key, pruned(inner, isOut)]));
}

/** Leaves out `null`, which is spelled as one of two types, or as one of two schemas. */
function withoutNull(schema: JsonSchema): JsonSchema {
  const { type, anyOf, ...rest } = schema;
  if (Array.isArray(type)) return { ...schema, type: onlyOf(type.filter(one => one !== 'null')) };
  if (!Array.isArray(anyOf)) return schema;
  const others = anyOf.filter(one => (one as JsonSchema).type !== 'null') as JsonSchema[];
  return others.length === 1 ? { ...others[0], ...rest } : schema;
}

function onlyOf(list: readonly unknown[]): unknown {
  return list.length === 1 ? list[0] : list;
}
