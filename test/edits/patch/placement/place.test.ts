import { describe, expect, it } from 'vitest';
import { applied, refusedEdit } from '../../../helpers/patch-files.ts';
import { refusal, result, update } from '../v4a/patches.ts';

describe('the place of a hunk', () => {
  it.each([
    ['the only one', 'a\nb\nc\n', ['@@', ' a', '-b', '+B'], 'a\nB\nc\n'],
    ['the first after an anchor', 'x\nA\nx\nx\n', ['@@ A', '-x', '+y'], 'x\nA\ny\nx\n'],
    ['that of the anchor itself', 'a\nb\n', ['@@ a', '-a', '+A'], 'A\nb\n'],
    ['right after an anchor', 'a\nb\n', ['@@ a', '+x'], 'a\nx\nb\n'],
    [
      'in the block of an anchor',
      'A\n f\n  x\nB\n f\n  x\n',
      ['@@ A', '@@  f', '-  x', '+  y'],
      'A\n f\n  y\nB\n f\n  x\n',
    ],
    ['after stacked anchors', 'A\nx\nB\nx\n', ['@@ B', '@@', '-x', '+y'], 'A\nx\nB\ny\n'],
    ['the end of the file', 'x\ny\nx\ny\n', [' x', '-y', '+z', '*** End of File'], 'x\ny\nx\nz\n'],
    ['behind the end of the file', 'a\nb\n', ['+c', '*** End of File'], 'a\nb\nc\n'],
    ['behind an open end', 'a\nb', ['+c', '*** End of File'], 'a\nb\nc'],
    ['an empty file', '', ['@@', '+a'], 'a\n'],
    ['after a hunk with the same anchor', 'A\nx\ny\n', ['@@ A', '-x', '+X', '@@ A', '-y', '+Y'], 'A\nX\nY\n'],
    ['the only one behind the hunk before', 'x\na\nx\n', ['-a', '+A', '@@', '-x', '+y'], 'x\nA\ny\n'],
    ['between lines that are alike', 'a\na\na\n', [' a', '+x', ' a', ' a'], 'a\nx\na\na\n'],
  ])('is %s', (_, before, lines, expected) => {
    expect(result(before, update(...lines))).toBe(expected);
  });

  it.each([
    ['is not the first of several', 'x\nx\n', ['-x', '+y'], 'AMBIGUOUS', /on lines 1 and 2/],
    [
      'is not after one of several anchors',
      'h\nx\nh\ny\n',
      ['@@ h', '+z'],
      'AMBIGUOUS',
      /the anchor `@@ h` occurs 2 times/,
    ],
    [
      'is not after a second anchor that recurs',
      'A\nx\n1\nx\n2\n',
      ['@@ A', '@@ x', '+z'],
      'AMBIGUOUS',
      /on lines 2 and 4/,
    ],
    [
      'is not far from its anchor',
      'a\nb\n',
      ['@@ c', '-b', '+B'],
      'PATCH_FAILED',
      /no line is its anchor `c`/,
    ],
    ['is not before its anchor', 'b\na\n', ['@@ a', '-b', '+B'], 'PATCH_FAILED', /Hunk 1 \(line 3/],
    ['needs an anchor or context', 'a\n', ['+b'], 'PATCH_SYNTAX', /does not say where/],
    [
      'is at the end where the patch says so',
      'x\ny\nz\n',
      ['-x', '+X', '*** End of File'],
      'PATCH_FAILED',
      /fits at line 1 of 3/,
    ],
    [
      'is behind the hunk before',
      'a\nb\nc\n',
      ['-c', '+C', '@@', '-a', '+A'],
      'PATCH_FAILED',
      /before hunk 1/,
    ],
    [
      'is none of those before the hunk before',
      'x\na\nx\nx\n',
      ['-a', '+A', '@@', '-x', '+y'],
      'AMBIGUOUS',
      /occurs 2 times in f.txt, on lines 3 and 4/,
    ],
    [
      'is behind the hunk before, of which several are not',
      'x\nx\na\n',
      ['-a', '+A', '@@', '-x', '+y'],
      'PATCH_FAILED',
      /it fits at line 2, before hunk 1/,
    ],
    [
      'is its own',
      'a\nb\nc\n',
      ['-a', '+A', ' b', '@@', ' b', '-c', '+C'],
      'PATCH_FAILED',
      /overlaps hunk 1/,
    ],
    [
      'is not after lines that are gone',
      'a\nb\nc\n',
      ['@@ a', '-b', '+B', '@@ b', '-c', '+C'],
      'PATCH_FAILED',
      /removed by hunk 1/,
    ],
    [
      'is not where a hunk has added lines',
      'a\nb\n',
      ['@@ a', '+x', '@@ a', '+y'],
      'PATCH_FAILED',
      /before the end of hunk 1/,
    ],
    [
      'is not the first after an anchor passed',
      'A\nx\ny\ny\n',
      ['@@ A', '-x', '+X', '@@ A', '-y', '+Y'],
      'AMBIGUOUS',
      /on lines 3 and 4/,
    ],
  ])('%s', (_, before, lines, code, message) => {
    const error = refusal(before, update(...lines));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
    expect(error.data).toMatchObject({ path: 'f.txt' });
  });
});

describe('what is tolerated', () => {
  it('is no other line where one fits exactly', () => {
    expect(result('a \na\n', update('-a', '+b'))).toBe('a \nb\n');
  });

  it.each([
    ['the end', ['-b', '+B', ''], 'a\nB\nc\n'],
    ['another hunk', ['-a', '+A', '', '', '@@', '-c', '+C'], 'A\nb\nC\n'],
    ['another file', ['-b', '+B', '', '*** Add File: g', '+g'], 'a\nB\nc\n'],
    ['the end of the file', ['-c', '+C', '', '', '*** End of File'], 'a\nb\nC\n'],
    ['the end, behind lines that are only added', ['@@ a', '+x', ''], 'a\nx\nb\nc\n'],
  ])('is an empty line without mark before %s that no line of the file is', (_, lines, expected) => {
    const outcome = applied('apply_patch', update(...lines), { 'f.txt': 'a\nb\nc\n' });
    expect(outcome.files['f.txt']).toBe(expected);
    expect(outcome.notes).toEqual([
      'hunk 1 of f.txt: empty lines at the end were taken for separators, not for context',
    ]);
  });

  it('is no empty line that is context: one of the file, or one with its mark', () => {
    const outcome = applied('apply_patch', update('-b', '+B', ''), { 'f.txt': 'b\nb\n\nc\n' });
    expect([outcome.files['f.txt'], outcome.notes]).toEqual(['b\nB\n\nc\n', []]);
    expect(refusal('a\nb\nc\n', update('-b', '+B', ' ')).code).toBe('PATCH_FAILED');
    expect(refusal('a\nb\n', update('@@', '+x', '')).code).toBe(refusal('a\n', update('@@', '+x')).code);
    expect(refusal('a\nB\nc\n', update('-b', '+B', '')).message).toContain('already applied at line 2');
  });

  it('is a context line without its mark that is exactly the line of the file as it is written', () => {
    const outcome = applied('apply_patch', update('-a', '+b', '    c'), { 'f.txt': 'a\n    c\n' });
    expect(outcome.files).toEqual({ 'f.txt': 'b\n    c\n' });
    expect(outcome.notes).toEqual([expect.stringContaining('without the space before them')]);
  });

  it.each([
    [
      'indentation',
      '\tfoo();\nx\n',
      ['-    foo();', '+    bar();'],
      /indented with 1 tab in the file, with 4 spaces/,
    ],
    ['quotes', 'say “hi”\n', ['-say "hi"', '+say'], /U\+201C/],
    ['Unicode forms', 'caf\u00e9\n', ['-cafe\u0301', '+x'], /another Unicode form/],
    ['blanks inside', 'a  b\n', ['-a b', '+x'], /blanks differ/],
    ['a near line', 'a\nfoo(1);\nb\n', [' a', '-foo(2);', '+x', ' b'], /line 2 of the file is `foo\(1\);`/],
    [
      'the indentation of an anchor',
      '  def f():\nx\n',
      ['@@ def f():', '+y'],
      /nearest is line 1, ` {2}def f\(\):`: line 1 is indented with 2 spaces in the file, with no blanks in the anchor\./,
    ],
    [
      'a part of a line as anchor',
      'x\n  def f():\n',
      ['@@ def f', '+y'],
      /nearest is line 2, ` {2}def f\(\):`: the anchor is a part of it\./,
    ],
    [
      'the indentation of a line, where a part of another is the same',
      'old text is here\n  old text\n',
      ['-old text', '+new text'],
      /line 2 is indented with 2 spaces/,
    ],
  ])('is not %s', (_, before, lines, message) => {
    const error = refusal(before, update(...lines));
    expect(error.code).toBe('PATCH_FAILED');
    expect(error.message).toMatch(message);
  });

  it('names the first line that differs, in the patch and in the file', () => {
    const error = refusal('1\n2\n3\n4\n', update('@@', ' 2', '-three', '+x', ' 4'));
    expect(error.data).toMatchObject({
      hunk: 1,
      patch_line: 3,
      first_difference: { patch_line: 5, expected: 'three', line: 3, found: '3' },
      nearest: { start_line: 2, end_line: 4 },
    });
    expect(error.message).toContain('line 3 of the file is `3` where line 5 of the patch has `three`.');
  });
});

describe.each(['apply_patch', 'context_patch'])('blanks at the end of a line, in %s', edit => {
  const given = (lines: string[]): object =>
    edit === 'apply_patch' ? update(...lines) : { path: 'f.txt', patch_text: lines.join('\n') };

  it.each([
    ['of a removed line', 'a  \nb\n', ['-a', '+A'], 'line 1 ends with 2 spaces in the file', 'a  '],
    ['of a context line', 'a\t\nb\n', [' a', '-b', '+B'], 'line 1 ends with 1 tab in the file', 'a\t\nb'],
    ['that the file lacks', 'a\nb\n', [' a ', '-b', '+B'], 'line 1 ends with no blanks in the file', 'a\nb'],
    ['of an empty line', 'a\n  \nb\n', [' a', '', '-b'], 'line 2 holds 2 spaces in the file', 'a\n  \nb'],
    ['of a file with CRLF', 'a \r\nb\r\n', ['-a', '+A'], 'line 1 ends with 1 space in the file', 'a '],
    ['behind an anchor', 'x\na\nb \n', ['@@ x', ' a', '-b', '+B'], 'line 3 ends with 1 space', 'a\nb '],
  ])('%s are refused with the exact lines', (_, before, lines, difference, exact) => {
    const { code, message, data } = refusedEdit(edit, given(lines), { 'f.txt': before });
    expect(code).toBe('PATCH_FAILED');
    expect(message).toContain(difference);
    expect(message).toContain(`\n\`\`\`\n${exact}\n\`\`\``);
    expect(data.nearest).toMatchObject({ text: exact, kinds: ['trailing blanks'] });
  });

  it.each([
    ['of an anchor', 'alpha  \nb\n', '@@ alpha', '@@ alpha  '],
    ['that the file lacks', 'alpha\nb\n', '@@ alpha ', '@@ alpha'],
    ['before an anchor too', ' \talpha\nb\n', '@@ alpha', '@@  \talpha'],
  ])('%s are refused with the line, which is then taken', (_, before, anchor, exact) => {
    const { code, message } = refusedEdit(edit, given([anchor, '+x']), { 'f.txt': before });
    expect(code).toBe('PATCH_FAILED');
    expect(message).toContain(`\`${exact.slice(3)}\``);
    const { files } = applied(edit, given([exact, '+x']), { 'f.txt': before });
    expect(files['f.txt']).toBe(before.replace('\n', '\nx\n'));
  });
});

describe('a nearest text that stands at several places', () => {
  it.each([
    ['with other blanks', 'a \nb\na\t\n', ['-a', '+x'], /nearest place is line 1 \(as near: line 3\)/],
    [
      'of an anchor',
      'h \nx\nh\t\nx\n  h\n',
      ['@@ h', '-x', '+y'],
      /The nearest is line 1, `h ` \(as near: lines 3, 5\)/,
    ],
    ['like an anchor', 'head(1)\nx\nhead(1)\ny\n', ['@@ head(2)', '-x', '+y'], /as near: line 3/],
    ['with another word', 'a = foo(1);\nb\na = foo(1);\n', ['-a = foo(2);', '+x'], /\(as near: line 3\)/],
  ])('%s is told so', (_, before, lines, words) => {
    expect(refusal(before, update(...lines)).message).toMatch(words);
  });
});

describe('a patch that was applied before', () => {
  it.each([
    ['a replacement', 'a\nnew line\nc\n', [' a', '-old line', '+new line', ' c'], 1],
    ['a removal', 'x\na\nc\n', [' a', '-b', ' c'], 2],
    ['an insertion', 'a\nb\nc\n', [' a', '+b', ' c'], 1],
    ['an empty line', 'a\n\nc\n', [' a', '+', ' c'], 1],
    ['a short line, once', 'a\nB\nc\n', ['-b', '+B'], 2],
    ['a short line behind its anchor', 'B\na\nB\nB\n', ['@@ a', '-b', '+B'], 3],
    ['its own anchor', 'a\n  new()\n', ['@@   old()', '-  old()', '+  new()'], 2],
    ['a line behind a hunk', 'B\na\nB\n', ['-a', '+A', '@@', '-b', '+B'], 3],
    ['the end of the file', 'B\na\nB\n', ['-b', '+B', '*** End of File'], 3],
    ['an indentation', 'a\n  b\n', ['-b', '+  b'], 2],
    ['a line more at the end', 'a\nb\n', [' a', '+b', '*** End of File'], 1],
  ])('is told so: %s', (_, before, lines, line) => {
    const error = refusal(before, update(...lines));
    expect(error.code).toBe('PATCH_FAILED');
    expect(error.message).toContain(`already applied at line ${line}`);
    expect(error.data.already_applied).toEqual({ line });
  });

  it.each([
    [
      'where the new lines are elsewhere',
      'f() {\n  return total(1);\n}\n',
      ['-  return total(2);', '+}'],
      'it may be already applied at line 3, where its new lines are. If so, go on without it. If not, the nearest place is line 2: line 2 has `total(1)` where line 3 of the patch has `total(2)`.',
    ],
    [
      'where they are at the nearest place',
      'const limit = 10;\n',
      ['-const limit = 20;', '+const limit = 10;'],
      'it may be already applied at line 1, where its new lines are. If so, go on without it. If not, view the file and send what is still to be done.',
    ],
    [
      'where they are the only thing that is like it',
      'x\ny\n}\n',
      ['-old line', '+}'],
      'If so, go on without it. If not, nothing in the file is like its old lines',
    ],
  ])('is only perhaps told so of lines without context, %s', (_, before, lines, words) => {
    const error = refusal(before, update(...lines));
    expect(error.message).toContain(words);
    expect(error.data.already_applied).toBeDefined();
  });

  it.each([
    ['a text that is everywhere', '}\na\n}\n', ['-old line', '+}'], /nothing in the file is like/],
    [
      'an anchor that is a part of a line',
      'new\nold(1)\n',
      ['@@ old', '-old', '+newer'],
      /no line is its anchor/,
    ],
    ['an empty line', 'a\n\nb\n', ['-old line', '+'], /nothing in the file is like/],
    [
      'a result above its anchor',
      'new text\na\n',
      ['@@ a', '-old text', '+new text'],
      /line 1 has `new` where line 4 of the patch has `old`/,
    ],
    [
      'old lines above their anchor',
      'new text\nold text\na\n',
      ['@@ a', '-old text', '+new text'],
      /its old lines are line 2/,
    ],
    [
      'old lines with blanks behind',
      'a\nnew text\nold text \nb\n',
      ['@@ b', '-old text', '+new text'],
      /line 3 ends with 1 space in the file/,
    ],
    [
      'indented old lines',
      'new text\n  old text\na\nnew text\n',
      ['@@ a', '-old text', '+new text'],
      /line 2 is indented with/,
    ],
    [
      'old lines before the end of the file',
      'new text\nold text\na\nnew text\n',
      ['-old text', '+new text', '*** End of File'],
      /fits at line 2 of 4/,
    ],
  ])('is not told so for %s', (_, before, lines, message) => {
    const error = refusal(before, update(...lines));
    expect(error.data.already_applied).toBeUndefined();
    expect(error.message).toMatch(message);
  });

  it('changes nothing when it says nothing', () => {
    expect(refusal('a\nb\n', update(' a', '-b', '+b')).code).toBe('NO_CHANGE');
    expect(refusal('a\nb\n', update(' a', ' b')).code).toBe('NO_CHANGE');
  });
});
