/**
 * What the tests and grammars of other projects' edit tools say, as facts: the files before, the call in our words, and
 * what their tool makes of it. Data of our own making; where this engine answers otherwise on purpose, `instead` says
 * with which code, and why.
 */

export interface UpstreamCase {
  from:
    | 'Agent Zero'
    | 'OpenHands'
    | 'MCP filesystem'
    | 'Gemini CLI'
    | 'openai-agents'
    | 'Codex'
    | 'git apply';
  name: string;
  edit: string;
  input: Record<string, unknown>;
  before: Record<string, string>;
  /** The files that their tool leaves; `null` where it refuses. */
  after: Record<string, string> | null;
  instead?: { code: string; why: string };
}

/** A context patch for `f.txt`, in its envelope. */
const wrapped = (...lines: string[]): Record<string, unknown> => ({
  path: 'f.txt',
  patch_text: ['*** Begin Patch', '*** Update File: f.txt', ...lines, '*** End Patch'].join('\n'),
});

const envelope = (...lines: string[]): Record<string, unknown> => ({
  patch: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n'),
});

const replace = (old_str: string, new_str: string, more: object = {}): Record<string, unknown> => ({
  path: 'f.txt',
  old_str,
  new_str,
  ...more,
});

const diff = (...lines: string[]): Record<string, unknown> => ({
  patch: ['--- a/f.txt', '+++ b/f.txt', ...lines, ''].join('\n'),
});

/** Shorter: a case of one file. */
type Row = readonly [
  name: string,
  input: Record<string, unknown>,
  before: string,
  after: string | null,
  instead?: UpstreamCase['instead'],
];

const rows = (from: UpstreamCase['from'], edit: string, list: readonly Row[]): UpstreamCase[] =>
  list.map(([name, input, before, after, instead]) => ({
    from,
    name,
    edit,
    input,
    before: { 'f.txt': before },
    after: after === null ? null : { 'f.txt': after },
    ...(instead ? { instead } : {}),
  }));

const NO_GUESS = 'several places fit, and theirs takes the first: an edit is never applied to a guess';

export const UPSTREAM: readonly UpstreamCase[] = [
  ...rows('Agent Zero', 'context_patch', [
    [
      'an insertion behind an anchor',
      wrapped('@@ alpha', '+inserted'),
      'alpha\nbeta\n',
      'alpha\ninserted\nbeta\n',
    ],
    [
      'context and a replacement',
      wrapped(' beta', '-gamma', '+delta'),
      'alpha\nbeta\ngamma\n',
      'alpha\nbeta\ndelta\n',
    ],
    [
      'an anchor that is the target',
      wrapped('@@   old()', '-  old()', '+  new()'),
      'x\n  old()\ny\n',
      'x\n  new()\ny\n',
    ],
    ['two places', wrapped(' same', '-old', '+new'), 'same\nold\nsame\nold\n', null],
    ['the first place behind an anchor', wrapped('@@ B', '-x', '+y'), 'A\nx\nB\nx\nx\n', 'A\nx\nB\ny\nx\n'],
    [
      'an anchor at two places',
      wrapped('@@ h', '+new'),
      'h\n1\nh\n2\n',
      'h\nnew\n1\nh\n2\n',
      { code: 'AMBIGUOUS', why: NO_GUESS },
    ],
    [
      'an anchor that is the target, twice',
      wrapped('@@ x = 1', '-x = 1', '+x = 2'),
      'x = 1\ny\nx = 1\n',
      'x = 1\ny\nx = 2\n',
      { code: 'AMBIGUOUS', why: 'theirs changes the later one' },
    ],
    [
      'an anchor with its own indentation',
      wrapped('@@   foo', '+X'),
      '  foo\nbar\nfoo\n',
      '  foo\nbar\nfoo\nX\n',
      {
        code: 'done',
        why: 'the line that is exactly the anchor is meant, not the one that is the same without blanks',
      },
    ],
    ['two hunks', wrapped('@@', '-a', '+A', '@@', '-c', '+C'), 'a\nb\nc\n', 'A\nb\nC\n'],
    ['one hunk with two changes', wrapped('-a', '+A', ' b', '-c', '+C'), 'a\nb\nc\n', 'A\nb\nC\n'],
    ['an anchor that was used up', wrapped('@@ alpha', '+one', '@@ alpha', '+two'), 'alpha\nz\n', null],
    ['one hunk of two that fits', wrapped('@@ a', '+x', '@@ zz', '+y'), 'a\nb\n', null],
    [
      'an empty line as context',
      wrapped('@@ alpha', '+inserted', ''),
      'alpha\nbeta\n\ngamma\n',
      'alpha\nbeta\ninserted\n\ngamma\n',
    ],
    ['a part of a line as anchor', wrapped('@@ def run():', '+x'), 'def run():  # c\n', null],
    ['blanks behind an anchor', wrapped('@@ alpha', '+x'), 'alpha  \nb\n', 'alpha  \nx\nb\n'],
    [
      'blanks behind a context line',
      wrapped(' a', '-b', '+c'),
      'a  \nb\n',
      'a\nc\n',
      { code: 'done', why: 'context stays as the file has it; theirs takes its blanks away' },
    ],
    ['spaces for a tab', wrapped('-    a', '+x'), '\ta\n', null],
    ['no final newline', wrapped('@@ b', '+c'), 'a\nb', 'a\nb\nc'],
    ['the top of a file', wrapped('+z', ' a'), 'a\nb\n', 'z\na\nb\n'],
    ['a line as context and as removed', wrapped('@@ a', ' b', '-b', '+c'), 'a\nb\n', null],
  ]),
  ...rows('OpenHands', 'str_replace', [
    ['one place', replace('test file', 'sample file'), 'This is a test file.\n', 'This is a sample file.\n'],
    ['several lines', replace('a\nb', 'c'), 'a\nb\nd\n', 'c\nd\n'],
    ['no place', replace('nowhere', 'x'), 'a\n', null],
    ['two places', replace('a', 'b'), 'a\na\n', null],
    ['the same text', replace('a', 'a'), 'a\n', null],
    ['no new text', { path: 'f.txt', old_str: 'a\n' }, 'a\nb\n', 'b\n'],
    [
      'blanks around the old text that the file lacks',
      replace('  a  ', 'b'),
      'a\n',
      'b\n',
      { code: 'NO_MATCH', why: 'theirs strips the old text: only the exact text is replaced' },
    ],
  ]),
  ...rows('MCP filesystem', 'str_replace', [
    [
      'one line',
      replace('line2', 'modified line2'),
      'line1\nline2\nline3\n',
      'line1\nmodified line2\nline3\n',
    ],
    [
      'lines with other indentation',
      replace('if (x) {\n  y();', 'z();'),
      '    if (x) {\n      y();\n',
      '    z();\n',
      { code: 'NO_MATCH', why: 'theirs indents the new text by guess: the refusal has the exact text' },
    ],
    ['the first of two', replace('a', 'b'), 'a\na\n', 'b\na\n', { code: 'AMBIGUOUS', why: NO_GUESS }],
  ]),
  ...rows('Gemini CLI', 'str_replace', [
    ['all places, when asked', replace('old', 'new', { allow_multiple: true }), 'old old\n', 'new new\n'],
    ['two places without that', replace('old', 'new'), 'old old\n', null],
    ['a dollar sign in the new text', replace('a', '$&$1'), 'a\n', '$&$1\n'],
    [
      'a placeholder for code',
      replace('b();', '// ... existing code ...'),
      'a();\nb();\n',
      null,
      { code: 'done', why: 'it may be meant: the answer notes it, and undo takes it back' },
    ],
    [
      'other blanks inside',
      replace('a  =  1', 'a = 2'),
      'a = 1\n',
      'a = 2\n',
      { code: 'NO_MATCH', why: 'theirs looks past blanks: the refusal has the exact text' },
    ],
  ]),
  ...rows('openai-agents', 'apply_patch', [
    [
      'numbers behind @@',
      { path: 'f.txt', diff: '@@ -1,2 +1,2 @@\n one\n-two\n+2' },
      'one\ntwo\n',
      'one\n2\n',
    ],
    [
      'an anchor that is not there',
      { path: 'f.txt', diff: '@@ nope\n-a\n+b' },
      'a\n',
      'b\n',
      { code: 'PATCH_FAILED', why: 'theirs goes on without the anchor' },
    ],
    [
      'an addition without a place',
      { path: 'f.txt', diff: '+x' },
      'a\n',
      'x\na\n',
      { code: 'PATCH_SYNTAX', why: 'theirs puts it at the top' },
    ],
  ]),
  {
    from: 'Codex',
    name: 'a file in the place of a deleted one',
    edit: 'apply_patch',
    input: envelope('*** Delete File: a', '*** Add File: a', '+new'),
    before: { a: 'old\n' },
    after: { a: 'new\n' },
  },
  {
    from: 'Codex',
    name: 'a move onto a file that is there',
    edit: 'apply_patch',
    input: envelope('*** Update File: a', '*** Move to: b', '@@', '-x', '+y'),
    before: { a: 'x\n', b: 'kept\n' },
    after: { b: 'y\n' },
    instead: { code: 'FILE_EXISTS', why: 'nobody asked for the loss of the file that is there' },
  },
  {
    from: 'Codex',
    name: 'a file added over one that is there',
    edit: 'apply_patch',
    input: envelope('*** Add File: a', '+new'),
    before: { a: 'old\n' },
    after: { a: 'new\n' },
    instead: { code: 'FILE_EXISTS', why: 'nobody asked for the loss of the file that is there' },
  },
  ...rows('git apply', 'unified_diff', [
    [
      'a hunk whose lines have moved',
      diff('@@ -1,2 +1,2 @@', ' a', '-b', '+B'),
      'x\ny\na\nb\nc\n',
      'x\ny\na\nB\nc\n',
    ],
    ['an insertion at the top that is there', diff('@@ -1,2 +1,3 @@', '+n', ' a', ' b'), 'n\na\nb\n', null],
    ['an insertion at the end that is there', diff('@@ -1,2 +1,3 @@', ' a', ' b', '+n'), 'a\nb\nn\n', null],
    ['a missing final newline', diff('@@ -1 +1 @@', '-a', '\\ No newline at end of file', '+b'), 'a', 'b\n'],
    ['a corrupt count', diff('@@ -1,5 +1,5 @@', ' a', '-b'), 'a\nb\n', null],
    ['a file that -0,0 makes', { patch: '--- a/f.txt\n+++ b/f.txt\n@@ -0,0 +1 @@\n+x\n' }, '', 'x\n'],
  ]),
];
