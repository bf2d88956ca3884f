import { describe, expect, it } from 'vitest';
import { render } from '../../../../src/surfaces/cli/terminal/style.ts';
import { wordPieces } from '../../../../src/surfaces/cli/views/shown-diff.ts';
import { wordDiff } from '../../../../src/text/diff/word-diff.ts';

const HEAD = 'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n';
const brackets = (diff: string): string =>
  render(wordPieces(HEAD + diff, true, wordDiff), { color: false, escape: false }).slice(HEAD.length);

describe('words in a diff', () => {
  it.each<[string, string, string]>([
    ['one line', ' c\n-x = 1;\n+x = 2;\n', ' c\n-x = [-1-];\n+x = {+2+};\n'],
    ['line by line', '-a = 1\n-b = 1\n+a = 2\n+b = 2\n', '-a = [-1-]\n-b = [-1-]\n+a = {+2+}\n+b = {+2+}\n'],
    ['no line that has nothing in common', '-one\n+two\n', '-one\n+two\n'],
    ['none where more came than went', '-a = 1\n+a = 2\n+b = 2\n', '-a = 1\n+a = 2\n+b = 2\n'],
    ['not the line end', '-a = 1\r\n+a = 1\n', '-a = 1\r\n+a = 1\n'],
    ['a line that looks like a header', '--- a/x 1\n+++ a/x 2\n', '-[----] a/x [-1-]\n+{++++} a/x {+2+}\n'],
  ])('mark %s', (_, diff, shown) => {
    expect(brackets(diff)).toBe(shown);
  });

  it('are marked in no more lines than a person compares', () => {
    const rewritten = (count: number): string => '-a = 1\n'.repeat(count) + '+a = 2\n'.repeat(count);
    expect(brackets(rewritten(50))).toBe('-a = [-1-]\n'.repeat(50) + '+a = {+2+}\n'.repeat(50));
    expect(brackets(rewritten(51))).toBe(rewritten(51));
  });

  it('keep every byte in colour', () => {
    const diff = `${HEAD} c\n-x = 1;\n-gone\n+x = 2;\n+come\n\\ No newline at end of file\n`;
    expect(render(wordPieces(diff, false, wordDiff), { color: false, escape: false })).toBe(diff);
    expect(render(wordPieces(diff, false, wordDiff), { color: true, escape: true })).toContain(
      '\u001b[31m-x = \u001b[m\u001b[7;31m1\u001b[m\u001b[31m;\u001b[m\n',
    );
  });
});
