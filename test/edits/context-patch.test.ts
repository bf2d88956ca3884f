import { describe, expect, it } from 'vitest';
import { applied, refusedEdit } from '../helpers/patch-files.ts';

const wrapped = (...lines: string[]): string =>
  ['*** Begin Patch', '*** Update File: f.txt', ...lines, '*** End Patch'].join('\n');

const input = (patch_text: string, path = 'f.txt'): object => ({ path, patch_text });

/** The worked examples of Agent Zero's grammar, in so far as they are not in the conformance list. */
describe('context_patch', () => {
  it.each([
    ['context and a change', 'alpha\nbeta\ngamma\n', [' beta', '-gamma', '+delta'], 'alpha\nbeta\ndelta\n'],
    ['two runs in a hunk', 'a\nb\nc\n', ['-a', '+A', ' b', '-c', '+C'], 'A\nb\nC\n'],
    [
      'an empty context line',
      'alpha\nbeta\n\ngamma\n',
      ['@@ alpha', '+inserted', ''],
      'alpha\nbeta\ninserted\n\ngamma\n',
    ],
    [
      'the end of the file as an empty line',
      'alpha\nbeta\n',
      ['@@ alpha', '+inserted', ''],
      'alpha\nbeta\ninserted\n',
    ],
    ['the empty line of an empty file', '', ['@@', ' ', '+x'], '\nx'],
    ['a context line again', 'a\nb\nb\n', ['@@ a', ' b', '-b', '+c'], 'a\nb\nc\n'],
    ['a final newline that goes', 'a\nb\n', ['-b', '-'], 'a'],
    ['a final newline that comes', 'a\nb', [' b', '+'], 'a\nb\n'],
    ['marks in the text', '--- a\n', ['---- a', '+++ b'], '++ b\n'],
    ['an added empty line', 'a\nb\n', ['@@ a', '+', '+x'], 'a\n\nx\nb\n'],
    ['other separators of Unicode', 'a\nb\n', ['@@ a', '+x\u2028y\fz'], 'a\nx\u2028y\fz\nb\n'],
    [
      'the line that is the anchor, not one that is so without blanks',
      '  foo\nbar\nfoo\n',
      ['@@ foo', '+X'],
      '  foo\nbar\nfoo\nX\n',
    ],
    [
      'an anchor with its blanks before one that is the same without',
      '  foo\nbar\nfoo\n',
      ['@@   foo', '+X'],
      '  foo\nX\nbar\nfoo\n',
    ],
    ['line numbers for a bare @@', 'a\nb\n', ['@@ -1,2 +1,2 @@ fn', ' a', '-b', '+c'], 'a\nc\n'],
    ['an empty line before a hunk', 'a\nb\nc\n', ['-a', '+A', '', '@@', '-c', '+C'], 'A\nb\nC\n'],
    ['the only place from the hunk before on', 'x\na\nx\n', ['-a', '+A', '@@', '-x', '+y'], 'x\nA\ny\n'],
    ['CRLF', 'a\r\nb\r\n', [' a', '-b', '+c'], 'a\r\nc\r\n'],
  ])('takes %s', (_, before, lines, expected) => {
    expect(applied('context_patch', input(wrapped(...lines)), { 'f.txt': before }).files).toEqual({
      'f.txt': expected,
    });
    // Without an envelope, an empty line at the end is none of the patch.
    if (lines.at(-1) === '') return;
    expect(applied('context_patch', input(lines.join('\n')), { 'f.txt': before }).files).toEqual({
      'f.txt': expected,
    });
  });

  it.each([
    ['the first of two places', 'same\nold\nsame\nold\n', [' same', '-old', '+new'], 'AMBIGUOUS'],
    ['the later of two anchors', 'x = 1\ny\nx = 1\n', ['@@ x = 1', '-x = 1', '+x = 2'], 'AMBIGUOUS'],
    ['an anchor used up', 'alpha\nz\n', ['@@ alpha', '+one', '@@ alpha', '+two'], 'PATCH_FAILED'],
    ['an anchor changed before', 'a\nb\nc\n', ['@@ a', '-b', '+B', '@@ b', '-c', '+C'], 'PATCH_FAILED'],
    ['one hunk of two', 'a\nb\n', ['@@ a', '+x', '@@ zz', '+y'], 'PATCH_FAILED'],
    ['a part of a line as anchor', 'def run():  # c\n', ['@@ def run():', '+x'], 'PATCH_FAILED'],
    ['spaces for a tab', '\ta\n', ['-    a', '+x'], 'PATCH_FAILED'],
    ['an anchor without its indentation', 'x\n  old()\ny\n', ['@@ old()', '+new()'], 'PATCH_FAILED'],
    ['an anchor in an empty file', '', ['@@ a', '+x'], 'PATCH_FAILED'],
    ['a line as context and as removed', 'a\nb\n', ['@@ a', ' b', '-b', '+c'], 'PATCH_FAILED'],
    ['another Unicode form', 'e\u0301\n', ['@@ \u00e9', '+x'], 'PATCH_FAILED'],
    ['an empty line that is not there', 'alpha\nbeta', ['@@ alpha', '+x', ''], 'PATCH_FAILED'],
    ['context alone', 'a\nb\n', [' a', ' b'], 'NO_CHANGE'],
    ['the end-of-file mark', 'a\n', ['-a', '+b', '*** End of File'], 'PATCH_SYNTAX'],
    ['an unmarked context line', 'a\n    b\n', ['-a', '+c', '    b'], 'PATCH_FAILED'],
  ])('refuses %s', (_, before, lines, code) => {
    expect(refusedEdit('context_patch', input(wrapped(...lines)), { 'f.txt': before }).code).toBe(code);
  });

  it.each([
    ['a second file', '-a\n+b\n*** Update File: g.txt\n-a\n+b', /begins a second file/],
    ['a move', '*** Move to: g.txt\n-a\n+b', /moves the file/],
    ['a deletion', '-a\n+b\n*** Delete File: g.txt', /adds or deletes a file/],
    ['another control line', '-a\n+b\n*** Foo', /no line of this format/],
    ['text without a mark', '```\n-a\n+b\n```', /begins with no mark/],
    ['no lines', '@@', /has no lines/],
  ])('refuses %s', (_, lines, message) => {
    const error = refusedEdit('context_patch', input(wrapped(lines)), { 'f.txt': 'a\n' });
    expect(error.code).toBe('PATCH_SYNTAX');
    expect(error.message).toMatch(message);
  });

  it.each([
    ['text behind the end', `${wrapped('-a', '+b')}\nthanks`],
    ['a beginning without a header', '*** Begin Patch\n-a\n+b\n*** End Patch'],
    ['a header without a beginning', '*** Update File: f.txt\n-a\n+b'],
    ['nothing', '\n\n'],
  ])('refuses %s', (_, text) => {
    expect(refusedEdit('context_patch', input(text), { 'f.txt': 'a\n' }).code).toBe('PATCH_SYNTAX');
  });

  it('says that it was applied before, unless its old text is in the file', () => {
    const message = (before: string): string =>
      refusedEdit('context_patch', input('@@ a\n-b\n+B'), { 'f.txt': before }).message;
    expect(message('a\nB\nc\n')).toMatch(/already applied at line 2/);
    expect(message('B\nb\na\n')).toMatch(/its old lines are line 2/);
  });

  it.each([
    ['src/app.py', './src/app.py'],
    ['src/app.py', 'app.py'],
    ['src/app.py', '/repo/src/app.py'],
    ['src/app.py', 'src//app.py'],
    ['/tmp/work/src/app.py', 'src/app.py'],
    ['./src/app.py', '/app.py'],
  ])('takes for %s a header that names %s', (path, named) => {
    const patch_text = `*** Begin Patch\n*** Update File: ${named}\n-a\n+b\n*** End Patch`;
    expect(applied('context_patch', { path, patch_text }, { [path]: 'a\n' }).files).toEqual({
      [path]: 'b\n',
    });
  });

  it.each([
    ['src/app.py', 'lib/app.py'],
    ['app.py', 'src/app.py'],
    ['src/myapp.py', 'app.py'],
    ['app.py', '/repo/myapp.py'],
    ['src/app.py', 'APP.py'],
  ])('refuses for %s a header that names %s', (path, named) => {
    const patch_text = `*** Begin Patch\n*** Update File: ${named}\n-a\n+b\n*** End Patch`;
    const error = refusedEdit('context_patch', { path, patch_text }, { [path]: 'a\n' });
    expect([error.code, error.data.named]).toEqual(['INVALID_INPUT', named]);
  });

  it.each(['diff --git a/f.txt b/f.txt\n', ''])('calls a unified diff that', before => {
    const patch_text = `${before}--- a/f.txt\n+++ b/f.txt\n@@ -1 +1 @@\n-a\n+b\n`;
    const error = refusedEdit('context_patch', { path: 'f.txt', patch_text }, { 'f.txt': 'a\n' });
    expect([error.code, error.data.form]).toEqual(['PATCH_SYNTAX', 'unified_diff']);
    expect(error.message).toContain('begins a unified diff');
  });

  it('judges its shape before the file is looked for', () => {
    const error = refusedEdit('context_patch', { path: 'f.txt', patch_text: ' a\n b' }, { 'f.txt': null });
    expect(error.code).toBe('NO_CHANGE');
  });

  it('names the file that is not there', () => {
    expect(refusedEdit('context_patch', input(wrapped('-a', '+b')), { 'f.txt': null }).code).toBe(
      'FILE_NOT_FOUND',
    );
  });
});
