import { describe, expect, it } from 'vitest';
import { lineMap } from '../../src/text/diff/line-diff.ts';
import { edit, edited, planned, refusal } from './planning.ts';

describe('insert', () => {
  it.each([
    [{ insert_line: 0 }, 'X\na\nb\n'],
    [{ insert_line: 1 }, 'a\nX\nb\n'],
    [{ insert_line: 2 }, 'a\nb\nX\n'],
    [{ before_line: 1 }, 'X\na\nb\n'],
    [{ before_line: 3 }, 'a\nb\nX\n'],
    [{ insert_line: null, before_line: 2 }, 'a\nX\nb\n'],
  ])('puts lines at %j', (position, expected) => {
    expect(edited('insert', 'a\nb\n', { ...position, insert_text: 'X' })).toBe(expected);
  });

  it('plans one span between the lines', () => {
    expect(planned('insert', 'a\nb\n', { insert_line: 1, insert_text: 'X' })).toEqual([
      { kind: 'modify', path: 'f.txt', spans: [{ start: 2, end: 2, text: 'X\n' }] },
    ]);
  });

  it.each([
    ['a mixed file: the line before', 'a\r\nb\n', 1, 'X', 'a\r\nX\r\nb\n'],
    ['an open end stays open', 'a\nb', 2, 'X\n', 'a\nb\nX'],
    ['an empty file', '', 0, 'X', 'X\n'],
    ['a byte order mark', '\uFEFFa\n', 0, 'X', '\uFEFFX\na\n'],
    ['a blank line', 'a\n', 1, '\n', 'a\n\n'],
  ])('fits %s', (_, before, insert_line, insert_text, expected) => {
    expect(edited('insert', before, { insert_line, insert_text })).toBe(expected);
  });

  it('takes the names that other tools have', () => {
    for (const name of ['new_str', 'text', 'content', 'insertText']) {
      expect(edited('insert', 'a\n', { insertLine: 0, [name]: 'X' })).toBe('X\na\n');
    }
  });

  it.each([
    [{ insert_line: 3 }, { field: 'insert_line', line: 3, min: 0, max: 2 }],
    [{ insert_line: -1 }, { field: 'insert_line', line: -1, min: 0, max: 2 }],
    [{ before_line: 0 }, { field: 'before_line', line: 0, min: 1, max: 3 }],
    [{ before_line: 4 }, { field: 'before_line', line: 4, min: 1, max: 3 }],
  ])('refuses a place outside the file: %j', (position, data) => {
    const error = refusal('insert', 'a\nb\n', { ...position, insert_text: 'X' });
    expect(error.code).toBe('LINE_OUT_OF_RANGE');
    expect(error.data).toEqual({ ...data, path: 'f.txt', line_count: 2 });
  });

  it('wants exactly one position', () => {
    const both = refusal('insert', 'a\n', { insert_line: 0, before_line: 1, insert_text: 'X' });
    const none = refusal('insert', 'a\n', { insert_text: 'X' });
    expect([both.code, none.code]).toEqual(['INVALID_INPUT', 'INVALID_INPUT']);
    expect([both.message, none.message]).toEqual([
      expect.stringContaining('2 were given'),
      expect.stringContaining('none was given'),
    ]);
  });

  it('says how to insert a blank line when there is no text', () => {
    const error = refusal('insert', 'a\n', { insert_line: 0, insert_text: '' });
    expect([error.code, error.message]).toEqual(['NO_CHANGE', expect.stringContaining('"\\n"')]);
  });

  it('follows its line to a later text', () => {
    const map = lineMap('a\nb\nc\n', 'x\na\nB\nc\n');
    const renumber = (input: object) => edit('insert').renumber!(input as never, map);
    expect(renumber({ insert_line: 3 })).toEqual({ insert_line: 4 });
    expect(renumber({ insert_line: 0 })).toEqual({ insert_line: 0 });
    expect(renumber({ before_line: 4 })).toEqual({ before_line: 5 });
    expect(renumber({ insert_line: 2 })).toBeNull();
  });
});
