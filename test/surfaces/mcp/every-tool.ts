/** A call of every tool, in an order in which each can be done, and what a model makes of the answer. */

import type { Call } from './repair/model.ts';
import { numberedLines, versionIn, wordIn } from './repair/model.ts';

export interface Step {
  call: Call;
  /** In what the model reads. */
  says: readonly RegExp[];
  /** A call that needs a value of the answer, made of what the model reads. */
  next: (text: string) => Call;
}

/** The file that the calls begin with. */
export const LIST = 'one\ntwo\ntwo\nthree\n';

const DONE = /^\w+ done, commit [0-9a-f]{12}:\n/;

/** An edit can be shown, taken back and compared by its commit. */
const showIt = (text: string): Call => ['show', { commit: wordIn(text, /commit ([0-9a-f]{12})/) }];

/** The next edit can cite what this one made of the file. */
const cite =
  (path: string) =>
  (text: string): Call => [
    'create',
    { path, file_text: '', overwrite: true, dry_run: true, version: versionIn(text) },
  ];

export const EVERY_TOOL: readonly Step[] = [
  {
    call: ['view', { path: 'list.txt' }],
    says: [/^ {5}1\tone\n {5}2\ttwo\n/, /\[list\.txt: lines 1-4 of 4, version [0-9a-f]{40}/],
    next: text => [
      'replace_lines',
      {
        path: 'list.txt',
        start_line: numberedLines(text).size,
        end_line: 4,
        new_content: 'x',
        version: versionIn(text),
        dry_run: true,
      },
    ],
  },
  {
    call: ['view', { path: '.' }],
    says: [/^list\.txt\n/],
    next: text => ['view', { path: wordIn(text, /^(.*)\n/) }],
  },
  {
    call: ['str_replace', { path: 'list.txt', old_str: 'one', new_str: '1' }],
    says: [DONE, /^ {5}1\t1$/m],
    next: cite('list.txt'),
  },
  {
    call: ['insert', { path: 'list.txt', insert_line: 0, insert_text: 'zero' }],
    says: [DONE, /^ {5}1\tzero$/m],
    next: cite('list.txt'),
  },
  {
    call: ['view', { path: 'list.txt', view_range: [1, 2] }],
    says: [/^ {5}1\tzero\n {5}2\t1\n\[/],
    next: cite('list.txt'),
  },
  {
    call: ['replace_lines', { path: 'list.txt', start_line: 1, end_line: 1, new_content: '0' }],
    says: [DONE, /^ {5}1\t0$/m],
    next: cite('list.txt'),
  },
  {
    call: ['edit_lines', { path: 'list.txt', edits: [{ from: 2, to: 2, content: 'uno' }] }],
    says: [DONE, /^ {5}2\tuno$/m],
    next: cite('list.txt'),
  },
  {
    call: ['create', { path: 'a.txt', file_text: 'a\nb\n' }],
    says: [DONE, /^created a\.txt \(\+2 -0\)/m],
    next: cite('a.txt'),
  },
  {
    call: ['move', { path: 'a.txt', new_path: 'b.txt' }],
    says: [DONE, /^moved a\.txt to b\.txt \(\+0 -0\)/m],
    next: cite('b.txt'),
  },
  { call: ['delete', { path: 'b.txt' }], says: [DONE, /^deleted b\.txt \(\+0 -2\)/m], next: showIt },
  { call: ['create', { path: 'c.txt', file_text: 'a\nb\nc\n' }], says: [DONE], next: showIt },
  {
    call: [
      'apply_patch',
      { patch: '*** Begin Patch\n*** Update File: c.txt\n@@\n a\n-b\n+B\n*** End Patch\n' },
    ],
    says: [DONE, /^ {5}2\tB$/m],
    next: cite('c.txt'),
  },
  {
    call: ['context_patch', { path: 'c.txt', patch_text: '@@ a\n-B\n+b\n' }],
    says: [DONE, /^ {5}2\tb$/m],
    next: cite('c.txt'),
  },
  {
    call: ['unified_diff', { patch: '--- a/c.txt\n+++ b/c.txt\n@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n' }],
    says: [DONE, /^ {5}2\tx$/m],
    next: cite('c.txt'),
  },
  {
    call: ['search_replace', { path: 'c.txt', blocks: '<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n' }],
    says: [DONE, /^ {5}2\ty$/m],
    next: cite('c.txt'),
  },
  { call: ['create', { path: 's.json', file_text: '{\n  "a": 1\n}\n' }], says: [DONE], next: showIt },
  {
    call: ['replace_symbol', { path: 's.json', symbol: 'a', new_content: '  "a": 2' }],
    says: [DONE, /^ {5}2\t {2}"a": 2$/m],
    next: cite('s.json'),
  },
  {
    call: ['move_lines', { path: 's.json', start_line: 2, new_path: 't.txt' }],
    says: [DONE, /^created t\.txt \(\+1 -0\)/m],
    next: cite('s.json'),
  },
  {
    call: ['change', { edits: [{ edit: 'str_replace', path: 'c.txt', old_str: 'c', new_str: 'C' }] }],
    says: [DONE, /^ {5}3\tC$/m],
    next: cite('c.txt'),
  },
  {
    call: ['preview', { path: 'c.txt', old_str: 'C', new_str: 'D' }],
    says: [/^Dry run of str_replace, nothing written/, /^-C$/m, /^\+D$/m],
    next: () => ['view', { path: 'c.txt' }],
  },
  { call: ['undo', { count: 1 }], says: [/^undo done/, /^ {5}3\tc$/m], next: cite('c.txt') },
  { call: ['redo', { count: 1 }], says: [/^redo done/, /^ {5}3\tC$/m], next: cite('c.txt') },
  { call: ['revert', { commit: '@' }], says: [/^revert done/, /^ {5}3\tc$/m], next: cite('c.txt') },
  { call: ['rollback', { commit: '~1' }], says: [/^rollback done/, /^ {5}3\tC$/m], next: cite('c.txt') },
  {
    call: ['restore', { path: 'c.txt', from: '~1' }],
    says: [/^restore done/, /^ {5}3\tc$/m],
    next: cite('c.txt'),
  },
  {
    call: ['log', { limit: 3 }],
    says: [/^([0-9a-f]{12} \S+ \S+: .*\n){3}\[the newest 3/],
    next: text => ['revert', { commit: wordIn(text, /^([0-9a-f]{12})/), dry_run: true }],
  },
  {
    call: ['show', { commit: '@' }],
    says: [/^[0-9a-f]{40}\n/, /^\+c$/m],
    next: text => ['view', { path: 'c.txt', at: wordIn(text, /^([0-9a-f]{40})/) }],
  },
  {
    call: ['diff', { from: '~1', to: '@' }],
    says: [/^-C$/m, /^\+c$/m],
    next: text => ['view', { path: wordIn(text, /^\+\+\+ b\/(.*)$/m) }],
  },
  {
    call: ['blame', { path: 'list.txt' }],
    says: [/^[0-9a-f]{12} .* 1\t0$/m],
    next: text => ['show', { commit: wordIn(text, /^([0-9a-f]{12})/) }],
  },
  {
    call: ['status', {}],
    says: [/^history refs\/vedit\/main at /],
    next: text => ['show', { commit: wordIn(text, / at ([0-9a-f]{12})/) }],
  },
  {
    call: ['verify', {}],
    says: [/no fault/],
    next: text => ['verify', { expect: [wordIn(text, /Note ([0-9a-f]{40})/)] }],
  },
];
