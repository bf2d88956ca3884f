/** Line ends, and the ends of the file. */

import { describe, expect, it } from 'vitest';
import { applied } from '../../../helpers/patch-files.ts';
import { refusal, result, update, wrapped } from './patches.ts';

describe('line ends and the end of the file', () => {
  it.each([
    ['keep every kind', 'a\r\nb\nc\r\n', ['-a', '-b', '+x', '+y', '+z'], 'x\r\ny\nz\nc\r\n'],
    ['are those of the neighbour', 'a\r\nb\r\n', ['@@ a', '+x'], 'a\r\nx\r\nb\r\n'],
    ['may be CR', 'a\rb\rc', [' a', '-b', '+x', '+y'], 'a\rx\ry\rc'],
    ['stay open', 'a\nb', ['-b', '+x', '+y'], 'a\nx\ny'],
    ['stay open when the last line goes', 'a\nb', [' a', '-b'], 'a'],
    ['stay closed', 'a\nb\n', ['-b', '+x'], 'a\nx\n'],
    ['close where the patch says so', 'a\nb', [' b', '+'], 'a\nb\n'],
    ['open where the patch says so', 'a\nb\n', ['-b', '-', '+c'], 'a\nc'],
    ['vanish with the last line', 'a\n', ['-a'], ''],
  ])('%s', (_, before, lines, expected) => {
    expect(result(before, update(...lines))).toBe(expected);
    expect(result(`\uFEFF${before}`, update(...lines))).toBe(`\uFEFF${expected}`);
  });

  it('are no empty line to add lines after', () => {
    const error = refusal('a\nb\n', update(' b', '', '+c'));
    expect(error.code).toBe('PATCH_FAILED');
    expect(error.message).toMatch(
      /line 4 of the patch is an empty context line, but the file has no empty line there/,
    );
  });
});

describe('line ends of a new file', () => {
  const crlf = wrapped('*** Add File: n.txt', '+a', '+b').patch.replaceAll('\n', '\r\n');

  it('are those of the patch, and the answer says so', () => {
    const { files, notes } = applied('apply_patch', { patch: crlf }, {});
    expect(files).toEqual({ 'n.txt': 'a\r\nb\r\n' });
    expect(notes).toEqual(['the lines of the patch end with CRLF, and so do those of n.txt']);
    expect(applied('apply_patch', wrapped('*** Add File: n.txt', '+a'), {}).notes).toEqual([]);
  });

  it('are those of the one-file form too', () => {
    const diff = { path: 'n.txt', operation: 'create', diff: '+a\r\n+b\r\n+\r\n' };
    expect(applied('apply_patch', diff, {}).files).toEqual({ 'n.txt': 'a\r\nb\r\n' });
    const blocks = '<<<<<<< SEARCH\r\n=======\r\na\r\n>>>>>>> REPLACE\r\n';
    expect(applied('search_replace', { path: 'n.txt', blocks }, {}).files).toEqual({ 'n.txt': 'a\r\n' });
  });
});

describe('line ends of a file that has none', () => {
  it.each([
    ['apply_patch', { path: 'f.txt', diff: '@@\r\n+x\r\n+y\r\n' }],
    ['apply_patch', update('@@\r', '+x\r', '+y\r')],
    ['context_patch', { path: 'f.txt', patch_text: '@@\r\n+x\r\n+y\r\n' }],
    [
      'search_replace',
      { path: 'f.txt', blocks: '<<<<<<< SEARCH\r\n=======\r\nx\r\ny\r\n>>>>>>> REPLACE\r\n' },
    ],
    ['unified_diff', { patch: '--- a/f.txt\r\n+++ b/f.txt\r\n@@ -0,0 +1,2 @@\r\n+x\r\n+y\r\n' }],
  ])('are those of the patch: %s', (edit, input) => {
    expect(applied(edit, input, { 'f.txt': '' }).files).toEqual({ 'f.txt': 'x\r\ny\r\n' });
  });

  it('are those of the patch for the lines behind an only line', () => {
    const diff = '@@\r\n abc\r\n+x\r\n+y\r\n';
    expect(applied('apply_patch', { path: 'f.txt', diff }, { 'f.txt': 'abc' }).files).toEqual({
      'f.txt': 'abc\r\nx\r\ny',
    });
  });
});

describe('lines added at an end of the file', () => {
  it.each([
    ['at the start', 'import x\nimport y\n', ['+import x', ' import y']],
    ['at the end', 'a\nb\n', [' a', '+b']],
    ['at the end, by a mark', 'a\nb\n', ['+b', '*** End of File']],
    ['at the end, behind an anchor', 'a\nb\n', ['@@ a', '-a', '+a', '+b']],
    ['several', 'x\ny\nz\n', ['+x', '+y', ' z']],
  ])('are refused when they stand there already: %s', (_, before, lines) => {
    const error = refusal(before, update(...lines));
    expect([error.code, error.message]).toEqual(['PATCH_FAILED', expect.stringContaining('already applied')]);
  });

  it.each([
    ['x\ny\n', ['+x', ' y'], 'not'],
    ['import z\nimport y\n', ['+import x', ' import y'], 'import z\nimport x\nimport y\n'],
    ['b\nb\na\n', [' a', '+b'], 'b\nb\na\nb\n'],
    ['a\nb\nc\n', [' a', '+b'], 'a\nb\nb\nc\n'],
    ['\na\n', ['+', ' a'], '\n\na\n'],
  ])('are put in when they do not: %j', (before, lines, after) => {
    if (after === 'not') expect(refusal(before, update(...lines)).code).toBe('PATCH_FAILED');
    else expect(result(before, update(...lines))).toBe(after);
  });
});
