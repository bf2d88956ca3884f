import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { lineNumber } from '../../src/edits/fields.ts';
import { refusal } from './planning.ts';

/** An edit with that number in one of its fields. */
const FIELDS: ReadonlyArray<readonly [edit: string, input: (n: unknown) => object, field: string]> = [
  ['insert', n => ({ insert_line: n, insert_text: 'x' }), 'insert_line'],
  ['insert', n => ({ before_line: n, insert_text: 'x' }), 'before_line'],
  ['replace_lines', n => ({ start_line: n, end_line: typeof n === 'number' && n > 2 ? n : 2 }), 'start_line'],
  ['edit_lines', n => ({ edits: [{ from: n, content: 'x' }] }), 'edits[0].from'],
];

describe.each(FIELDS)('%s %#', (edit, input, field) => {
  it.each([1e20, -1e20, 2 ** 53, 1e300])('%d is out of range, as every number is that no line has', n => {
    const { code, data } = refusal(edit, 'a\nb\n', input(n));
    expect({ code, data }).toMatchObject({
      code: 'LINE_OUT_OF_RANGE',
      data: { field, line: n, line_count: 2 },
    });
  });

  it.each([1.5, 'two', true])('%j is no line number', n => {
    const { code, message, data } = refusal(edit, 'a\nb\n', input(n));
    expect({ code, data }).toMatchObject({ code: 'INVALID_INPUT', data: { fields: [field] } });
    expect(message).toContain(`\`${field}\` must be a whole number, but ${JSON.stringify(n)} was given`);
  });
});

it.each([
  ['replace_lines', (n: number) => ({ start_line: 2, end_line: n }), 'end_line'],
  ['edit_lines', (n: number) => ({ edits: [{ from: 2, to: n, content: 'x' }] }), 'edits[0].to'],
] as const)('the last line of %s is none that no line has', (edit, input, field) => {
  for (const n of [1e20, -1e20, 1])
    expect(refusal(edit, 'a\nb\n', input(n))).toMatchObject({
      code: 'LINE_OUT_OF_RANGE',
      data: { field, line: n, min: 2 },
    });
});

it('is an integer to those who read the schema', () => {
  const { type, minimum, maximum } = z.toJSONSchema(lineNumber().describe('First line.'));
  expect({ type, minimum, maximum }).toEqual({ type: 'integer', minimum: undefined, maximum: undefined });
});
