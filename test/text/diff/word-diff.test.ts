import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type WordRange, wordDiff } from '../../../src/text/diff/word-diff.ts';
import { Branches } from '../../helpers/branches.ts';

const marked = (line: string, ranges: readonly WordRange[]): string[] =>
  ranges.map(({ start, end }) => line.slice(start, end));

const without = (line: string, ranges: readonly WordRange[]): string => {
  let at = 0;
  const kept: string[] = [];
  for (const { start, end } of ranges) {
    kept.push(line.slice(at, start));
    at = end;
  }
  return kept.join('') + line.slice(at);
};

describe('wordDiff', () => {
  it.each<[string, string, string[], string[]]>([
    ['const limit = 10;', 'const limit = 20;', ['10'], ['20']],
    ['return total;', 'return total * (1 + rate);', [], [' * (1 + rate)']],
    ['call(old_name, b, old_name);', 'call(name, b, name);', ['old_name', 'old_name'], ['name', 'name']],
    ['größe = 1 + x', 'größer = 1 + x', ['größe'], ['größer']],
    ['a\tb c d', 'a b c d', ['\t'], [' ']],
    ['same words', 'same words', [], []],
  ])('%j to %j', (old, now, removed, added) => {
    const diff = wordDiff(old, now)!;
    expect([marked(old, diff.removed), marked(now, diff.added)]).toEqual([removed, added]);
  });

  it('does not compare lines that have nothing in common', () => {
    expect(wordDiff('the quick brown fox', 'import { x } from "y";')).toBe(null);
    expect(wordDiff('', 'anything')).toBe(null);
  });

  it('leaves the same text on both sides', () => {
    const line = fc.array(fc.constantFrom('a', 'bb', ' ', '(', ')', '😀', 'é', '\t'), { maxLength: 30 });
    const branches = new Branches('compared', 'nothing in common');
    fc.assert(
      fc.property(line, line, (old, now) => {
        const diff = wordDiff(old.join(''), now.join(''));
        branches.ran(diff ? 'compared' : 'nothing in common');
        if (diff) expect(without(old.join(''), diff.removed)).toBe(without(now.join(''), diff.added));
      }),
    );
    branches.expectAll();
  });

  it('gives up on lines that differ in too many words', () => {
    const words = (word: string): string => `${word} = ${word}; `.repeat(5000);
    expect(wordDiff(words('a'), words('b'))).toBe(null);
  });
});
