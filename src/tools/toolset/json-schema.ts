/** Inputs of tools as JSON Schema (2020-12), as short as a model can use it; and as a Standard Schema. */

import * as z from 'zod';

/** Plain JSON: an object schema, or a part of one. */
export type JsonSchema = { [key: string]: unknown };

/**
 * Makes the JSON Schema of a tool's input, without the keywords in `leftOut`. That a field may be `null` is not said: every
 * optional field may be. Unknown fields are refused by the engine, in words, so `additionalProperties` is not said either.
 */
export function jsonSchemaOf(input: z.ZodObject, leftOut: readonly string[] = []): JsonSchema {
  const override = ({ jsonSchema }: { jsonSchema: JsonSchema }): void => shorten(jsonSchema, leftOut);
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input', override });
  return schema;
}

/** Takes out of a schema what says nothing: objects of anything, bounds of safe integers, the `null` beside a type. */
function shorten(schema: JsonSchema, leftOut: readonly string[]): void {
  const others = (schema.anyOf as JsonSchema[] | undefined)?.filter(one => one.type !== 'null');
  if (others?.length === 1) {
    delete schema.anyOf;
    Object.assign(schema, { ...others[0], ...schema });
  }
  for (const bound of ['minimum', 'maximum'])
    if (Math.abs(schema[bound] as number) >= Number.MAX_SAFE_INTEGER) delete schema[bound];
  for (const keyword of ['additionalProperties', 'propertyNames', ...leftOut]) delete schema[keyword];
}

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
