import { describe, expect, it } from 'vitest';
import { EditError } from '../../src/errors.ts';
import { checkLine, checkLineRange } from '../../src/text/line-range.ts';
import { linesOf } from '../../src/text/lines.ts';

const lines = linesOf('a\nb\nc\n');
const range = (start: number, end: number) => () =>
  checkLineRange('f', lines, ['start_line', start], ['end_line', end]);

describe('checkLineRange', () => {
  it('lets the lines of the file pass', () => {
    expect(range(1, 3)).not.toThrow();
    expect(range(2, 2)).not.toThrow();
  });

  it.each([
    [0, 1, { field: 'start_line', line: 0, min: 1, max: 3 }],
    [4, 4, { field: 'start_line', line: 4, min: 1, max: 3 }],
    [2, 4, { field: 'end_line', line: 4, min: 2, max: 3 }],
    [3, 1, { field: 'end_line', line: 1, min: 3, max: 3 }],
  ])('refuses %i to %i', (start, end, data) => {
    expect(range(start, end)).toThrow(EditError);
    try {
      range(start, end)();
    } catch (error) {
      expect((error as EditError).code).toBe('LINE_OUT_OF_RANGE');
      expect((error as EditError).data).toEqual({ ...data, path: 'f', line_count: 3 });
    }
  });
});

describe('checkLine', () => {
  const valid = { path: 'f', lines: linesOf(''), advice: 'Do this.' };

  it('says which numbers are valid, and what to do', () => {
    const message = (min: number, max: number) => {
      try {
        checkLine('line', 7, { ...valid, min, max });
      } catch (error) {
        return (error as Error).message;
      }
      return '';
    };
    expect(message(0, 3)).toBe('line 7 is out of range: f has no lines, so valid is 0 to 3. Do this.');
    expect(message(0, 0)).toContain('only 0 is valid');
    expect(message(1, 0)).toContain('no number is valid');
  });
});
