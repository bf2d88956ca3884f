/** aider's SEARCH/REPLACE blocks (aider/coders/editblock_coder.py and its tests). */

import { instead, NO_GUESS, type Row, rows, type UpstreamCase } from './case.ts';

const block = (search: string, put: string, size = 7): string =>
  [`${'<'.repeat(size)} SEARCH`, search, '='.repeat(size), put, `${'>'.repeat(size)} REPLACE`]
    .filter(line => line !== '')
    .join('\n');

const blocks = (...list: string[]): Record<string, unknown> => ({ blocks: list.join('\n') });

const LOOSE = instead(
  'NO_MATCH',
  'theirs takes lines that are only similar: the refusal has the lines to send',
);
const LOOSE_PATCH = instead('PATCH_FAILED', LOOSE.why);

const BLOCKS: readonly Row[] = [
  ['one line', blocks(block('b', 'B')), 'a\nb\nc\n', 'a\nB\nc\n'],
  ['several lines', blocks(block('a\nb', 'x\ny\nz')), 'a\nb\nc\n', 'x\ny\nz\nc\n'],
  ['two blocks', blocks(block('a', 'A'), block('c', 'C')), 'a\nb\nc\n', 'A\nb\nC\n'],
  ['two blocks, the later place first', blocks(block('c', 'C'), block('a', 'A')), 'a\nb\nc\n', 'A\nb\nC\n'],
  ['nothing behind the divider', blocks(block('b', '')), 'a\nb\nc\n', 'a\nc\n'],
  ['markers of five characters', blocks(block('b', 'B', 5)), 'a\nb\n', 'a\nB\n'],
  ['markers of nine characters', blocks(block('b', 'B', 9)), 'a\nb\n', 'a\nB\n'],
  [
    'prose around a block',
    blocks('Here it is:', block('b', 'B'), 'Done.'),
    'a\nb\n',
    'a\nB\n',
    instead('PATCH_SYNTAX', 'a line that belongs to no block may be one that lost its marker'),
  ],
  ['a fence around a block', blocks('```', block('b', 'B'), '```'), 'a\nb\n', 'a\nB\n'],
  ['no end marker', { blocks: '<<<<<<< SEARCH\nb\n=======\nB' }, 'a\nb\n', null],
  ['no divider', { blocks: '<<<<<<< SEARCH\nb\n>>>>>>> REPLACE' }, 'a\nb\n', null],
  ['no block', { blocks: 'replace b by B' }, 'a\nb\n', null],
  ['lines that are not there', blocks(block('z', 'Z')), 'a\nb\n', null],
  ['a part of a line', blocks(block('b', 'B')), 'abc\n', null],
  ['the first of two', blocks(block('a', 'A')), 'a\na\n', 'A\na\n', NO_GUESS],
  ['all with other indentation', blocks(block('x\ny', 'z')), '  x\n  y\n', '  z\n', LOOSE_PATCH],
  ['an empty first line that the file lacks', blocks(block('\nb', 'B')), 'a\nb\n', 'a\nB\n', LOOSE_PATCH],
  [
    'an ellipsis for lines in between',
    blocks(block('a\n...\nc', 'A\n...\nC')),
    'a\nb\nc\n',
    'A\nb\nC\n',
    LOOSE_PATCH,
  ],
  [
    'one block of two that fits',
    blocks(block('a', 'A'), block('z', 'Z')),
    'a\nb\n',
    'A\nb\n',
    instead('PATCH_FAILED', 'all blocks or none'),
  ],
  ['a file with CRLF', blocks(block('b', 'B')), 'a\r\nb\r\n', 'a\r\nB\r\n'],
  [
    'no final newline',
    blocks(block('b', 'B')),
    'a\nb',
    'a\nB\n',
    instead('done', 'a file without a final newline stays one'),
  ],
  ['the same lines', blocks(block('a', 'a')), 'a\n', null],
];

export const AIDER: readonly UpstreamCase[] = rows('aider', 'search_replace', BLOCKS);
