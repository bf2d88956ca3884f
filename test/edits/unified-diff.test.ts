import { describe, expect, it } from 'vitest';
import { CHANGE, diff, refusal, run } from './patch/unified/patches.ts';

describe('the place of a hunk', () => {
  const alike = 'x\na\nb\nx\na\nb\n';

  it.each([
    ['the only one, whatever the number says', 'q\na\nb\n', '@@ -9,2 +9,2 @@', 'q\na\nB\n'],
    ['the one that the number says, among several', alike, '@@ -5,2 +5,2 @@', 'x\na\nb\nx\na\nB\n'],
    ['the only one without a number', 'q\na\nb\n', '@@ ... @@', 'q\na\nB\n'],
  ])('is %s', (_, before, header, expected) => {
    expect(run(diff(header, ...CHANGE.slice(1)), { 'f.txt': before }).files).toEqual({ 'f.txt': expected });
  });

  it('is the only one behind the hunk before, where the header has no number', () => {
    const patch = diff('@@', ...CHANGE.slice(1), '@@', '-x', '+X');
    expect(run(patch, { 'f.txt': 'x\na\nb\nx\n' }).files).toEqual({ 'f.txt': 'x\na\nB\nX\n' });
  });

  it.each([
    ['near the number', '@@ -4,2 +4,2 @@', /the line in its header \(4\) is none of its places/],
    ['the first', '@@', /on lines 2 and 5/],
  ])('is not the one %s', (_, header, message) => {
    const error = refusal(diff(header, ...CHANGE.slice(1)), { 'f.txt': alike });
    expect(error.code).toBe('AMBIGUOUS');
    expect(error.message).toMatch(message);
    expect(error.data).toMatchObject({ lines: [2, 5], hunk: 1, patch_line: 3 });
  });

  it.each([
    ['blanks at a line end', 'a \nb\n', /ends with 1 space in the file/],
    ['indentation', 'a\n  b\n', /indented with 2 spaces in the file/],
    ['a near text', 'a\nbb\n', /line 2 of the file is `bb`/],
  ])('is none with %s', (_, before, message) => {
    const error = refusal(diff(...CHANGE), { 'f.txt': before });
    expect(error.code).toBe('PATCH_FAILED');
    expect(error.message).toMatch(message);
  });

  it('needs context in a file that is not empty, and is told when it was applied before', () => {
    expect(refusal(diff('@@ -1,0 +2 @@', '+x')).code).toBe('PATCH_SYNTAX');
    expect(refusal(diff(...CHANGE), { 'f.txt': 'a\nB\n' }).message).toContain('already applied at line 1');
    const bare = diff('@@ -3 +3 @@', '-b', '+B');
    expect(refusal(bare, { 'f.txt': 'B\na\nB\n' }).message).toContain('already applied at line 3');
  });

  it('is not told that it was applied where its old text is', () => {
    const last = '\\ No newline at end of file';
    const patch = diff('@@ -1 +1 @@', '-old text', last, '+new text', last);
    const error = refusal(patch, { 'f.txt': 'new text\nold text\nx\n' });
    expect(error.message).toMatch(/it fits at line 2 of 3/);
  });
});

describe('what is put up with and reported', () => {
  it.each([
    [
      'a fence and words',
      `Here:\n\n\`\`\`diff\n${diff(...CHANGE)}\`\`\`\n- That is all.\n`,
      /^4 lines of text around the patch were left out$/,
    ],
    [
      'a mail',
      `From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\nSubject: x\n\n- list\n---\n f.txt | 2 +-\n\n${diff(...CHANGE)}-- \n2.39.5\n\n`,
      /^7 lines of text/,
    ],
    [
      'counts that are too large',
      diff('@@ -1,5 +1,5 @@', ' a', '-b', '+B', ' c'),
      /counted anew \(hunk in line 3/,
    ],
    ['counts that fit nowhere', diff('@@ -1,3 +1,2 @@', '-a', ' b', '+B', '+BB', ' c'), /counted anew/],
    ['no counts', diff('@@', ' a', '-b', '+B'), /without numbers/],
    ['empty context lines', diff('@@ -1,4 +1,4 @@', ' a', '-b', '+B', ' c', ''), /without a space/],
    ['CRLF', diff(...CHANGE).replaceAll('\n', '\r\n'), /end with CRLF/],
    [
      'CRLF in the lines',
      diff(...CHANGE).replace(/^([- +][abB])$/gm, '$1\r'),
      /line ends of the patch are not those of the file/,
    ],
    ['another line', diff('@@ -7,2 +7,2 @@', ' a', '-b', '+B'), /at line 1 instead of 7/],
    [
      'no prefixes',
      diff(...CHANGE)
        .replace('a/f', 'f')
        .replace('b/f', 'f'),
      /no a\/ and b\//,
    ],
  ])('is %s', (_, patch, note) => {
    const outcome = run(patch, { 'f.txt': 'a\nb\nc\n\n' });
    expect(outcome.files['f.txt']).toMatch(/B/);
    expect(outcome.notes.join('\n')).toMatch(note);
  });

  it('is nothing in a patch of git', () => {
    const patch = `diff --git a/f.txt b/f.txt\nindex 422c2b7..0000001 100644\n${diff(...CHANGE)}`;
    expect(run(patch, { 'f.txt': 'a\nb\n' }).notes).toEqual([]);
  });
});

describe('a patch that was cut off', () => {
  const whole = diff(...CHANGE);
  const before = { 'f.txt': 'a\nb\n', empty: '' };

  it.each([
    ['behind the names of a new file', '--- /dev/null\n+++ b/n\n', 1],
    ['behind the names of a file that goes', '--- a/empty\n+++ /dev/null\n', 1],
    [
      'behind the names of a second file',
      `${whole}diff --git a/n b/n\nnew file mode 100644\nindex 0000000..1234567\n--- /dev/null\n+++ b/n\n`,
      7,
    ],
    [
      'before the names of a second file',
      `${whole}diff --git a/n b/n\nnew file mode 100644\nindex 0000000..1234567\n`,
      7,
    ],
    [
      'in a rename',
      'diff --git a/f.txt b/g.txt\nrename from f.txt\nrename to g.txt\n--- a/f.txt\n+++ b/g.txt\n',
      1,
    ],
    [
      'in a rename, before its names',
      'diff --git a/f.txt b/g.txt\nrename from f.txt\nrename to g.txt\nindex 1234567..89abcde 100644\n',
      1,
    ],
    [
      'in a change of the mode',
      'diff --git a/f.txt b/f.txt\nold mode 100644\nnew mode 100755\n--- a/f.txt\n+++ b/f.txt\n',
      1,
    ],
    ['behind a changed line', diff('@@ -1,3 +1,3 @@', ' a', '-b', '+B'), 3],
    ['behind context, before a changed line', diff('@@ -1,3 +1,4 @@', '-a', '+A', ' b'), 3],
    ['behind context, in the middle', diff('@@ -1,3 +1,4 @@', '-a', '+A', '@@ -2 +2 @@', '-b', '+B'), 3],
  ])('%s is refused', (_, patch, line) => {
    const error = refusal(patch, before);
    expect(error.code).toBe('PATCH_SYNTAX');
    expect(error.message).toContain('cut off');
    expect(error.data.patch_line).toBe(line);
  });
});

describe('what is no patch', () => {
  it.each([
    ['nothing', '', null],
    ['words', 'I would change line 1.\n', null],
    ['surplus lines', diff(...CHANGE, '-c'), 7],
    ['surplus lines behind an empty one', diff(...CHANGE, '', '-c'), 8],
    ['a hunk of no file', CHANGE.join('\n'), 1],
    ['one name', `--- a/f.txt\n${CHANGE.join('\n')}\n`, 2],
    ['the other name', `+++ b/f.txt\n${CHANGE.join('\n')}\n`, 1],
    ['a number that no line has', diff('@@ -2147483648,2 +1,2 @@', ...CHANGE.slice(1)), 3],
    ['an anchor', diff('@@ def f():', ...CHANGE.slice(1)), 3],
    ['a combined diff', diff('@@@ -1,2 -1,2 +1,2 @@@', ...CHANGE.slice(1)), 3],
    ['a line without mark', diff('@@ -1,3 +1,3 @@', ' a', '-b', '+B', 'c'), 7],
    ['no lines', diff('@@ -1 +1 @@'), 3],
    [
      'a list behind wrong counts',
      diff('@@ -1,9 +1,9 @@', ' a', '-b', '+B', '', '+ a list', '+ of things'),
      3,
    ],
    ['a context diff', '*** a/f.txt\n--- b/f.txt\n***************\n*** 1,2 ****\n', 3],
    ['another format around it', `*** Begin Patch\n${diff(...CHANGE)}`, 1],
    ['another format behind it', `${diff(...CHANGE)}\n*** Update File: f.txt\n-a\n`, 8],
    ['blocks', '<<<<<<< SEARCH\na\n', 1],
    ['a mode of no file', 'new file mode 100755\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+a\n', 1],
    ['a rename of no file', `${diff(...CHANGE)}rename from f.txt\nrename to g.txt\n`, 7],
    [
      'a last line that is not the last',
      diff('@@ -1,2 +1,2 @@', '-a', '\\ No newline at end of file', ' b', '+c'),
      3,
    ],
  ])('is %s', (_, patch, line) => {
    const error = refusal(patch);
    expect(error.code).toBe('PATCH_SYNTAX');
    expect(error.data.patch_line).toBe(line);
  });

  it.each([
    ['hunks out of order', [...['@@ -2 +2 @@', '-b', '+B'], ...['@@ -1 +1 @@', '-a', '+A']], 'PATCH_FAILED'],
    ['hunks that overlap', [...CHANGE, ...CHANGE], 'PATCH_FAILED'],
    ['context alone', ['@@ -1,2 +1,2 @@', ' a', ' b'], 'NO_CHANGE'],
    [
      'a final newline that is not missing',
      ['@@ -2 +2 @@', '-b', '\\ No newline at end of file', '+B'],
      'PATCH_FAILED',
    ],
  ])('is %s', (_, lines, code) => {
    expect(refusal(diff(...lines)).code).toBe(code);
  });

  it('is not one whose lines are in the file thousands of times', () => {
    const many = 'a\n'.repeat(60_000);
    const hunk = `@@ -9 +9 @@\n${'-a\n'.repeat(20)}-b\n+c\n`;
    const text = many.replace(/a\n$/, 'b\n');
    expect(run(`--- a/f.txt\n+++ b/f.txt\n${hunk}`, { 'f.txt': text }).files['f.txt']).toMatch(/^(a\n)+c\n$/);
  });
});

describe('line ends and the end of the file', () => {
  const last = '\\ No newline at end of file';

  it.each([
    [
      'as the patch has them, where it knows those of the file',
      'a\r\nb\nc\n',
      ['@@ -1,3 +1,4 @@', ' a\r', '-b', '+B\r', '+x', ' c'],
      'a\r\nB\r\nx\nc\n',
    ],
    [
      'as the file has them, where it does not',
      'a\r\nb\nc\r\n',
      ['@@ -1,3 +1,4 @@', ' a', '-b', '+B', '+x', ' c'],
      'a\r\nB\nx\nc\r\n',
    ],
    ['CR alone', 'a\rb\rc', ['@@ -1 +1 @@', '-a\rb\rc', last, '+a\rB\rc', last], 'a\rB\rc'],
    ['from CR to LF', 'a\rb\r', ['@@ -1 +1,2 @@', '-a\rb\r', last, '+a', '+b'], 'a\nb\n'],
    ['open where nothing is said', 'a\nb', ['@@ -1,2 +1,3 @@', ' a', '-b', '+B', '+C'], 'a\nB\nC'],
    ['closed where it is said', 'a\nb', ['@@ -1,2 +1,2 @@', ' a', '-b', last, '+b'], 'a\nb\n'],
    ['open where it is said', 'a\nb\n', ['@@ -1,2 +1,2 @@', ' a', '-b', '+b', last], 'a\nb'],
    ['closed where the last line goes', 'a\nb', ['@@ -1,2 +1 @@', ' a', '-b', last], 'a\n'],
    [
      'open where it is said, with other line ends',
      'a\r\nb\r\n',
      ['@@ -1,2 +1,2 @@', ' a', '-b', '+B', last],
      'a\r\nB',
    ],
    [
      'closed where it is said, with other line ends',
      'a\r\nb',
      ['@@ -1,2 +1,2 @@', ' a', '-b', last, '+B'],
      'a\r\nB\r\n',
    ],
  ])('are %s', (_, before, lines, expected) => {
    expect(run(diff(...lines), { 'f.txt': before }).files).toEqual({ 'f.txt': expected });
  });

  it.each([
    ['stays', '\uFEFFa\nb\n', CHANGE, '\uFEFFa\nB\n'],
    [
      'stays where the patch has it',
      '\uFEFFa\nb\n',
      ['@@ -1,2 +1,2 @@', ' \uFEFFa', '-b', '+B'],
      '\uFEFFa\nB\n',
    ],
    [
      'stays where the patch repeats it',
      '\uFEFFa\nb\n',
      ['@@ -1 +1 @@', '-\uFEFFa', '+\uFEFFA'],
      '\uFEFFA\nb\n',
    ],
    ['goes where the patch removes it', '\uFEFFa\nb\n', ['@@ -1 +1 @@', '-\uFEFFa', '+a'], 'a\nb\n'],
    ['comes where the patch adds it', 'a\nb\n', ['@@ -1 +1 @@', '-a', '+\uFEFFa'], '\uFEFFa\nb\n'],
    ['is not doubled', '\uFEFFa\nb\n', ['@@ -1 +1 @@', '-a', '+\uFEFFA'], '\uFEFFA\nb\n'],
    [
      'is first before added lines too',
      '\uFEFFa\nb\n',
      ['@@ -1 +1,2 @@', '+x', ' \uFEFFa'],
      '\uFEFFx\na\nb\n',
    ],
  ])('a byte order mark %s', (_, before, lines, expected) => {
    expect(run(diff(...lines), { 'f.txt': before }).files).toEqual({ 'f.txt': expected });
  });
});

describe('a series', () => {
  const mail = (diffs: string): string =>
    `From ${'0'.repeat(40)} Mon Sep 17 00:00:00 2001\nSubject: x\n\n${diffs}-- \n2.39.5\n\n`;
  const rename = 'diff --git a/f.txt b/g.txt\nrename from f.txt\nrename to g.txt\n';

  it('is applied mail by mail: a rename is of what the mails before have left', () => {
    const series = mail(diff(...CHANGE)) + mail(rename);
    expect(run(series, { 'f.txt': 'a\nb\n' }).files).toEqual({ 'g.txt': 'a\nB\n' });
  });
});
