import { describe, expect, it } from 'vitest';
import {
  counted,
  cutLine,
  fenced,
  lineWords,
  listed,
  listedSome,
  quoted,
  wellFormed,
} from '../../src/text/words.ts';

describe('words', () => {
  it('counts and lists', () => {
    expect([0, 1, 2].map(n => counted(n, 'line'))).toEqual(['no lines', '1 line', '2 lines']);
    expect([lineWords(3, 3), lineWords(3, 5)]).toEqual(['line 3', 'lines 3-5']);
    expect([[], [1], [1, 2], [1, 2, 3]].map(listed)).toEqual(['', '1', '1 and 2', '1, 2 and 3']);
  });

  it('lists some of many', () => {
    expect(listedSome(['a', 'b', 'c'])).toBe('a, b, c');
    expect(listedSome(['a', 'b', 'c'], 2)).toBe('a, b and 1 more');
    expect(listedSome(['a', 'b', 'c'], 3, '; ')).toBe('a; b; c');
  });

  it('cuts a long line, never inside a character', () => {
    expect([cutLine('abc', 3), cutLine('abcd', 3)]).toEqual(['abc', 'abc… [1 more characters]']);
    expect(cutLine('a😀b', 2)).toBe('a… [2 more characters]');
  });

  it('quotes a text on one line and shows both ends of a long one', () => {
    expect(quoted('a\r\nb\nc\rd')).toBe('`a\\nb\\nc\\rd`');
    expect(quoted('')).toBe('an empty line');
    expect(quoted('abcdefgh', 4)).toBe('`ab…gh`');
    expect(quoted('a😀'.repeat(10), 4)).not.toMatch(/\p{Surrogate}/u);
    expect(wellFormed('\ude00a\ud83d')).toBe('a');
  });

  it('fences a text so that no fence in it ends it', () => {
    expect(fenced('a')).toBe('```\na\n```');
    expect(fenced('a\n')).toBe('```\na\n```');
    expect(fenced('````js\n')).toBe('`````\n````js\n`````');
  });
});
