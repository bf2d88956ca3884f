import { describe, expect, it } from 'vitest';
import { applied, refusedEdit } from '../helpers/patch-files.ts';

const block = (old: string[], fresh: string[], length = 7): string =>
  [
    `${'<'.repeat(length)} SEARCH`,
    ...old,
    '='.repeat(length),
    ...fresh,
    `${'>'.repeat(length)} REPLACE`,
    '',
  ].join('\n');

const input = (blocks: string): object => ({ path: 'f.txt', blocks });

function result(before: string | null, blocks: string): string | undefined {
  return applied('search_replace', input(blocks), { 'f.txt': before }).files['f.txt'];
}

describe('search_replace', () => {
  it.each([
    ['a line', 'a\nb\n', block(['a'], ['A']), 'A\nb\n'],
    ['a line by two', 'a\nb\n', block(['a'], ['A', '', 'B']), 'A\n\nB\nb\n'],
    ['lines by none', 'a\nb\nc\n', block(['a', 'b'], []), 'c\n'],
    ['several blocks', 'a\nb\nc\n', block(['a'], ['A']) + block(['c'], ['C']), 'A\nb\nC\n'],
    ['blocks in any order', 'a\nb\nc\n', block(['c'], ['C']) + block(['a'], ['A']), 'A\nb\nC\n'],
    ['five marker characters', 'a\n', block(['a'], ['b'], 5), 'b\n'],
    ['nine marker characters', 'a\n', block(['a'], ['b'], 9), 'b\n'],
    [
      'a block of blocks by longer markers',
      `${block(['a'], ['b'])}x\n`,
      block(block(['a'], ['b']).trimEnd().split('\n'), ['c'], 9),
      'c\nx\n',
    ],
    ['markers of two lengths', 'a\n', block(['a'], ['b']).replace('>>>>>>>', '>>>>>>'), 'b\n'],
    ['a fence and a name', 'a\n', `f.txt\n\`\`\`js\n${block(['a'], ['b'])}\`\`\`\n`, 'b\n'],
    ['a name with marks', 'a\n', `### \`./f.txt\`:\n${block(['a'], ['b'])}`, 'b\n'],
    ['names above each', 'a\nb\n', `f.txt\n${block(['a'], ['A'])}\nf.txt\n${block(['b'], ['B'])}`, 'A\nB\n'],
    ['a line of = in the text', 'T\n=====\nx\n', block(['T', '====='], ['U', '=====']), 'U\n=====\nx\n'],
    ['CRLF', 'a\r\nb\r\n', block(['a'], ['A', 'B']), 'A\r\nB\r\nb\r\n'],
    ['CRLF blocks', 'a\nb\n', block(['a'], ['A']).replaceAll('\n', '\r\n'), 'A\nb\n'],
    ['an open last line', 'a\nb', block(['b'], ['B', 'C']), 'a\nB\nC'],
    ['an empty file', '', block([], ['a']), 'a\n'],
    ['no file', null, block([], ['a', 'b']), 'a\nb\n'],
    ['lines that look like a diff', '- a\n+ b\n', block(['- a', '+ b'], ['@@ c']), '@@ c\n'],
  ])('replaces %s', (_, before, blocks, expected) => {
    expect(result(before, blocks)).toBe(expected);
  });

  it.each([
    ['two places', 'a\na\n', block(['a'], ['b']), 'AMBIGUOUS', /Block 1/],
    ['no place', 'a\n', block(['x'], ['y']), 'PATCH_FAILED', /Block 1 \(line 1 of the patch\)/],
    ['other indentation', '  a\n', block(['a'], ['b']), 'PATCH_FAILED', /indented with 2 spaces/],
    ['other blanks at the end', 'a \n', block(['a'], ['b']), 'PATCH_FAILED', /ends with 1 space/],
    ['a part of a line', 'ab\n', block(['a'], ['b']), 'PATCH_FAILED', /line 1 of the file is `ab`/],
    [
      'blocks that overlap',
      'a\nb\nc\n',
      block(['a', 'b'], ['x']) + block(['b', 'c'], ['y']),
      'PATCH_FAILED',
      /overlaps block 1/,
    ],
    ['equal texts', 'a\n', block(['a'], ['a']), 'NO_CHANGE', /block 1/],
    [
      'a text that is there already',
      'new text\n',
      block(['old text'], ['new text']),
      'PATCH_FAILED',
      /already applied at line 1/,
    ],
    [
      'a short text that is there already',
      'x=1\ny\n',
      block(['x=0'], ['x=1']),
      'PATCH_FAILED',
      /applied at line 1/,
    ],
    [
      'an indented text whose result is there',
      'return value\n    return val\n',
      block(['return val'], ['return value']),
      'PATCH_FAILED',
      /line 2 is indented with 4 spaces/,
    ],
    ['no old text', 'a\n', block([], ['b']), 'PATCH_SYNTAX', /does not say where/],
    [
      'no end',
      'a\n',
      block(['a'], ['b']).replace(/>.*\n/, ''),
      'PATCH_SYNTAX',
      /has no end: it was probably cut off/,
    ],
    ['no divider', 'a\n', block(['a'], ['b']).replace('=======\n', ''), 'PATCH_SYNTAX', /without "======="/],
    [
      'two dividers',
      'a\n',
      block(['a', '======='], ['b']),
      'PATCH_SYNTAX',
      /several dividers \(lines 3, 4\)/,
    ],
    ['a block in a block', 'a\n', block(['a', '<<<<<<< SEARCH'], ['b']), 'PATCH_SYNTAX', /has no end/],
    [
      'a longer end behind another block',
      'a\n',
      block(['a'], ['b']).replace('>>>>>>>', '') + block(['a'], ['b'], 8),
      'PATCH_SYNTAX',
      /has no end/,
    ],
    ['four marker characters', 'a\n', block(['a'], ['b'], 4), 'PATCH_SYNTAX', /belongs to no block/],
    ['text between blocks', 'a\n', `First:\n\nthis\n${block(['a'], ['b'])}`, 'PATCH_SYNTAX', /Line 1/],
    ['text behind blocks', 'a\n', `${block(['a'], ['b'])}Done.`, 'PATCH_SYNTAX', /Line 6/],
    ['no block', 'a\n', '\n', 'PATCH_SYNTAX', /holds no block/],
    [
      'the name of another file',
      'a\n',
      `g.txt\n${block(['a'], ['b'])}`,
      'INVALID_INPUT',
      /above block 1, is "g.txt"/,
    ],
    ['one of two blocks', 'a\nb\n', block(['a'], ['A']) + block(['x'], ['X']), 'PATCH_FAILED', /Block 2/],
  ])('refuses %s', (_, before, blocks, code, message) => {
    const error = refusedEdit('search_replace', input(blocks), { 'f.txt': before });
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
  });

  it('makes a new file from one block only', () => {
    const two = block([], ['a']) + block(['a'], ['b']);
    expect(refusedEdit('search_replace', input(two), { 'f.txt': null }).code).toBe('FILE_NOT_FOUND');
    expect(refusedEdit('search_replace', input(block(['a'], ['b'])), { 'f.txt': null }).code).toBe(
      'FILE_NOT_FOUND',
    );
  });
});
