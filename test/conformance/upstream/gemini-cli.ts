/** Gemini CLI's `replace` (packages/core/src/tools/edit.ts and its tests). */

import { instead, KEPT, NOT_EXACT, type Row, replace, rows, type UpstreamCase } from './case.ts';

const NO_FILE_MADE = instead(
  'INVALID_INPUT',
  'a file is made by create alone, so that a lost old text makes none',
);

const REPLACES: readonly Row[] = [
  ['one place', replace('old', 'new'), 'the old one\n', 'the new one\n'],
  ['all places, when asked', replace('old', 'new', { allow_multiple: true }), 'old old\n', 'new new\n'],
  ['two places without that', replace('old', 'new'), 'old old\n', null],
  ['no place', replace('none', 'new'), 'old\n', null],
  ['no place, all asked for', replace('none', 'new', { allow_multiple: true }), 'old\n', null],
  ['the same text', replace('old', 'old'), 'old\n', null],
  ['a dollar sign in the new text', replace('a', '$&$1'), 'a\n', '$&$1\n'],
  ['dollars, all places', replace('a', "$$ $' $`", { allow_multiple: true }), 'a a\n', "$$ $' $` $$ $' $`\n"],
  ['several lines', replace('a\nb\n', 'x\ny\nz\n'), 'a\nb\nc\n', 'x\ny\nz\nc\n'],
  ['a deletion', replace('b\n', ''), 'a\nb\nc\n', 'a\nc\n'],
  ['a file with CRLF, an old text with LF', replace('a\nb', 'x\ny'), 'a\r\nb\r\nc\r\n', 'x\r\ny\r\nc\r\n'],
  [
    'names of fields as they are there',
    { file_path: 'f.txt', path: undefined, old_string: 'a', new_string: 'b' },
    'a\n',
    'b\n',
  ],
  [
    'an instruction beside the texts',
    replace('a', 'b', { instruction: 'say b' }),
    'a\n',
    'b\n',
    instead('INVALID_INPUT', 'there is a field for that, which the refusal names: reason'),
  ],
  ['an empty old text for a file that is there', replace('', 'x'), 'a\n', null],
  [
    'other indentation',
    replace('if x:\n  y()', 'if z:\n  y()'),
    '  if x:\n    y()\n',
    '  if z:\n    y()\n',
    NOT_EXACT,
  ],
  ['other blanks inside', replace('a  =  1', 'a = 2'), 'a = 1\n', 'a = 2\n', NOT_EXACT],
  ['blanks around brackets', replace('f( x )', 'g(x)'), 'f(x)\n', 'g(x)\n', NOT_EXACT],
  [
    'a letter that differs',
    replace('const timeout = 2000;', 'const timeout = 3;'),
    'const timeout = 1000;\n',
    'const timeout = 3;\n',
    NOT_EXACT,
  ],
  [
    'curly quotes for straight ones',
    replace('say “hello there”', 'x'),
    'say "hello there"\n',
    'x\n',
    NOT_EXACT,
  ],
  ['decomposed letters', replace('cafe\u0301', 'x'), 'caf\u00e9\n', null],
  [
    'two of three overlapping',
    replace('aa', 'X'),
    'aaa\n',
    'Xa\n',
    instead('AMBIGUOUS', 'the two places overlap: which one is meant is not said'),
  ],
  ['blanks alone for an empty line', replace('   \n', 'x\n'), 'a\n\nb\n', 'a\nx\nb\n', NOT_EXACT],
  [
    'a placeholder for code',
    replace('b();', '// ... existing code ...'),
    'a();\nb();\n',
    null,
    instead('done', 'it may be meant: the answer notes it, and undo takes it back'),
  ],
  [
    'a placeholder for methods',
    replace('b();', '// (rest of methods ...)'),
    'a();\nb();\n',
    null,
    instead('done', 'it may be meant: the answer notes it, and undo takes it back'),
  ],
  [
    'a final newline that is added',
    replace('a', 'a\n'),
    'a',
    'a',
    instead('done', 'it was asked for; theirs reports a replacement and changes nothing'),
  ],
  [
    'a final newline that is taken away',
    replace('a\n', 'a'),
    'a\n',
    'a\n',
    instead('done', 'it was asked for; theirs reports a replacement and changes nothing'),
  ],
  [
    'the only line, deleted',
    replace('a\n', ''),
    'a\n',
    '\n',
    instead('done', 'the text is deleted, its line end too; theirs puts one back'),
  ],
  [
    'mixed line ends around the place',
    replace('b', 'x'),
    'a\r\nb\nc\n',
    'a\r\nx\r\nc\r\n',
    instead('done', 'lines that nobody edited keep their ends'),
  ],
];

const MADE: readonly UpstreamCase[] = [
  {
    from: 'Gemini CLI',
    name: 'a new file by write_file',
    edit: 'create',
    input: { path: 'n.txt', content: 'x\n' },
    before: {},
    after: { 'n.txt': 'x\n' },
  },
  {
    from: 'Gemini CLI',
    name: 'a file written over by write_file',
    edit: 'create',
    input: { path: 'n.txt', content: 'y\n' },
    before: { 'n.txt': 'x\n' },
    after: { 'n.txt': 'y\n' },
    instead: KEPT,
  },
  {
    from: 'Gemini CLI',
    name: 'an empty old text for a file that is not there',
    edit: 'str_replace',
    input: { path: 'n.txt', old_str: '', new_str: 'x\n' },
    before: {},
    after: { 'n.txt': 'x\n' },
    instead: NO_FILE_MADE,
  },
  {
    from: 'Gemini CLI',
    name: 'a file that is not there',
    edit: 'str_replace',
    input: { path: 'n.txt', old_str: 'a', new_str: 'b' },
    before: {},
    after: null,
  },
];

export const GEMINI_CLI: readonly UpstreamCase[] = [...rows('Gemini CLI', 'str_replace', REPLACES), ...MADE];
