/** Line edits, and exact texts. */

import { instead, type Row } from '../case.ts';

const CLAMPED = instead(
  'LINE_OUT_OF_RANGE',
  'theirs takes another line than the one that is named, and says nothing',
);

export const LINES: readonly Row[] = [
  ['lines of a range', { edits: [{ from: 2, to: 3, content: 'x\n' }] }, 'a\nb\nc\nd\n', 'a\nx\nd\n'],
  ['an insertion before a line', { edits: [{ from: 2, content: 'x\n' }] }, 'a\nb\n', 'a\nx\nb\n'],
  ['a deletion of lines', { edits: [{ from: 1, to: 1 }] }, 'a\nb\n', 'b\n'],
  ['a deletion by an empty text', { edits: [{ from: 1, to: 1, content: '' }] }, 'a\nb\n', 'b\n'],
  [
    'numbers of the file as it was',
    {
      edits: [
        { from: 1, content: 'x\n' },
        { from: 2, to: 2, content: 'y\n' },
      ],
    },
    'a\nb\n',
    'x\na\ny\n',
  ],
  [
    'edits in any order',
    {
      edits: [
        { from: 3, to: 3, content: 'C\n' },
        { from: 1, to: 1, content: 'A\n' },
      ],
    },
    'a\nb\nc\n',
    'A\nb\nC\n',
  ],
  [
    'edits that overlap',
    {
      edits: [
        { from: 1, to: 2, content: 'x\n' },
        { from: 2, to: 3, content: 'y\n' },
      ],
    },
    'a\nb\nc\n',
    null,
  ],
  ['an insertion at the end', { edits: [{ from: 3, content: 'c\n' }] }, 'a\nb\n', 'a\nb\nc\n'],
  ['a line past the end', { edits: [{ from: 9, to: 9, content: 'x\n' }] }, 'a\n', 'a\nx\n', CLAMPED],
  ['line zero', { edits: [{ from: 0, content: 'x\n' }] }, 'a\n', null],
  [
    'an end before the start',
    { edits: [{ from: 2, to: 1, content: 'x\n' }] },
    'a\nb\n',
    'a\nx\nb\n',
    CLAMPED,
  ],
  ['no edits', { edits: [] }, 'a\n', null],
  ['numbers in quotes', { edits: [{ from: '1', to: '1', content: 'x\n' }] }, 'a\nb\n', 'x\nb\n'],
  ['a content without a line end', { edits: [{ from: 1, to: 1, content: 'x' }] }, 'a\nb\n', 'x\nb\n'],
  [
    'a range that ends past the end',
    { edits: [{ from: 2, to: 100, content: 'x\n' }] },
    'a\nb\nc\n',
    'a\nx\nx\n',
    CLAMPED,
  ],
  ['a deletion that ends past the end', { edits: [{ from: 2, to: 100 }] }, 'a\nb\nc\n', 'a\n', CLAMPED],
  ['all lines', { edits: [{ from: 1, to: 3, content: 'x\n' }] }, 'a\nb\nc\n', 'x\n'],
  [
    'an insertion into a range that goes',
    {
      edits: [
        { from: 1, to: 3, content: 'A' },
        { from: 2, content: 'B' },
      ],
    },
    'a\nb\nc\n',
    null,
  ],
  [
    'an insertion before a range',
    {
      edits: [
        { from: 2, to: 3, content: 'A' },
        { from: 2, content: 'B' },
      ],
    },
    'a\nb\nc\n',
    'a\nB\nA\n',
  ],
  [
    'an insertion behind a range',
    {
      edits: [
        { from: 1, to: 2, content: 'A' },
        { from: 3, content: 'B' },
      ],
    },
    'a\nb\nc\n',
    'A\nB\nc\n',
  ],
  [
    'two insertions at one place',
    {
      edits: [
        { from: 2, content: 'x' },
        { from: 2, content: 'y' },
      ],
    },
    'a\nb\n',
    'a\nx\ny\nb\n',
  ],
  [
    'neither an end nor a content',
    { edits: [{ from: 2 }] },
    'a\nb\n',
    'a\nb\n',
    instead('INVALID_INPUT', 'nothing is asked for, which theirs counts as an edit'),
  ],
  ['an edit that is a text', { edits: ['x'] }, 'a\n', null],
  ['a line that is no number', { edits: [{ from: 'abc', content: 'x' }] }, 'a\n', null],
  [
    'an insertion at the end of a file without a newline',
    { edits: [{ from: 3, content: 'c\n' }] },
    'a\nb',
    'a\nbc\n',
    instead('done', 'a line is a line of its own; theirs joins it to the last one'),
  ],
  [
    'the last line of a file without a newline',
    { edits: [{ from: 2, to: 2, content: 'c' }] },
    'a\nb',
    'a\nc\n',
    instead('done', 'a file without a final newline stays one'),
  ],
  [
    'a file with CRLF',
    { edits: [{ from: 1, to: 1, content: 'x\n' }] },
    'a\r\nb\r\n',
    'x\nb\n',
    instead('done', 'line ends of the file stay; theirs makes them LF'),
  ],
  [
    'a byte order mark',
    { edits: [{ from: 1, to: 1, content: 'x\n' }] },
    '\ufeffa\nb\n',
    'x\nb\n',
    instead('done', 'the mark stays; theirs loses it'),
  ],
  ['an insertion into an empty file', { edits: [{ from: 1, content: 'x\n' }] }, '', 'x\n'],
];

export const TEXTS: readonly Row[] = [
  ['an exact text', { old_str: 'draft', new_str: 'final' }, 'a draft\n', 'a final\n'],
  ['an exact text that is there twice', { old_str: 'a', new_str: 'b' }, 'a a\n', null],
  ['an exact text that is not there', { old_str: 'z', new_str: 'b' }, 'a\n', null],
  ['an empty old text', { old_str: '', new_str: 'b' }, 'a\n', null],
  ['an exact text of several lines', { old_str: 'a\nb', new_str: 'c' }, 'a\nb\nd\n', 'c\nd\n'],
  ['the same text', { old_str: 'a', new_str: 'a' }, 'a\n', null],
];
