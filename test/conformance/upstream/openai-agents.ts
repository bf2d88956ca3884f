/** The one-file form of openai-agents-js (`applyDiff`); its own examples are in v4a-one-file.json. */

import { BLANKS, instead, NO_GUESS, type Row, rows, type UpstreamCase } from './case.ts';

const diff = (...lines: string[]): Record<string, unknown> => ({ diff: lines.join('\n') });
const made = (...lines: string[]): Record<string, unknown> => ({
  ...diff(...lines),
  operation: 'create_file',
});

const NOWHERE = instead('PATCH_SYNTAX', 'nothing says where: theirs puts the lines at the top');
const NO_ANCHOR = instead('PATCH_FAILED', 'theirs goes on without an anchor that is not there');
const CUT = instead('PATCH_SYNTAX', 'theirs drops the rest of the text and reports success');

const UPDATES: readonly Row[] = [
  ['numbers behind @@', diff('@@ -1,2 +1,2 @@', ' one', '-two', '+2'), 'one\ntwo\n', 'one\n2\n'],
  ['an anchor that is not there', diff('@@ nope', '-a', '+b'), 'a\n', 'b\n', NO_ANCHOR],
  ['an addition without a place', diff('+x'), 'a\n', 'x\na\n', NOWHERE],
  ['an addition behind an anchor', diff('@@ a', '+x'), 'a\nb\n', 'a\nx\nb\n'],
  ['one anchor of two that is not there', diff('@@ a', '@@ nope', '-b', '+B'), 'a\nb\n', null],
  ['an anchor and a bare @@', diff('@@ a', '@@', '-b', '+B'), 'a\nb\n', 'a\nB\n'],
  ['a bare @@ under an anchor that is not there', diff('@@ nope', '@@', '-b', '+B'), 'a\nb\n', null],
  [
    'anchors that narrow the place',
    diff('@@ B', '@@  f', '-x', '+y'),
    'A\n f\nx\nB\n f\nx\n',
    'A\n f\nx\nB\n f\ny\n',
  ],
  [
    'an anchor with other indentation',
    diff('@@ f', '-x', '+y'),
    '  f\nx\n',
    '  f\ny\n',
    instead('PATCH_FAILED', 'an anchor is a whole line, with its blanks: the refusal has it'),
  ],
  ['the first of several places', diff('@@', '-x', '+y'), 'x\nx\n', 'y\nx\n', NO_GUESS],
  [
    'an anchor before the hunk above',
    diff('@@ b', '-c', '+C', '@@ a', '-d', '+D'),
    'a\nb\nc\nd\n',
    'a\nb\nC\nD\n',
  ],
  ['a context that is not there', diff('@@', ' z', '-a', '+A'), 'a\n', null],
  ['blanks behind a line of the file', diff('@@', '-a', '+A'), 'a  \n', 'A\n', BLANKS],
  [
    'other indentation',
    diff('@@', '-a', '+A'),
    '  a\n',
    'A\n',
    instead('PATCH_FAILED', 'a line is meant with its indentation'),
  ],
  ['an empty line as context', diff(' a', '', '-b', '+B'), 'a\n\nb\n', 'a\n\nB\n'],
  [
    'the end of the file, of two places',
    diff('@@', ' x', '-y', '+z', '*** End of File'),
    'x\ny\nx\ny\n',
    'x\nz\nx\ny\n',
    instead(
      'done',
      'the place at the end is meant; theirs edits the first one where the file ends with a newline',
    ),
  ],
  [
    'the end of the file, the place is before it',
    diff('@@', '-a', '+A', '*** End of File'),
    'a\nb\n',
    'A\nb\n',
    instead('PATCH_FAILED', 'the patch says where it ends, and it is not there'),
  ],
  [
    'a file that follows in the text',
    diff('@@', '-a', '+A', '*** Update File: g.txt', '@@', '-b', '+B'),
    'a\nb\n',
    'A\nb\n',
    CUT,
  ],
  [
    'an end marker in the text',
    diff('@@', '-a', '+A', '*** End Patch', '@@', '-b', '+B'),
    'a\nb\n',
    'A\nb\n',
    CUT,
  ],
  [
    'an empty text',
    diff(''),
    'a\n',
    'a\n',
    instead('PATCH_SYNTAX', 'a patch without a hunk does nothing, which is said'),
  ],
  [
    'context alone',
    diff('@@', ' a'),
    'a\n',
    'a\n',
    instead('NO_CHANGE', 'nothing would change, which is said'),
  ],
  [
    'lines added to a file with CRLF',
    diff('@@ a', '+x'),
    'a\r\nb\r\n',
    'a\r\nx\nb\r\n',
    instead('done', 'a line that is put in takes the end of its place'),
  ],
  ['a line replaced in a file with CRLF', diff('@@', '-a', '+A'), 'a\r\nb\r\n', 'A\r\nb\r\n'],
  ['no final newline', diff('@@', ' a', '-b', '+B'), 'a\nb', 'a\nB'],
  [
    'a byte order mark',
    diff('@@', '-a', '+A'),
    '\ufeffa\n',
    'A\n',
    instead('done', 'the mark stays; theirs loses it'),
  ],
  ['a line without a mark', diff('@@', 'a', '+A'), 'a\n', null],
  ['a line that begins with ***', diff('@@', '-a', '*** what', '+A'), 'a\n', null],
];

const MADE: readonly Row[] = [
  ['a new file', made('+a', '+b'), '', 'a\nb'],
  ['a new file that ends with a newline', made('+a', '+'), '', 'a\n'],
  ['a new file, a line lacks its mark', made('+a', 'b'), '', null],
  ['a new file with an empty line', made('+a', '+', '+b'), '', 'a\n\nb'],
];

const newFile = (one: UpstreamCase): UpstreamCase => ({ ...one, before: {} });

export const OPENAI_AGENTS: readonly UpstreamCase[] = [
  ...rows('openai-agents', 'apply_patch', UPDATES),
  ...rows('openai-agents', 'apply_patch', MADE).map(newFile),
];
