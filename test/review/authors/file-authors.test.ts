import { describe, expect, it } from 'vitest';
import { compare } from '../../../src/engine/rejections/compare.ts';
import { Authors, type ComparedFile } from '../../../src/review/authors/file-authors.ts';
import type { TrailEntry } from '../../../src/trail/walk.ts';

const author = (commit: string): TrailEntry => ({ commit }) as TrailEntry;

/** Who took which line out: `versions` from the newest one back, each made by the edit of its number. */
function removers(accepted: string, versions: readonly string[], lineBreak: '\n' | '\r' = '\n'): string[][] {
  const texts = [accepted, ...versions].map(text => [...text].map(line => line + lineBreak).join(''));
  const [old, present, ...older] = texts as [string, string, ...string[]];
  const file = { accepted: { text: old }, present: { text: present }, compared: compare(old, present) };
  const authors = new Authors(file as unknown as ComparedFile);
  for (const [at, text] of older.entries()) authors.note(text, author(`edit ${versions.length - 1 - at}`));
  return authors.found.map(found => [...found.keys()]);
}

describe('the author of lines that went', () => {
  it.each<[string, string, string[], string[][]]>([
    ['the edit that took it out', 'abc', ['aXc', 'aYc', 'abc'], [['edit 1']]],
    ['each its own', 'abcde', ['aXcYe', 'abcYe', 'abcde'], [['edit 2'], ['edit 1']]],
    ['nobody of an edit elsewhere', 'abc', ['aXcd', 'aXc', 'abc'], [['edit 1']]],
    ['told by the whole texts where lines repeat', 'abab', ['aXab', 'abab'], [['edit 1']]],
    ['the newest that did, of one that came back', 'abc', ['ac', 'abc', 'ac', 'abc'], [['edit 3']]],
    ['not the edit that moved it', 'abcd', ['acd', 'acdb', 'abcd'], [['edit 2']]],
  ])('is %s', (_, accepted, versions, expected) => {
    expect(removers(accepted, versions).filter(found => found.length > 0)).toEqual(expected);
    expect(removers(accepted, versions, '\r').filter(found => found.length > 0)).toEqual(expected);
  });
});
