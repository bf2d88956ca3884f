import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { offeredSchema } from '../../../src/tools/toolset/brief.ts';
import { jsonSchemaOf, openSchema } from '../../../src/tools/toolset/json-schema.ts';

const input = z.strictObject({
  path: z.string().min(1).describe('A file.'),
  count: z.int().positive().nullish().describe('How many.'),
  how: z.enum(['a', 'b']).nullable().optional(),
  either: z.union([z.string(), z.int()]).nullish(),
  minimum: z.string().optional().describe('A field with the name of a keyword.'),
  edits: z.array(z.strictObject({ from: z.int(), to: z.int().nullish() })).min(1),
  more: z.array(z.record(z.string(), z.unknown())).optional(),
});

describe('jsonSchemaOf', () => {
  it('says what a model needs, and nothing else', () => {
    expect(jsonSchemaOf(input)).toEqual({
      type: 'object',
      properties: {
        path: { type: 'string', minLength: 1, description: 'A file.' },
        count: { type: 'integer', exclusiveMinimum: 0, description: 'How many.' },
        how: { type: 'string', enum: ['a', 'b'] },
        either: { type: ['string', 'integer'] },
        minimum: { type: 'string', description: 'A field with the name of a keyword.' },
        edits: {
          type: 'array',
          minItems: 1,
          items: {
            type: 'object',
            properties: { from: { type: 'integer' }, to: { type: 'integer' } },
            required: ['from'],
          },
        },
        more: { type: 'array', items: { type: 'object' } },
      },
      required: ['path', 'edits'],
    });
  });
});

describe('offeredSchema', () => {
  it('leaves out descriptions and limits in brief', () => {
    expect(offeredSchema(input.pick({ path: true, count: true, minimum: true }), 'brief')).toEqual({
      type: 'object',
      properties: { path: { type: 'string' }, count: { type: 'integer' }, minimum: { type: 'string' } },
      required: ['path'],
    });
  });
});

describe('openSchema', () => {
  it('lets every value pass, because the tool checks its input itself', () => {
    const { '~standard': standard } = openSchema({ type: 'object' });
    expect(standard.validate({ anything: 1 })).toEqual({ value: { anything: 1 } });
    expect([standard.jsonSchema.input(), standard.jsonSchema.output()]).toEqual([
      { type: 'object' },
      { type: 'object' },
    ]);
    expect(standard).toMatchObject({ version: 1, vendor: 'versioned-edit' });
  });
});
