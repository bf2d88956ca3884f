import { describe, expect, it } from 'vitest';
import { lineMap } from '../../src/text/diff/line-diff.ts';
import { edit, edited, planned, refusal } from './planning.ts';

describe('replace_lines', () => {
  it.each([
    ['replaces', 'a\nb\nc\n', 2, 2, 'x', 'a\nx\nc\n'],
    ['replaces by more', 'a\nb\nc\n', 2, 3, 'x\ny\nz\n', 'a\nx\ny\nz\n'],
    ['deletes', 'a\nb\nc\n', 1, 2, null, 'c\n'],
    ['deletes all', 'a\nb', 1, 2, '', ''],
    ['keeps unchanged lines as they are', 'a\r\nb\nc\r\n', 1, 3, 'a\nX\nc\n', 'a\r\nX\nc\r\n'],
    ['keeps an open end open', 'a\nb', 2, 2, 'c\n', 'a\nc'],
    ['leaves the line before a deleted open end alone', 'a\nb', 2, 2, null, 'a\n'],
  ])('%s', (_, before, start_line, end_line, new_content, expected) => {
    expect(edited('replace_lines', before, { start_line, end_line, new_content })).toBe(expected);
  });

  it('plans the smallest span of lines', () => {
    const input = { start_line: 1, end_line: 3, new_content: 'a\nX\nc\n' };
    expect(planned('replace_lines', 'a\nb\nc\n', input)).toEqual([
      { kind: 'modify', path: 'f.txt', spans: [{ start: 2, end: 4, text: 'X\n' }] },
    ]);
  });

  it('says how to insert where a range goes backwards, whatever the file is', () => {
    const error = refusal('replace_lines', null, { start_line: 3, end_line: 2, new_content: 'x' });
    expect([error.code, error.data.field]).toEqual(['LINE_OUT_OF_RANGE', 'end_line']);
    expect(error.message).toContain('before_line 3');
  });

  it.each([
    [0, 1, 'start_line'],
    [4, 4, 'start_line'],
    [2, 4, 'end_line'],
  ])('never clamps: %i to %i', (start_line, end_line, field) => {
    const error = refusal('replace_lines', 'a\nb\nc\n', { start_line, end_line, new_content: 'x' });
    expect([error.code, error.data.field, error.data.line_count]).toEqual(['LINE_OUT_OF_RANGE', field, 3]);
  });

  it('has nothing to replace in an empty file', () => {
    const error = refusal('replace_lines', '', { start_line: 1, end_line: 1, new_content: 'x' });
    expect(error.message).toContain('no number is valid');
    expect(error.message).toContain('use insert');
  });

  it('refuses to change nothing, and says where final line ends are changed', () => {
    const error = refusal('replace_lines', 'a\nb', { start_line: 2, end_line: 2, new_content: 'b\n' });
    expect([error.code, error.message]).toEqual(['NO_CHANGE', expect.stringContaining('str_replace')]);
  });

  it('knows its lines by the names that edit_lines has for them', () => {
    expect(edited('replace_lines', 'a\nb\nc\n', { from: 2, to: 3, content: 'x\n' })).toBe('a\nx\n');
  });

  it('follows its lines to a later text, if they stayed together', () => {
    const map = lineMap('a\nb\nc\nd\n', 'x\na\nb\ny\nc\nd\n');
    const renumber = (start_line: number, end_line: number) =>
      edit('replace_lines').renumber!({ start_line, end_line } as never, map);
    expect(renumber(1, 2)).toEqual({ start_line: 2, end_line: 3 });
    expect(renumber(2, 3)).toBeNull();
  });
});
