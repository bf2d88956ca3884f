/** Refusals of edits whose text, lines or patch do not fit the file. */

import type { Case } from './case.ts';
import { fencedIn, versionIn, wordIn } from './model.ts';

const LINES = Array.from({ length: 30 }, (_, n) => `line ${n + 1}\n`).join('');
const CODE = 'function a() {\n  return 1;\n}\n\nfunction b() {\n  return 1;\n}\n';
const TEN = 'say();\n'.repeat(9);

/** The line before the place, as `line 5: ...` says it. */
function lineBefore(text: string, line: number): string {
  return wordIn(text, new RegExp(`^line ${line}: (.*)$`, 'm'));
}

export const TEXT_CASES: readonly Case[] = [
  {
    code: 'NO_MATCH',
    name: 'another indentation',
    files: { 'a.js': CODE },
    call: [
      'str_replace',
      { path: 'a.js', old_str: 'function b() {\n    return 1;', new_str: 'function b() {\n  return 2;' },
    ],
    says: [/Lines 5-6/, /indented with 2 spaces|2 spaces less/],
    repair: (text, input) => ['str_replace', { ...input, old_str: fencedIn(text) }],
    gives: ['a.js', /b\(\) \{\n {2}return 2;/],
  },
  {
    code: 'NO_MATCH',
    name: 'a word that the file spells otherwise',
    files: { 'a.txt': LINES.replace('line 7\n', 'const colour = paint(wall);\n') },
    call: ['str_replace', { path: 'a.txt', old_str: 'const color = paint(wall);', new_str: 'done();' }],
    says: [/nearest text is line 7/, /`colour` where old_str has `color`/],
    repair: (text, input) => ['str_replace', { ...input, old_str: fencedIn(text) }],
    gives: ['a.txt', /line 6\ndone\(\);\nline 8/],
  },
  {
    code: 'NO_MATCH',
    name: 'one of several edits',
    files: { 'a.txt': LINES },
    call: [
      'change',
      {
        edits: [
          { edit: 'str_replace', path: 'a.txt', old_str: 'line 29', new_str: 'last' },
          { edit: 'str_replace', path: 'a.txt', old_str: 'line   7', new_str: 'seven' },
        ],
      },
    ],
    says: [/edit 2 of 2: /, /Nothing was changed/, /line 7/],
    repair: (text, input) => {
      const [one, two] = input.edits as object[];
      return ['change', { edits: [one, { ...two, old_str: fencedIn(text) }] }];
    },
    gives: ['a.txt', /line 6\nseven\n(.*\n)*last\n/],
  },
  {
    code: 'AMBIGUOUS',
    name: 'a text at two places',
    files: { 'a.js': CODE },
    call: ['str_replace', { path: 'a.js', old_str: '  return 1;', new_str: '  return 2;' }],
    says: [/occurs 2 times in a\.js, on lines 2 and 6/, /replace_all: true/],
    repair: (text, input) => {
      const before = lineBefore(text, 5);
      const [old_str, new_str] = [input.old_str, input.new_str].map(one => `${before}\n${one}`);
      return ['str_replace', { ...input, old_str, new_str }];
    },
    gives: ['a.js', /a\(\) \{\n {2}return 1;(.*\n)*.*b\(\) \{\n {2}return 2;/],
  },
  {
    code: 'AMBIGUOUS',
    name: 'lines that nothing tells apart',
    files: { 'a.js': TEN.repeat(4) },
    call: ['str_replace', { path: 'a.js', old_str: 'say();', new_str: 'shout();' }],
    says: [/occurs 36 times/, /on lines 1, 2, .*, 35 and 36\./, /replace_lines/],
    repair: (text, input) => [
      'replace_lines',
      {
        path: input.path,
        start_line: 30,
        end_line: 30,
        new_content: input.new_str,
        version: versionIn(text),
      },
    ],
    gives: ['a.js', /^(say\(\);\n){29}shout\(\);\n(say\(\);\n){6}$/],
  },
  {
    code: 'AMBIGUOUS',
    name: 'a hunk that fits twice',
    files: { 'a.js': CODE },
    call: ['context_patch', { path: 'a.js', patch_text: '@@\n-  return 1;\n+  return 2;\n' }],
    says: [/Hunk 1 \(line 1 of the patch\)/, /on lines 2 and 6/],
    repair: (text, input) => {
      const anchor = wordIn(text, /^(@@ function b.*)$/m);
      return ['context_patch', { ...input, patch_text: String(input.patch_text).replace('@@', anchor) }];
    },
    gives: ['a.js', /b\(\) \{\n {2}return 2;/],
  },
  {
    code: 'LINE_OUT_OF_RANGE',
    name: 'a line behind the end',
    files: { 'a.txt': LINES },
    first: [['view', { path: 'a.txt' }]],
    call: ['insert', { path: 'a.txt', insert_line: 99, insert_text: 'the end' }],
    says: [/insert_line 99/, /30 lines/, /valid is 0 to 30/],
    repair: (text, input) => [
      'insert',
      { ...input, insert_line: Number(wordIn(text, /valid is 0 to (\d+)/)) },
    ],
    gives: ['a.txt', /line 30\nthe end\n$/],
  },
  {
    code: 'LINE_OUT_OF_RANGE',
    name: 'a range behind the end',
    files: { 'a.txt': LINES },
    first: [['view', { path: 'a.txt' }]],
    call: ['replace_lines', { path: 'a.txt', start_line: 29, end_line: 40, new_content: 'the end' }],
    says: [/end_line 40/, /valid is 29 to 30/],
    repair: (text, input) => ['replace_lines', { ...input, end_line: Number(wordIn(text, /to (\d+)\./)) }],
    gives: ['a.txt', /line 28\nthe end\n$/],
  },
  {
    code: 'LINE_OUT_OF_RANGE',
    name: 'a view of lines that there are not',
    files: { 'a.txt': LINES },
    call: ['view', { path: 'a.txt', view_range: [40, 60] }],
    says: [/\[40, 60\]/, /1 <= first <= 30/],
    repair: (text, input) => ['view', { ...input, view_range: [Number(wordIn(text, /first <= (\d+)/)), -1] }],
  },
  {
    code: 'NO_CHANGE',
    name: 'a text in place of itself',
    files: { 'a.txt': LINES },
    call: ['str_replace', { path: 'a.txt', old_str: 'line 7', new_str: 'line 7' }],
    says: [/a\.txt was not changed: old_str and new_str are the same/],
    repair: 'the file is as it is wanted',
  },
  {
    code: 'NO_CHANGE',
    name: 'an undo of more edits than there are',
    files: { 'a.txt': LINES },
    first: [['str_replace', { path: 'a.txt', old_str: 'line 7', new_str: 'seven' }]],
    call: ['undo', { count: 5 }],
    says: [/only 1 to undo, not 5/],
    repair: text => ['undo', { count: Number(wordIn(text, /Ask for (\d+)/)) }],
    gives: ['a.txt', /line 7\n/],
  },
  {
    code: 'PATCH_SYNTAX',
    name: 'a patch without its first line',
    files: { 'a.txt': LINES },
    call: [
      'apply_patch',
      { patch: '--- Patch\n*** Update File: a.txt\n@@\n line 6\n-line 7\n+seven\n*** End Patch\n' },
    ],
    says: [/Line 1 of the patch, `--- Patch`,/, /Expected "\*\*\* Begin Patch" as the first line/],
    repair: (text, input) => {
      const first = wordIn(text, /Expected "(.*?)" as the first line/);
      return ['apply_patch', { patch: String(input.patch).replace(/^.*/, first) }];
    },
    gives: ['a.txt', /line 6\nseven\n/],
  },
  {
    code: 'PATCH_SYNTAX',
    name: 'lines to add that say no place',
    files: { 'a.txt': LINES },
    call: ['context_patch', { path: 'a.txt', patch_text: '@@\n+new\n' }],
    says: [/only adds lines, and does not say where/, /an "@@ " line with the line that they come after/],
    repair: (_, input) => ['context_patch', { ...input, patch_text: '@@ line 7\n+new\n' }],
    gives: ['a.txt', /line 7\nnew\nline 8/],
  },
  {
    code: 'PATCH_FAILED',
    name: 'a hunk with a line that the file does not have',
    files: { 'a.txt': LINES },
    call: [
      'apply_patch',
      {
        patch:
          '*** Begin Patch\n*** Update File: a.txt\n@@\n line 6\n line 7\n-line VIII\n+eight\n*** End Patch\n',
      },
    ],
    says: [/Hunk 1 \(line 3 of the patch\)/, /line 8 has `8` where line 6 of the patch has `VIII`/],
    repair: (text, input) => {
      const [, right, wrong] = /has `([^`]*)` where line 6 of the patch has `([^`]*)`/.exec(text)!;
      return ['apply_patch', { patch: String(input.patch).replace(wrong!, right!) }];
    },
    gives: ['a.txt', /line 7\neight\nline 9/],
  },
  {
    code: 'PATCH_FAILED',
    name: 'a block that is nearly right',
    files: { 'a.js': CODE },
    call: [
      'search_replace',
      {
        path: 'a.js',
        blocks:
          '<<<<<<< SEARCH\nfunction b() {\n  return one;\n=======\nfunction b() {\n  return 2;\n>>>>>>> REPLACE\n',
      },
    ],
    says: [/Block 1/, /line 6 has `1` where line 3 of the patch has `one`/],
    repair: (text, input) => [
      'search_replace',
      {
        ...input,
        blocks: String(input.blocks).replace('function b() {\n  return one;', fencedIn(text)),
      },
    ],
    gives: ['a.js', /b\(\) \{\n {2}return 2;/],
  },
];
