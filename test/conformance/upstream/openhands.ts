/** OpenHands' file editor (openhands-aci and its tests), whose commands are those of Anthropic's text editor. */

import { type Call, type Instead, instead, type Texts, type UpstreamStory } from './case.ts';

type StoryRow = readonly [
  name: string,
  before: Texts,
  calls: ReadonlyArray<Record<string, unknown>>,
  after: Texts | null,
  says?: RegExp | undefined,
  instead?: Instead,
];

const f = (text: string): Texts => ({ 'f.txt': text });
const path = 'f.txt';
const view = (more: object = {}): Record<string, unknown> => ({ command: 'view', path, ...more });
const replace = (old_str: unknown, new_str: unknown): Record<string, unknown> => ({
  command: 'str_replace',
  path,
  old_str,
  new_str,
});
const insert = (insert_line: unknown, new_str: unknown): Record<string, unknown> => ({
  command: 'insert',
  path,
  insert_line,
  new_str,
});
const undo: Record<string, unknown> = { command: 'undo_edit', path };
const TWO = 'This is a test file.\nThis file is for testing purposes.';
const THREE = 'line 1\nline 2\nline 3\n';

const NAMED = instead('INVALID_INPUT', 'an empty text is everywhere');
const LINE_ENDS = 'line ends of the file stay as they are; theirs makes all of them LF';

const REPLACES: readonly StoryRow[] = [
  [
    'one place',
    f(TWO),
    [replace('test file', 'sample file')],
    f(TWO.replace('test file', 'sample file')),
    /1\tThis is a sample file\./,
  ],
  [
    'several lines',
    f(TWO),
    [replace(TWO, 'This is a sample file.\nThis file is for testing purposes.')],
    f('This is a sample file.\nThis file is for testing purposes.'),
  ],
  [
    'several lines with tabs',
    f('def test():\n\tprint("Hello, World!")'),
    [replace('def test():\n\tprint("Hello, World!")', 'def test():\n\tprint("Hello, Universe!")')],
    f('def test():\n\tprint("Hello, Universe!")'),
  ],
  [
    'tabs in both texts',
    f('no tabs\n\tindented\nline\twith\ttabs\n'),
    [replace('line\twith\ttabs', 'new\tline')],
    f('no tabs\n\tindented\nnew\tline\n'),
  ],
  ['no place', f(TWO), [replace('Non-existent Line', 'x')], null, /does not occur/],
  ['two places', f(TWO), [replace('test', 'sample')], null, /lines 1 and 2/],
  [
    'two places of several lines',
    f('def a():\n  x\n\n1\n2\n3\ndef a():\n  x\n'),
    [replace('def a():\n  x', 'def b():\n  x')],
    null,
    /lines 1 and 7|lines 1-2 and 7-8|1.*7/,
  ],
  [
    'two places, texts as they are',
    f('line 1\nline 2\n'),
    [replace('line', 'new_line')],
    null,
    /lines 1 and 2/,
  ],
  [
    'nothing for a line',
    f('Line 1\nLine to remove\nLine 3'),
    [replace('Line to remove\n', '')],
    f('Line 1\nLine 3'),
  ],
  ['everything is taken away', f(TWO), [replace(TWO, '')], f('')],
  ['an empty old text', f('Line 1\nLine 2\nLine 3'), [replace('', 'x')], null, undefined, NAMED],
  ['no old text', f(TWO), [{ command: 'str_replace', path, new_str: 'x' }], null, /old_str/],
  ['an old text that is null', f(TWO), [replace(null, 'x')], null, /old_str/],
  ['the same text', f(TWO), [replace('test file', 'test file')], null],
  ['no new text', f('a\nb\n'), [{ command: 'str_replace', path, old_str: 'a\n' }], f('b\n')],
  [
    'blanks around an old text that the file lacks',
    f('a\n'),
    [replace('  a  ', 'b')],
    f('b\n'),
    undefined,
    instead('NO_MATCH', 'theirs strips both texts and tries again: only the exact text is replaced'),
  ],
  [
    'two of three overlapping',
    f('aaa\n'),
    [replace('aa', 'X')],
    f('Xa\n'),
    undefined,
    instead('AMBIGUOUS', 'the two places overlap: which one is meant is not said'),
  ],
  [
    'a file with CRLF',
    f('a\r\nb\r\nc\r\n'),
    [replace('b', 'B')],
    f('a\nB\nc\n'),
    undefined,
    instead('done', LINE_ENDS),
  ],
  ['an old text with CRLF', f('a\r\nb\r\n'), [replace('a\r\nb', 'x')], f('x\r\n'), undefined],
  ['Chinese text', f('中文文本\n'), [replace('文本', '文字')], f('中文文字\n')],
  ['an old text with line numbers of a view', f(THREE), [replace('     2\tline 2', 'x')], null],
  [
    'a file that is not there',
    f(TWO),
    [{ command: 'str_replace', path: 'none.txt', old_str: 'a', new_str: 'b' }],
    null,
  ],
  [
    'a folder',
    { 'd/f.txt': 'a' },
    [{ command: 'str_replace', path: 'd', old_str: 'something', new_str: 'new' }],
    null,
    /folder/,
  ],
];

const INSERTS: readonly StoryRow[] = [
  [
    'a line, after a look',
    f(TWO),
    [view(), insert(1, 'Inserted line')],
    f('This is a test file.\nInserted line\nThis file is for testing purposes.'),
  ],
  ['a line at the top', f(TWO), [view(), insert(0, '中文文本')], f(`中文文本\n${TWO}`)],
  [
    'a line with tabs',
    f('no tabs\nx\n'),
    [view(), insert(1, '\tindented\tline')],
    f('no tabs\n\tindented\tline\nx\n'),
  ],
  [
    'an empty text',
    f('a\nb\n'),
    [view(), insert(1, '')],
    f('a\n\nb\n'),
    undefined,
    instead('NO_CHANGE', 'nothing is no line: the refusal says how to put in an empty one'),
  ],
  [
    'a text that ends with a newline',
    f('a\nb\n'),
    [view(), insert(1, 'x\n')],
    f('a\nx\n\nb\n'),
    undefined,
    instead('done', 'the newline ends the line; theirs adds an empty one'),
  ],
  [
    'a line at the end of a file without a newline',
    f('a\nb'),
    [view(), insert(2, 'X')],
    f('a\nbX\n'),
    undefined,
    instead('done', 'a line is a line of its own; theirs joins it to the last one'),
  ],
  ['a line past the end', f(TWO), [view(), insert(10, 'x')], null, /0.*2/],
  ['a line before the top', f(THREE), [view(), insert(-1, 'x')], null],
  ['a text that is null', f(TWO), [view(), insert(1, null)], null],
  ['no line', f(TWO), [{ command: 'insert', path, new_str: 'x' }], null, /insert_line|before_line/],
  [
    'a line without a look',
    f(TWO),
    [insert(1, 'x')],
    f('This is a test file.\nx\nThis file is for testing purposes.'),
    undefined,
    instead('NOT_VIEWED', 'a line number is a claim about a version: somebody else may have moved the lines'),
  ],
];

const OTHERS: readonly StoryRow[] = [
  ['a file is made', {}, [{ command: 'create', path, file_text: 'New file content' }], f('New file content')],
  ['an empty file is made', {}, [{ command: 'create', path, file_text: '' }], f('')],
  ['a file without a text is made', {}, [{ command: 'create', path, file_text: null }], null, /file_text/],
  ['a file is made over one', f(TWO), [{ command: 'create', path, file_text: 'x' }], null, /exists already/],
  [
    'a file is made in a folder that is not there',
    {},
    [{ command: 'create', path: 'd/f.txt', file_text: 'x' }],
    null,
    undefined,
    instead('done', 'missing folders are made'),
  ],
  [
    'a file is looked at',
    f(TWO),
    [view()],
    f(TWO),
    /1\tThis is a test file\.\n +2\tThis file is for testing purposes\./,
  ],
  ['a range is looked at', f(THREE), [view({ view_range: [2, 3] })], f(THREE), /2\tline 2\n +3\tline 3/],
  ['a range of one number', f(THREE), [view({ view_range: [1] })], null],
  ['a range that is turned round', f(THREE), [view({ view_range: [3, 1] })], null],
  ['a range that ends past the end', f(THREE), [view({ view_range: [1, 10] })], f(THREE), /3\tline 3/],
  ['a range that begins past the end', f(THREE), [view({ view_range: [9, 10] })], null],
  ['a file that is not there', f(TWO), [view({ path: 'none.txt' })], null],
  [
    'a folder is looked at',
    { 'd/a.txt': 'a', 'd/e/b.txt': 'b' },
    [view({ path: 'd' })],
    { 'd/a.txt': 'a', 'd/e/b.txt': 'b' },
    /d\/a\.txt\nd\/e\//,
  ],
  ['an edit is taken back', f(TWO), [replace('test file', 'sample file'), undo], f(TWO)],
  ['two edits are taken back', f(TWO), [replace('test file', 'v1'), replace('v1', 'v2'), undo, undo], f(TWO)],
  [
    'one edit of two is taken back',
    f(TWO),
    [replace('test file', 'v1'), replace('v1', 'v2'), undo],
    f(TWO.replace('test file', 'v1')),
  ],
  ['an insertion is taken back', f(THREE), [view(), insert(1, 'x'), undo], f(THREE)],
  ['there is nothing to take back', f(TWO), [undo], null],
  [
    'a new file is taken back',
    { 'g.txt': 'g' },
    [{ command: 'create', path, file_text: 'x' }, undo],
    { 'g.txt': 'g', ...f('x') },
    undefined,
    instead('done', 'the file goes again; theirs reports success and leaves it'),
  ],
  ['an unknown command', f(TWO), [{ command: 'destroy', path }], null, /view, str_replace, create, insert/],
];

export const OPENHANDS: readonly UpstreamStory[] = [...REPLACES, ...INSERTS, ...OTHERS].map(
  ([name, before, calls, after, says, other]) => ({
    from: 'OpenHands',
    name,
    before,
    calls: calls.map((input): Call => ({ tool: 'editor', input })),
    after,
    ...(says ? { says } : {}),
    ...(other ? { instead: other } : {}),
  }),
);
