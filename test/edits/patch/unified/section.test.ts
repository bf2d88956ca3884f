import { describe, expect, it } from 'vitest';
import { applied, refusedEdit } from '../../../helpers/patch-files.ts';
import { CHANGE, diff, refusal, run } from './patches.ts';

describe('names', () => {
  const named = (old: string, fresh: string): string =>
    [`--- ${old}`, `+++ ${fresh}`, ...CHANGE, ''].join('\n');
  const before = {
    'f.txt': 'a\nb\n',
    'd/f.txt': 'a\nb\n',
    'a b.txt': 'a\nb\n',
    'é.txt': 'a\nb\n',
    '"q".txt': 'a\nb\n',
  };

  it.each([
    ['a/ and b/', 'a/f.txt', 'b/f.txt', 'f.txt'],
    ['b/ and a/', 'b/f.txt', 'a/f.txt', 'f.txt'],
    ['the prefixes of mnemonicPrefix', 'i/f.txt', 'w/f.txt', 'f.txt'],
    ['none', 'd/f.txt', 'd/f.txt', 'd/f.txt'],
    ['./ alone', './f.txt', './f.txt', 'f.txt'],
    ['the same prefix twice', 'a/f.txt', 'a/f.txt', 'f.txt'],
    ['time stamps', 'a/f.txt\t2024-01-01 10:00:00.0 +0000', 'b/f.txt\t2024-01-02 10:00:00.0 +0000', 'f.txt'],
    ['blanks', 'a/a b.txt\t', 'b/a b.txt\t', 'a b.txt'],
    ['quotes and octal digits', '"a/\\303\\251.txt"', '"b/\\303\\251.txt"', 'é.txt'],
    ['quoted quotes', '"a/\\"q\\".txt"', '"b/\\"q\\".txt"', '"q".txt'],
  ])('may have %s', (_, old, fresh, path) => {
    expect(run(named(old, fresh), before).files).toEqual({ ...before, [path]: 'a\nB\n' });
  });

  it('are taken as they are written when that file exists', () => {
    const both = { 'a/f.txt': 'a\nb\n', 'f.txt': 'a\nb\n' };
    expect(run(named('a/f.txt', 'a/f.txt'), both).files).toEqual({ ...both, 'a/f.txt': 'a\nB\n' });
    expect(run(named('a/f.txt', 'b/f.txt'), both).files).toEqual({ ...both, 'f.txt': 'a\nB\n' });
  });

  it.each([
    ['disagree', 'a/f.txt', 'b/g.txt', 'PATCH_SYNTAX'],
    ['have a component .', 'a/./f.txt', 'b/./f.txt', 'PATCH_SYNTAX'],
    ['are none', '/dev/null', '/dev/null', 'PATCH_SYNTAX'],
    ['are of no file', 'a/x', 'b/x', 'FILE_NOT_FOUND'],
  ])('are refused when they %s', (_, old, fresh, code) => {
    expect(refusal(named(old, fresh), before).code).toBe(code);
  });

  it.each([
    ['diff --git a/f.txt b/f.txt\n--- a/f.txt\n+++ b/g.txt'],
    ['diff --git a/f.txt b/g.txt\n--- a/f.txt\n+++ b/g.txt'],
    ['diff --git a/g.txt b/g.txt\n--- a/f.txt\n+++ b/f.txt'],
    ['diff --git a/f.txt b/g.txt\nrename from f.txt\nrename to g.txt\n--- a/f.txt\n+++ b/h.txt'],
    ['diff --git a/f.txt b/g.txt\nrename from h.txt\nrename to g.txt'],
    ['diff --git a/f.txt b/g.txt\nrename from f.txt\nrename to h.txt'],
    ['diff --git a/f.txt b/g.txt\nrename from f.txt\nrename to g.txt\n--- /dev/null\n+++ b/g.txt'],
  ])('are refused when headers disagree', header => {
    expect(refusal(`${header}\n${CHANGE.join('\n')}\n`).message).toMatch(/names disagree/);
  });

  it.each([
    ['new file mode 100644', /names a file where there is none: by the lines above the file is new/],
    ['deleted file mode 100644', /above the file is deleted. Expected "\+\+\+ \/dev\/null"/],
  ])('are refused beside "%s"', (line, message) => {
    const patch = `diff --git a/f.txt b/f.txt\n${line}\n${diff(...CHANGE)}`;
    expect(refusal(patch).message).toMatch(message);
  });
});

describe('operations on files', () => {
  const git = (names: string, ...lines: string[]): string => [`diff --git ${names}`, ...lines, ''].join('\n');
  const before = { f: 'a\nb\n', g: 'g\n' };

  it.each([
    [
      'a new file',
      git('a/n b/n', 'new file mode 100644', '--- /dev/null', '+++ b/n', '@@ -0,0 +1,2 @@', '+x', '+y\r'),
      { n: 'x\ny\r\n' },
    ],
    [
      'a new file of a plain diff',
      '--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n',
      { n: 'x' },
    ],
    [
      'a new file of diff -N',
      '--- n\t1970-01-01 01:00:00.000000000 +0100\n+++ n\t2024-01-01 10:00:00.0 +0100\n@@ -0,0 +1 @@\n+x\n',
      { n: 'x\n' },
    ],
    ['an empty new file', git('a/n b/n', 'new file mode 100644', 'index 0000000..e69de29'), { n: '' }],
    [
      'a new file without prefixes',
      git('b/n b/n', 'new file mode 100644', '--- /dev/null', '+++ b/n', '@@ -0,0 +1 @@', '+x'),
      { 'b/n': 'x\n' },
    ],
    [
      'a rename',
      git('a/f b/n', 'similarity index 100%', 'rename from f', 'rename to n'),
      { f: null, n: 'a\nb\n' },
    ],
    [
      'a rename with a change',
      git('a/f b/n', 'rename from f', 'rename to n', '--- a/f', '+++ b/n', ...CHANGE),
      { f: null, n: 'a\nB\n' },
    ],
    ['a copy', git('a/f b/n', 'copy from f', 'copy to n'), { n: 'a\nb\n' }],
    [
      'a copy of what a part above changed',
      git('a/f b/f', '--- a/f', '+++ b/f', ...CHANGE) + git('a/f b/n', 'copy from f', 'copy to n'),
      { f: 'a\nB\n', n: 'a\nb\n' },
    ],
    [
      'a deletion',
      git('a/f b/f', 'deleted file mode 100644', '--- a/f', '+++ /dev/null', '@@ -1,2 +0,0 @@', '-a', '-b'),
      { f: null },
    ],
    [
      'a deletion of diff -N',
      '--- f\t2024-01-01 10:00:00.0 +0000\n+++ f\t1970-01-01 00:00:00.0 +0000\n@@ -1,2 +0,0 @@\n-a\n-b\n',
      { f: null },
    ],
    [
      'a swap',
      git('a/f b/g', 'rename from f', 'rename to g') + git('a/g b/f', 'rename from g', 'rename to f'),
      { f: 'g\n', g: 'a\nb\n' },
    ],
    [
      'a chain',
      git('a/f b/g', 'rename from f', 'rename to g') + git('a/g b/h', 'rename from g', 'rename to h'),
      { f: null, g: 'a\nb\n', h: 'g\n' },
    ],
    [
      'a file in place of one that is renamed',
      git('a/f b/f', 'new file mode 100644', '--- /dev/null', '+++ b/f', '@@ -0,0 +1 @@', '+x') +
        git('a/f b/n', 'rename from f', 'rename to n'),
      { f: 'x\n', n: 'a\nb\n' },
    ],
    [
      'a change of what was renamed',
      git('a/f b/n', 'rename from f', 'rename to n') + git('a/n b/n', '--- a/n', '+++ b/n', ...CHANGE),
      { f: null, n: 'a\nB\n' },
    ],
    ['names with blanks', git('a/x y b/x y', 'new file mode 100644'), { 'x y': '' }],
    ['quoted names', git('"a/\\t" "b/\\t"', 'new file mode 100644'), { '\t': '' }],
    ['a change of the mode', git('a/f b/f', 'old mode 100644', 'new mode 100755'), {}],
  ])('may be %s', (_, patch, changed) => {
    const expected = Object.entries({ ...before, ...changed }).filter(([, text]) => text !== null);
    expect(run(patch, before).files).toEqual(Object.fromEntries(expected));
  });

  it('keep modes', () => {
    const modes = { f: '100755', g: '100644' } as const;
    const copy = applied(
      'unified_diff',
      { patch: git('a/f b/n', 'copy from f', 'copy to n') },
      before,
      modes,
    );
    expect(copy.changes).toEqual([
      { kind: 'create', path: 'n', text: 'a\nb\n', exact: true, mode: '100755' },
    ]);
    const swap =
      git('a/f b/g', 'rename from f', 'rename to g') + git('a/g b/f', 'rename from g', 'rename to f');
    const written = applied('unified_diff', { patch: swap }, before, modes).changes.filter(
      one => one.kind === 'create',
    );
    expect(written.map(one => [one.path, one.mode])).toEqual([
      ['g', '100755'],
      ['f', '100644'],
    ]);
    const moved = git('a/f b/n', 'old mode 100755', 'new mode 100644', 'rename from f', 'rename to n');
    expect(applied('unified_diff', { patch: moved }, before, modes).changes).toEqual([
      { kind: 'move', path: 'f', to: 'n', spans: [] },
      { kind: 'modify', path: 'n', spans: [], mode: '100644' },
    ]);
  });

  it.each([
    ['a file that is there', '--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+x\n', 'FILE_EXISTS'],
    [
      'one file twice',
      '--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n',
      'FILE_EXISTS',
    ],
    ['a rename onto a file', git('a/f b/g', 'rename from f', 'rename to g'), 'FILE_EXISTS'],
    ['a copy onto a file', git('a/f b/g', 'copy from f', 'copy to g'), 'FILE_EXISTS'],
    [
      'a rename of what was changed above',
      git('a/f b/f', '--- a/f', '+++ b/f', ...CHANGE) + git('a/f b/n', 'rename from f', 'rename to n'),
      'PATCH_FAILED',
    ],
    ['half a rename and half a copy', git('a/f b/n', 'rename from f', 'copy to n'), 'PATCH_SYNTAX'],
    ['half a rename', git('a/f b/n', 'rename from f'), 'PATCH_SYNTAX'],
    ['the deletion of a part', '--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n', 'PATCH_FAILED'],
    ['the deletion of a text that is not shown', git('a/f b/f', 'deleted file mode 100644'), 'PATCH_FAILED'],
    ['another old mode', git('a/f b/f', 'old mode 100755', 'new mode 100644'), 'PATCH_FAILED'],
    ['a link', git('a/n b/n', 'new file mode 120000'), 'PATCH_SYNTAX'],
    ['a submodule', git('a/n b/n', 'index 1234567..89abcde 160000'), 'PATCH_SYNTAX'],
    ['an odd mode', git('a/f b/f', 'old mode 100644', 'new mode 100600'), 'PATCH_SYNTAX'],
    ['half a change of mode', git('a/f b/f', 'old mode 100644'), 'PATCH_SYNTAX'],
    ['no operation', git('a/f b/f', 'index 1234567..89abcde 100644'), 'PATCH_SYNTAX'],
    ['a binary patch', git('a/f b/f', 'GIT binary patch', 'delta 10'), 'PATCH_SYNTAX'],
    ['a binary file', git('a/f b/f', 'index 1234567..89abcde 100644', 'GIT binary patch'), 'PATCH_SYNTAX'],
    ['a binary notice', 'Binary files a/f and b/f differ\n', 'PATCH_SYNTAX'],
    ['a file that is only named', 'Only in b: x\n', 'PATCH_SYNTAX'],
    ['a new file with old lines', '--- /dev/null\n+++ b/n\n@@ -1 +1,2 @@\n x\n+y\n', 'PATCH_SYNTAX'],
  ])('may not be %s', (_, patch, code) => {
    const modes = { f: '100644', g: '100644' } as const;
    expect(refusedEdit('unified_diff', { patch }, before, modes).code).toBe(code);
  });

  it.each([
    git('a/f b/f', 'index 1234567..89abcde 100644', 'GIT binary patch', 'literal 4'),
    git('a/f b/f', 'index 1234567..89abcde 100644', 'Binary files a/f and b/f differ'),
    'Binary files a/f and b/f differ\n',
  ])('call a change of a file that is not text that', patch => {
    expect(refusedEdit('unified_diff', { patch }, before).message).toMatch(
      /binary patch|file that is not text/,
    );
  });

  it('are all of them or none', () => {
    const second = '--- a/g\n+++ b/g\n@@ -1 +1 @@\n-x\n+y\n';
    const error = refusal(`--- a/f\n+++ b/f\n${CHANGE.join('\n')}\n${second}`, before);
    expect([error.code, error.data.path]).toEqual(['PATCH_FAILED', 'g']);
  });
});
