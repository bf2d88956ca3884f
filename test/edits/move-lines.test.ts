import { beforeAll, describe, expect, it } from 'vitest';
import { applyChanges } from '../../src/edits/edit.ts';
import { parseInput } from '../../src/edits/input.ts';
import { loadSymbols } from '../../src/edits/symbols.ts';
import { isEditError } from '../../src/errors.ts';
import { edit, file } from './planning.ts';

beforeAll(() => loadSymbols('a.ts'));

/** The texts of a.ts and b.ts after a move of lines of a.ts; of a refusal its code. */
function moved(a: string, input: object, b: string | null = null): string[] {
  const known = edit('move_lines');
  const files = new Map([
    ['a.ts', file('a.ts', a)],
    ['b.ts', file('b.ts', b)],
  ]);
  try {
    const parsed = parseInput(known, { path: 'a.ts', ...input }) as never;
    known.check!(parsed);
    const after = applyChanges(files, known.plan(parsed, files));
    return ['a.ts', 'b.ts'].flatMap(path => after.get(path)?.text ?? []);
  } catch (error) {
    if (!isEditError(error)) throw error;
    return [error.code];
  }
}

const CODE = '// f\nfunction f() {}\n\n// g\nfunction g() {}\n';

describe('move_lines', () => {
  it.each([
    ['up', '1\n2\n3\n', { start_line: 3, before_line: 1 }, ['3\n1\n2\n']],
    ['down', '1\n2\n3\n', { start_line: 1, end_line: 2, before_line: 4 }, ['3\n1\n2\n']],
    ['the last line of an unended file', '1\n2\n3', { start_line: 3, before_line: 1 }, ['3\n1\n2']],
    ['to the end of an unended file', '1\n2\n3', { start_line: 1, before_line: 4 }, ['2\n3\n1']],
    ['in a file with CRLF', '1\r\n2\r\n', { start_line: 2, before_line: 1 }, ['2\r\n1\r\n']],
    [
      'a symbol with its comment',
      CODE,
      { symbol: 'g', before_symbol: 'f' },
      ['// g\nfunction g() {}\n// f\nfunction f() {}\n\n'],
    ],
    [
      'a symbol after another',
      CODE,
      { symbol: 'f', after_symbol: 'g' },
      ['\n// g\nfunction g() {}\n// f\nfunction f() {}\n'],
    ],
    [
      'to a new file',
      CODE,
      { symbol: 'g', new_path: 'b.ts' },
      ['// f\nfunction f() {}\n\n', '// g\nfunction g() {}\n'],
    ],
    ['before itself', CODE, { symbol: 'g', before_symbol: 'g' }, ['NO_CHANGE']],
    ['to where they are', '1\n2\n3\n', { start_line: 2, before_line: 3 }, ['NO_CHANGE']],
    ['past the end', '1\n2\n', { start_line: 3, before_line: 1 }, ['LINE_OUT_OF_RANGE']],
    ['to past the end', '1\n2\n', { start_line: 1, before_line: 4 }, ['LINE_OUT_OF_RANGE']],
    ['backwards', '1\n2\n', { start_line: 2, end_line: 1, before_line: 1 }, ['LINE_OUT_OF_RANGE']],
    ['to no place', '1\n2\n', { start_line: 1 }, ['INVALID_INPUT']],
    ['to two places', '1\n2\n', { start_line: 1, before_line: 2, after_symbol: 'f' }, ['INVALID_INPUT']],
    ['nothing', '1\n2\n', { before_line: 2 }, ['INVALID_INPUT']],
  ])('moves %s', (_, text, input, after) => {
    expect(moved(text, input)).toEqual(after);
  });

  it('puts lines into another file, with its line ends', () => {
    expect(moved('1\n2\n', { start_line: 1, new_path: 'b.ts', before_line: 2 }, 'x\r\ny\r\n')).toEqual([
      '2\n',
      'x\r\n1\r\ny\r\n',
    ]);
    expect(moved('1\n2\n', { start_line: 1, new_path: 'b.ts' }, 'x')).toEqual(['2\n', 'x\n1']);
    expect(moved('1\n2\n', { start_line: 1, new_path: 'b.ts', before_line: 3 }, 'x')).toEqual([
      'LINE_OUT_OF_RANGE',
    ]);
  });
});
