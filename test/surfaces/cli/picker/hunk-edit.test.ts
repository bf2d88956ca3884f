import { describe, expect, it } from 'vitest';
import { editedLines, hunkToEdit, replacementOf } from '../../../../src/surfaces/cli/picker/hunk-edit.ts';

const HUNK = {
  path: 'a.txt',
  before: { line: 2, lines: ['b', 'c'] },
  after: { line: 2, lines: ['B'] },
  context: { above: ['a'], below: ['', 'd'] },
};

describe('a hunk in the editor', () => {
  const text = hunkToEdit(HUNK);

  it('is what git add -p shows, and unchanged means the lines that are there', () => {
    expect(text).toContain('@@ -1,5 +1,4 @@\n a\n-b\n-c\n+B\n \n d\n# ---\n');
    expect(editedLines(HUNK, text)).toEqual({ lines: ['a', 'B', '', 'd'] });
  });

  it.each<[string, (text: string) => string, ReturnType<typeof editedLines>]>([
    ['another new line', of => of.replace('+B', '+x\n+y'), { lines: ['a', 'x', 'y', '', 'd'] }],
    ['an old line that stays', of => of.replace('-b', ' b'), { lines: ['a', 'b', 'B', '', 'd'] }],
    ['no new line', of => of.replace('+B\n', ''), { lines: ['a', '', 'd'] }],
    ['a blank that the editor stripped', of => of.replace('\n \n', '\n\n'), { lines: ['a', 'B', '', 'd'] }],
    ['a context line taken out', of => of.replace('\n a\n', '\n-a\n'), { lines: ['B', '', 'd'] }],
    ['line ends of Windows', of => of.replaceAll('\n', '\r\n'), { lines: ['a', 'B', '', 'd'] }],
    ['an old line that is another', of => of.replace('-b', '-x'), 'no fit'],
    ['a line without a mark', of => of.replace('\n a\n', '\na\n'), 'no fit'],
    ['nothing', () => '', 'empty'],
    ['comments alone', () => '# x\n\n', 'empty'],
  ])('with %s', (_, change, expected) => {
    expect(editedLines(HUNK, change(text))).toEqual(expected);
  });
});

describe('the replacement', () => {
  it.each<[string, string, ReturnType<typeof replacementOf>]>([
    ['abc', 'abc', null],
    ['abc', 'axc', { start: 1, end: 2, lines: ['x'] }],
    ['abc', 'ac', { start: 1, end: 2, lines: [] }],
    ['ab', 'axb', { start: 1, end: 1, lines: ['x'] }],
    ['aa', 'aaa', { start: 2, end: 2, lines: ['a'] }],
    ['', 'a', { start: 0, end: 0, lines: ['a'] }],
  ])('of %j by %j is the smallest', (old, now, expected) => {
    expect(replacementOf([...old], [...now])).toEqual(expected);
  });
});
