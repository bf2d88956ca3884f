/** The reference MCP server of the file system (src/filesystem/lib.ts and its tests): `edit_file`, `write_file`, moves. */

import { type Call, type Instead, instead, type Texts, type UpstreamStory } from './case.ts';

type StoryRow = readonly [
  name: string,
  before: Texts,
  call: Call,
  after: Texts | null,
  says?: RegExp | undefined,
  instead?: Instead,
];

const f = (text: string): Texts => ({ 'f.txt': text });
const LINES = 'line1\nline2\nline3\n';

/** Their `edits`, in order, each on what the one before leaves. */
const edits = (...pairs: ReadonlyArray<readonly [string, string]>): Call => ({
  tool: 'change',
  input: {
    edits: pairs.map(([old_str, new_str]) => ({ edit: 'str_replace', path: 'f.txt', old_str, new_str })),
  },
});
const preview = (old_str: string, new_str: string): Call => ({
  tool: 'preview',
  input: { path: 'f.txt', old_str, new_str },
});
const tool = (name: string, input: Record<string, unknown>): Call => ({ tool: name, input });

const NOT_EXACT = instead(
  'NO_MATCH',
  'theirs compares lines without the blanks around them, and indents the new text by guess',
);
const FIRST = instead('AMBIGUOUS', 'theirs takes the first place: an edit is never applied to a guess');
const NOTHING = instead('NO_CHANGE', 'nothing would change, which is said');

const STORIES: readonly StoryRow[] = [
  ['one text', f(LINES), edits(['line2', 'modified line2']), f('line1\nmodified line2\nline3\n')],
  [
    'dollars are plain',
    f(LINES),
    edits(['line2', "price=$$; match=$&; before=$`; after=$'"]),
    f("line1\nprice=$$; match=$&; before=$`; after=$'\nline3\n"),
  ],
  [
    'a dry run shows the new text and writes nothing',
    f(LINES),
    preview('line2', 'modified line2'),
    f(LINES),
    /\n-line2\n\+modified line2/,
  ],
  [
    'two edits',
    f(LINES),
    edits(['line1', 'first line'], ['line3', 'third line']),
    f('first line\nline2\nthird line\n'),
  ],
  ['an edit of what the one before made', f('a\n'), edits(['a', 'b'], ['b', 'c']), f('c\n')],
  [
    'a text within indented lines',
    f('  line1\n    line2\n  line3\n'),
    edits(['line2', 'modified line2']),
    f('  line1\n    modified line2\n  line3\n'),
  ],
  ['a text that is not there', f(LINES), edits(['nonexistent line', 'x']), null],
  [
    'the second of two edits does not fit',
    f(LINES),
    edits(['line1', 'x'], ['line9', 'y']),
    null,
    /edit 2 of 2/,
  ],
  [
    'several lines with indentation',
    f('function test() {\n  log("hello");\n  return true;\n}'),
    edits(['  log("hello");\n  return true;', '  log("world");\n  return false;']),
    f('function test() {\n  log("world");\n  return false;\n}'),
  ],
  [
    'new lines with an indentation of their own',
    f('    if (c) {\n        doIt();\n    }'),
    edits(['doIt();', 'doElse();\n        doMore();']),
    f('    if (c) {\n        doElse();\n        doMore();\n    }'),
  ],
  [
    'a file with CRLF',
    f('line1\r\nline2\r\nline3\r\n'),
    edits(['line2', 'modified line2']),
    f('line1\nmodified line2\nline3\n'),
    undefined,
    instead('done', 'line ends of the file stay; a test of theirs asks for LF'),
  ],
  [
    'lines with other indentation',
    f('    if (x) {\n      y();\n'),
    edits(['if (x) {\n  y();', 'z();']),
    f('    z();\n'),
    undefined,
    NOT_EXACT,
  ],
  [
    'lines with tabs for blanks',
    f('\tif (x) {\n\t\ty();\n'),
    edits(['  if (x) {\n    y();', 'z();']),
    f('\tz();\n'),
    undefined,
    NOT_EXACT,
  ],
  ['the first of two', f('a\na\n'), edits(['a', 'b']), f('b\na\n'), undefined, FIRST],
  [
    'an empty old text',
    f('a\n'),
    edits(['', 'x']),
    f('xa\n'),
    undefined,
    instead('INVALID_INPUT', 'an empty text is everywhere'),
  ],
  [
    'no edits',
    f('a\n'),
    edits(),
    f('a\n'),
    undefined,
    instead('INVALID_INPUT', 'a change of nothing is none'),
  ],
  ['the same text', f('a\n'), edits(['a', 'a']), f('a\n'), undefined, NOTHING],
  ['blanks alone', f('a\n\nb\n'), edits(['   ', 'x']), f('a\nx\nb\n'), undefined, NOT_EXACT],
  ['a file is written', {}, tool('create', { path: 'n.txt', content: 'x\n' }), { 'n.txt': 'x\n' }],
  [
    'a file is written over',
    f('a\n'),
    tool('create', { path: 'f.txt', content: 'b\n' }),
    f('b\n'),
    undefined,
    instead('FILE_EXISTS', 'overwrite: true says that this is meant'),
  ],
  [
    'a file is written over, said so',
    f('a\n'),
    tool('create', { path: 'f.txt', content: 'b\n', overwrite: true }),
    f('b\n'),
    /overwrote f\.txt \(\+1 -1\)/,
  ],
  [
    'a file is written in a folder that is not there',
    {},
    tool('create', { path: 'd/n.txt', content: 'x\n' }),
    null,
    undefined,
    instead('done', 'missing folders are made'),
  ],
  ['a file is moved', f('a\n'), tool('move', { source: 'f.txt', destination: 'g.txt' }), { 'g.txt': 'a\n' }],
  [
    'a file is moved onto another',
    { ...f('a\n'), 'g.txt': 'g\n' },
    tool('move', { path: 'f.txt', new_path: 'g.txt' }),
    null,
  ],
  ['a path outside', f('a\n'), tool('view', { path: '../secret.txt' }), null],
  ['a path that begins at the root of the machine', f('a\n'), tool('view', { path: '/etc/passwd' }), null],
  ['a path with a zero byte', f('a\n'), tool('view', { path: 'f.txt\0.png' }), null],
];

export const MCP_FILESYSTEM: readonly UpstreamStory[] = STORIES.map(
  ([name, before, call, after, says, other]) => ({
    from: 'MCP filesystem',
    name,
    before,
    calls: [call],
    after,
    ...(says ? { says } : {}),
    ...(other ? { instead: other } : {}),
  }),
);
