/** opencode's `edit` (versions 1 and 2, packages/opencode/src/tool/edit.ts and its tests). */

import { instead, NOT_EXACT, type Row, replace, rows, type UpstreamCase } from './case.ts';

const EDITS: readonly Row[] = [
  ['one place', replace('old content', 'new content'), 'old content here\n', 'new content here\n'],
  [
    'names of fields as they are there',
    { filePath: 'f.txt', path: undefined, oldString: 'a', newString: 'b' },
    'a\n',
    'b\n',
  ],
  [
    'all places, when asked',
    { filePath: 'f.txt', path: undefined, oldString: 'foo', newString: 'qux', replaceAll: true },
    'foo bar foo\n',
    'qux bar qux\n',
  ],
  ['two places without that', replace('foo', 'qux'), 'foo bar foo\n', null],
  ['places that overlap', replace('aa', 'b'), 'aaa\n', null],
  ['no place', replace('nothing', 'x'), 'a\n', null],
  ['the same text', replace('same', 'same'), 'same\n', null],
  ['an empty old text', replace('', 'x'), 'a\n', null],
  [
    'several lines',
    replace('line2', 'new line 2\nextra line'),
    'line1\nline2\nline3',
    'line1\nnew line 2\nextra line\nline3',
  ],
  ['a file with CRLF, a text with LF', replace('line1\nline2', 'x\ny'), 'line1\r\nline2\r\n', 'x\r\ny\r\n'],
  ['a text with CRLF, a file with LF', replace('line1\r\nline2', 'x\r\ny'), 'line1\nline2\n', 'x\ny\n'],
  ['bytes around it stay', replace('b', 'B'), 'a\r\nb\nc', 'a\r\nB\nc'],
  ['a byte order mark stays', replace('a', 'b'), '\ufeffa\n', '\ufeffb\n'],
  ['lines with other indentation', replace('x\ny', 'z'), '  x\n  y\n', '  z\n', NOT_EXACT],
  [
    'first and last line of a block alone',
    replace('begin\nwhatever\nend', 'z'),
    'begin\nthe real text\nend\n',
    'z\n',
    NOT_EXACT,
  ],
  ['escapes that were meant as characters', replace('a\\nb', 'z'), 'a\nb\n', 'z\n', NOT_EXACT],
  ['blanks around the text', replace('  a  ', 'z'), 'a\n', 'z\n', NOT_EXACT],
  ['blanks inside that differ', replace('a   b', 'z'), 'a b\n', 'z\n', NOT_EXACT],
  [
    'a dollar in the new text, all places',
    replace('a', '$&', { replace_all: true }),
    'a a\n',
    'a a\n',
    instead('done', 'all characters are plain; theirs expands $&'),
  ],
];

export const OPENCODE: readonly UpstreamCase[] = rows('opencode', 'str_replace', EDITS);
