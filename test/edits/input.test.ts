import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { edits } from '../../src/edits/index.ts';
import { type InputSpec, parseFields, parseInput } from '../../src/edits/input.ts';
import { EditError } from '../../src/errors.ts';

const spec = {
  name: 'tool',
  input: z.strictObject({
    path: z.string().min(1),
    max_lines: z.int().min(1).nullish(),
    deep: z.boolean().optional(),
    order: z.enum(['up', 'down']).optional(),
    at: z.union([z.string(), z.int()]).optional(),
    items: z
      .array(z.strictObject({ from: z.int(), text: z.string().nullish() }))
      .min(1)
      .optional(),
  }),
  aliases: { path: ['file_path', 'target'], deep: ['recursive'] },
  example: { path: 'a.ts' },
} satisfies InputSpec;

const parse = (raw: unknown) => parseInput(spec, raw);

function refused(raw: unknown): EditError {
  try {
    parse(raw);
  } catch (error) {
    if (error instanceof EditError) return error;
    throw error;
  }
  throw new Error('was accepted');
}

describe('parseInput', () => {
  it('takes a field by its name, its camelCase and its aliases in both spellings', () => {
    for (const name of ['path', 'file_path', 'filePath', 'target'])
      expect(parse({ [name]: 'a' })).toEqual({ path: 'a' });
    expect(parse({ path: 'a', maxLines: 3, recursive: true })).toEqual({
      path: 'a',
      max_lines: 3,
      deep: true,
    });
  });

  it('takes null and undefined of an optional field for absent', () => {
    expect(parse({ path: 'a', deep: null, max_lines: null, order: undefined, file_path: null })).toEqual({
      path: 'a',
    });
    expect(parse({ path: 'a', items: [{ from: 1, text: null }] })).toEqual({
      path: 'a',
      items: [{ from: 1, text: null }],
    });
  });

  it.each([
    [{ max_lines: '2' }, { max_lines: 2 }],
    [{ max_lines: ' 12\n' }, { max_lines: 12 }],
    [{ deep: 'true' }, { deep: true }],
    [{ items: '[{"from": 1, "text": "[1]"}]' }, { items: [{ from: 1, text: '[1]' }] }],
    [{ items: [{ from: '3' }] }, { items: [{ from: 3 }] }],
    [{ items: '["{\\"from\\": \\"4\\"}"]' }, { items: [{ from: 4 }] }],
    [{ at: '5' }, { at: '5' }],
  ])('reads %j, which has one reading', (raw, fields) => {
    const given = structuredClone(raw);
    expect(parse({ path: 'a', ...given })).toEqual({ path: 'a', ...fields });
    expect(given).toEqual(raw);
  });

  it('reads texts of tool calls only, not those of a program', () => {
    expect(() => parseFields(spec, { path: 'a', max_lines: '2' })).toThrow(/whole number/);
  });

  it('keeps its bounds for what was read', () => {
    const items = `${'['.repeat(100)}${']'.repeat(100)}`;
    expect(refused({ path: 'a', items }).message).toMatch(/deep/);
  });

  it('takes one field under two names only with one value', () => {
    expect(parse({ path: 'a', file_path: 'a' })).toEqual({ path: 'a' });
    const error = refused({ path: 'a', filePath: 'b' });
    expect(error.message).toContain(
      '`path` and `filePath` are the same field, and were given different values',
    );
    expect(error.data.fields).toEqual(['path']);
  });

  it.each([
    [{ path: 'a', colour: 1 }, 'there is no field `colour`.', ['colour']],
    [{ path: 'a', maxlines: 1 }, 'there is no field `maxlines`, did you mean `max_lines`?', ['maxlines']],
    [{ path: 'a', reccursive: 1 }, 'there is no field `reccursive`, did you mean `deep`?', ['reccursive']],
    [JSON.parse('{"path": "a", "__proto__": 1}'), 'there is no field `__proto__`', ['__proto__']],
    [{}, '`path` is required (a text)', ['path']],
    [{ path: null }, '`path` is required (a text)', ['path']],
    [{ path: '' }, '`path` must not be empty', ['path']],
    [{ path: 7 }, '`path` must be a text, but 7 was given', ['path']],
    [{ path: 'a', max_lines: 1.5 }, '`max_lines` must be a whole number, but 1.5 was given', ['max_lines']],
    [
      { path: 'a', max_lines: '2.5' },
      '`max_lines` must be a whole number, but "2.5" was given (send it without quotes)',
      ['max_lines'],
    ],
    [{ path: 'a', max_lines: '0' }, '`max_lines` must be at least 1, but 0 was given', ['max_lines']],
    [{ path: 'a', max_lines: 0 }, '`max_lines` must be at least 1, but 0 was given', ['max_lines']],
    [{ path: 'a', max_lines: 1e300 }, '`max_lines` may be at most 9007199254740991', ['max_lines']],
    [{ path: 'a', deep: 'yes' }, '`deep` must be true or false, but "yes" was given', ['deep']],
    [{ path: 'a', order: 'left' }, '`order` must be one of "up", "down", but "left" was given', ['order']],
    [{ path: 'a', at: true }, '`at` must be a text or a number, but true was given', ['at']],
    [{ path: 'a', items: 'x' }, '`items` must be a list, but "x" was given', ['items']],
    [{ path: 'a', items: '' }, '`items` must be a list, but "" was given. Nothing', ['items']],
    [{ path: 'a', items: [] }, '`items` must have at least 1 item', ['items']],
    [
      { path: 'a', items: [{ from: 'two' }] },
      '`items[0].from` must be a whole number, but "two" was given',
      ['items[0].from'],
    ],
    [{ path: 'a', items: '[{"from": 2' }, '`items` must be a list, but', ['items']],
    [{ path: 'a', items: '{"from": 2}' }, '`items` must be a list, but', ['items']],
    [
      { path: 'a', items: [{ from: 2, to: 3 }] },
      '`items[0]` has no field `to` (fields: from, text)',
      ['items[0]'],
    ],
    [{ path: 'a', items: [7] }, '`items[0]` must be an object, but 7 was given', ['items[0]']],
    ['text', 'the input must be an object, but "text" was given', ['']],
    [null, 'the input must be an object, but null was given', ['']],
    [[], 'the input must be an object, but [] was given', ['']],
  ])('refuses %j', (raw, words, fields) => {
    const error = refused(raw);
    expect(error.code).toBe('INVALID_INPUT');
    expect(error.message).toMatch(/^tool: /);
    expect(error.message).toContain(words);
    expect(error.message).toContain(
      'Fields: path, max_lines, deep, order, at, items. Example: {"path":"a.ts"}',
    );
    expect(error.data).toMatchObject({ fields, example: { path: 'a.ts' } });
  });

  it('names every problem at once', () => {
    expect(refused({ deep: 1, order: 2 }).data.fields).toEqual(['path', 'deep', 'order']);
    expect(refused({ path: 'a', x: 1, y: 2 }).data.fields).toEqual(['x', 'y']);
  });

  it('refuses a text that is not Unicode, at any depth', () => {
    const error = refused({ path: 'a', items: [{ from: 1, text: 'x\ud800' }] });
    expect([error.code, error.data.fields]).toEqual(['INVALID_INPUT', ['items[0].text']]);
    expect(error.message).toContain('U+D800');
  });

  it('refuses a NUL, at any depth', () => {
    const error = refused({ path: 'a', items: [{ from: 1, text: 'x\0' }] });
    expect([error.code, error.data.fields]).toEqual(['INVALID_INPUT', ['items[0].text']]);
    expect(error.message).toContain('`items[0].text` holds a NUL (U+0000) at character 2');
  });

  it.each([
    [z.int().positive(), 0, '`n` must be more than 0, but 0 was given'],
    [z.int().max(9), 10, '`n` may be at most 9, but 10 was given'],
    [z.array(z.int()).length(2), [1, 2, 3], '`n` must have exactly 2 numbers, but [1,2,3] was given'],
    [z.array(z.int()).length(2), [1], '`n` must have exactly 2 numbers, but [1] was given'],
    [z.array(z.int()).length(2).optional(), [], '`n` must have exactly 2 numbers, but [] was given'],
    [z.array(z.string()).max(1), ['a', 'b'], '`n` must have at most 1 item, but ["a","b"] was given'],
    [z.string().max(2), 'abc', '`n` must have at most 2 characters'],
  ])('names the bound that is one: %#', (n, given, words) => {
    const spec = { name: 'tool', input: z.object({ n }), aliases: {}, example: {} };
    expect(() => parseInput(spec, { n: given })).toThrow(`tool: ${words}. Nothing`);
  });

  it('shows of a long value only its beginning', () => {
    expect(refused({ path: 'a', order: 'x'.repeat(10_000) }).message.length).toBeLessThan(400);
  });
});

describe.each(edits.map(edit => [edit.name, edit] as const))('the input of %s', (_, edit) => {
  it('has an example that it accepts', () => {
    expect(parseInput(edit, edit.example)).toEqual(edit.example);
  });

  it('accepts null for every optional field', () => {
    const optional = Object.keys(edit.input.shape).filter(
      field => edit.input.shape[field]!.safeParse(undefined).success,
    );
    const nulls = Object.fromEntries(optional.map(field => [field, null]));
    expect(parseInput(edit, { ...nulls, ...edit.example })).toEqual(edit.example);
    expect(edit.input.safeParse({ ...nulls, ...edit.example }).success).toBe(true);
  });

  it('has no alias twice, and none that is a field', () => {
    const names = [...Object.keys(edit.input.shape), ...Object.values(edit.aliases).flat()];
    expect(new Set(names).size).toBe(names.length);
  });

  it('says in its schema what each field is', () => {
    for (const field of Object.values(edit.input.shape)) expect(field.description).toBeTruthy();
  });
});
