/** Anthropic's memory tool: its documents, and the tests of the SDK's own store (tests/lib/tools). */

import { type Call, type Instead, instead, type Texts, type UpstreamStory } from './case.ts';

type StoryRow = readonly [
  name: string,
  before: Texts,
  calls: ReadonlyArray<Record<string, unknown>>,
  after: Texts | null,
  says?: RegExp | undefined,
  instead?: Instead,
];

const m = (name: string): string => `/memories/${name}`;
const has = (files: Texts): Texts =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`memories/${name}`, text]));
const create = (path: string, file_text: string): Record<string, unknown> => ({
  command: 'create',
  path,
  file_text,
});
const view = (path: string, more: object = {}): Record<string, unknown> => ({
  command: 'view',
  path,
  ...more,
});
const replace = (path: string, old_str: string, new_str: string): Record<string, unknown> => ({
  command: 'str_replace',
  path,
  old_str,
  new_str,
});
const insert = (path: string, insert_line: number, insert_text: string): Record<string, unknown> => ({
  command: 'insert',
  path,
  insert_line,
  insert_text,
});
const remove = (path: string): Record<string, unknown> => ({ command: 'delete', path });
const rename = (old_path: string, new_path: string): Record<string, unknown> => ({
  command: 'rename',
  old_path,
  new_path,
});
const THREE = has({ 'f.txt': 'one\ntwo\nthree\n' });
const TWO = has({ 'f.txt': 'one\ntwo' });

const CREATES: readonly StoryRow[] = [
  ['a file', {}, [create(m('a.txt'), 'hello')], has({ 'a.txt': 'hello' })],
  [
    'a file in folders that are not there',
    {},
    [create(m('d/e/a.txt'), 'hello')],
    has({ 'd/e/a.txt': 'hello' }),
  ],
  ['a file over one', has({ 'a.txt': 'x' }), [create(m('a.txt'), 'y')], null, /exists already/],
  ['an empty file', {}, [create(m('a.txt'), '')], has({ 'a.txt': '' })],
  ['a file outside', {}, [create('/other/a.txt', 'x')], null, /\/memories/],
  ['a file by a way out', {}, [create('/memories/../../../etc/passwd', 'x')], null],
  ['a file beside, with the same beginning of its name', {}, [create('/memories_backup/a.txt', 'x')], null],
  ['a file below a file', has({ 'a.txt': 'x' }), [create(m('a.txt/b.txt'), 'y')], null],
];

const VIEWS: readonly StoryRow[] = [
  ['a file with line numbers', THREE, [view(m('f.txt'))], THREE, /1\tone\n +2\ttwo\n +3\tthree/],
  ['a range', THREE, [view(m('f.txt'), { view_range: [2, 3] })], THREE, /2\ttwo\n +3\tthree/],
  ['a range to the end', THREE, [view(m('f.txt'), { view_range: [2, -1] })], THREE, /3\tthree/],
  [
    'a range past the end',
    THREE,
    [view(m('f.txt'), { view_range: [7, 9] })],
    THREE,
    undefined,
    instead('LINE_OUT_OF_RANGE', 'theirs answers nothing without an error'),
  ],
  [
    'a range that is turned round',
    THREE,
    [view(m('f.txt'), { view_range: [3, 1] })],
    THREE,
    undefined,
    instead('LINE_OUT_OF_RANGE', 'theirs answers nothing without an error'),
  ],
  [
    'a folder',
    has({ 'd/a.txt': 'a', 'd/b.txt': 'b' }),
    [view(m('d'))],
    has({ 'd/a.txt': 'a', 'd/b.txt': 'b' }),
    /\/memories\/d\/a\.txt\n\/memories\/d\/b\.txt/,
  ],
  ['the folder of memories, empty', {}, [view('/memories')], {}, /empty/],
  ['a file that is not there', THREE, [view(m('none.txt'))], null, /\/memories\/none\.txt/],
  ['a path outside', THREE, [view('/etc/passwd')], null],
  [
    'a path to a folder beside',
    { 'memories_backup/s.txt': 's' },
    [view('/memories/../memories_backup/s.txt')],
    null,
  ],
];

const EDITS: readonly StoryRow[] = [
  ['a text', THREE, [replace(m('f.txt'), 'two', '2')], has({ 'f.txt': 'one\n2\nthree\n' })],
  [
    'a text of several lines',
    THREE,
    [replace(m('f.txt'), 'one\ntwo', '1')],
    has({ 'f.txt': '1\nthree\n' }),
    /1\t1/,
  ],
  [
    'a text with a dollar',
    THREE,
    [replace(m('f.txt'), 'two', '$& $$')],
    has({ 'f.txt': 'one\n$& $$\nthree\n' }),
  ],
  ['a text that is not there', THREE, [replace(m('f.txt'), 'nine', '9')], null, /does not occur/],
  [
    'a text that is there twice',
    has({ 'f.txt': 'a\nb\na\n' }),
    [replace(m('f.txt'), 'a', 'x')],
    null,
    /lines 1 and 3/,
  ],
  [
    'a text that is there twice in a line',
    has({ 'f.txt': 'a a\n' }),
    [replace(m('f.txt'), 'a', 'x')],
    has({ 'f.txt': 'x a\n' }),
    undefined,
    instead('AMBIGUOUS', 'theirs counts lines, and takes the first of two in one'),
  ],
  [
    'an empty text',
    has({ 'f.txt': 'a\n' }),
    [replace(m('f.txt'), '', 'x')],
    has({ 'f.txt': 'xa\n' }),
    undefined,
    instead('INVALID_INPUT', 'an empty text is everywhere'),
  ],
  [
    'the same text',
    THREE,
    [replace(m('f.txt'), 'two', 'two')],
    THREE,
    undefined,
    instead('NO_CHANGE', 'nothing would change, which is said'),
  ],
  ['a text of a file that is not there', THREE, [replace(m('none.txt'), 'a', 'b')], null],
  ['a text of a folder', has({ 'd/a.txt': 'a' }), [replace(m('d'), 'a', 'b')], null],
  [
    'a line, after a look',
    TWO,
    [view(m('f.txt')), insert(m('f.txt'), 1, 'x')],
    has({ 'f.txt': 'one\nx\ntwo' }),
  ],
  ['a line at the top', TWO, [view(m('f.txt')), insert(m('f.txt'), 0, 'x')], has({ 'f.txt': 'x\none\ntwo' })],
  ['a line at the end', TWO, [view(m('f.txt')), insert(m('f.txt'), 2, 'x')], has({ 'f.txt': 'one\ntwo\nx' })],
  [
    'a line into a file that was just made',
    {},
    [create(m('f.txt'), 'one\ntwo'), insert(m('f.txt'), 1, 'x')],
    has({ 'f.txt': 'one\nx\ntwo' }),
  ],
  [
    'a line past the end',
    TWO,
    [view(m('f.txt')), insert(m('f.txt'), 9, 'x')],
    null,
    /0 <= insert_line <= 2|0.*2/,
  ],
  [
    'a line at half a number',
    TWO,
    [view(m('f.txt')), insert(m('f.txt'), 1.5, 'x')],
    has({ 'f.txt': 'one\nx\ntwo' }),
    undefined,
    instead('INVALID_INPUT', 'a place is a whole number'),
  ],
  [
    'a line into a file with CRLF',
    has({ 'f.txt': 'a\r\nb\r\n' }),
    [view(m('f.txt')), insert(m('f.txt'), 1, 'x')],
    has({ 'f.txt': 'a\r\nx\nb\r\n' }),
    undefined,
    instead('done', 'a line that is put in takes the end of its place'),
  ],
  [
    'a line without a look',
    TWO,
    [insert(m('f.txt'), 1, 'x')],
    has({ 'f.txt': 'one\nx\ntwo' }),
    undefined,
    instead('NOT_VIEWED', 'a line number is a claim about a version: somebody else may have moved the lines'),
  ],
  ['a line into a file that is not there', TWO, [insert(m('none.txt'), 0, 'x')], null],
];

const FILES: readonly StoryRow[] = [
  ['a file is deleted', has({ 'a.txt': 'a', 'b.txt': 'b' }), [remove(m('a.txt'))], has({ 'b.txt': 'b' })],
  [
    'a folder is deleted',
    has({ 'd/a.txt': 'a', 'd/e/b.txt': 'b', 'c.txt': 'c' }),
    [remove(m('d'))],
    has({ 'c.txt': 'c' }),
  ],
  ['a file that is not there is deleted', THREE, [remove(m('none.txt'))], null],
  ['the folder of memories is deleted', THREE, [remove('/memories')], null, /\/memories itself stays/],
  [
    'the folder of memories is deleted, with a slash',
    THREE,
    [remove('/memories/')],
    null,
    /\/memories itself stays/,
  ],
  ['a file is renamed', has({ 'a.txt': 'a' }), [rename(m('a.txt'), m('b.txt'))], has({ 'b.txt': 'a' })],
  [
    'a file is moved into a new folder',
    has({ 'a.txt': 'a' }),
    [rename(m('a.txt'), m('d/e/b.txt'))],
    has({ 'd/e/b.txt': 'a' }),
  ],
  [
    'a folder is renamed',
    has({ 'd/a.txt': 'a', 'd/b.txt': 'b' }),
    [rename(m('d'), m('e'))],
    has({ 'e/a.txt': 'a', 'e/b.txt': 'b' }),
  ],
  [
    'a file is renamed onto another',
    has({ 'a.txt': 'a', 'b.txt': 'b' }),
    [rename(m('a.txt'), m('b.txt'))],
    null,
    /exists already/,
  ],
  ['a file that is not there is renamed', THREE, [rename(m('none.txt'), m('b.txt'))], null],
  ['a file is moved out', has({ 'a.txt': 'a' }), [rename(m('a.txt'), '/etc/a.txt')], null],
  ['the folder of memories is renamed', THREE, [rename('/memories', m('x'))], null],
  [
    'an unknown command',
    THREE,
    [{ command: 'append', path: m('f.txt'), text: 'x' }],
    null,
    /view, create, str_replace, insert, delete, rename/,
  ],
  ['a command without a path', THREE, [{ command: 'view' }], null],
];

export const MEMORY_TOOL: readonly UpstreamStory[] = [...CREATES, ...VIEWS, ...EDITS, ...FILES].map(
  ([name, before, calls, after, says, other]) => ({
    from: 'Anthropic memory tool',
    name,
    before,
    calls: calls.map((input): Call => ({ tool: 'memory', input })),
    after,
    ...(says ? { says } : {}),
    ...(other ? { instead: other } : {}),
  }),
);
