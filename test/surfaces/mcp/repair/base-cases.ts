/** Refusals of edits that were decided on another text than the present one, and of calls that nobody could carry out. */

import type { Case } from './case.ts';
import { fencedIn, linesIn, versionIn, wordIn } from './model.ts';

const LINES = Array.from({ length: 30 }, (_, n) => `line ${n + 1}\n`).join('');
const FILES = { 'a.txt': LINES };
const VIEW = ['view', { path: 'a.txt' }] as const;

export const BASE_CASES: readonly Case[] = [
  {
    code: 'STALE',
    name: 'lines that a person moved since the view',
    files: FILES,
    first: [VIEW],
    after: repo => repo.write('a.txt', `new\n${LINES}`),
    call: ['replace_lines', { path: 'a.txt', start_line: 7, end_line: 7, new_content: 'seven' }],
    says: [
      /changed since your last view/,
      /by somebody, not through vedit/,
      /Line 7 is line 8 now and is unchanged/,
      /version "[0-9a-f]{12}", or the same call with on_stale: "rebase"/,
    ],
    repair: (text, input) => {
      const [, start, end] = /send start_line (\d+) and end_line (\d+) with/.exec(text)!;
      const numbers = { start_line: Number(start), end_line: Number(end) };
      return ['replace_lines', { ...input, ...numbers, version: versionIn(text) }];
    },
    gives: ['a.txt', /line 6\nseven\nline 8/],
  },
  {
    code: 'STALE',
    name: 'a version that another session changed',
    files: FILES,
    first: [VIEW],
    another: [['str_replace', { path: 'a.txt', old_str: 'line 9\n', new_str: 'nine\n' }]],
    call: ['replace_lines', { path: 'a.txt', start_line: 8, end_line: 9, new_content: '8 and 9' }],
    says: [/by other/, /^-line 9$/m, /^\+nine$/m],
    repair: (text, input) => ['replace_lines', { ...input, version: versionIn(text) }],
    gives: ['a.txt', /line 7\n8 and 9\nline 10/],
  },
  {
    code: 'STALE',
    name: 'a base before somebody else’s edit',
    files: FILES,
    another: [['str_replace', { path: 'a.txt', old_str: 'line 9\n', new_str: 'nine\n' }]],
    call: ['create', { path: 'a.txt', file_text: 'all\nnine\n', overwrite: true, base: 'main' }],
    says: [/changed since commit [0-9a-f]{12}, by other/, /^\+nine$/m],
    repair: (text, { base: _, ...input }) => ['create', { ...input, version: versionIn(text) }],
    gives: ['a.txt', /^all\nnine\n$/],
  },
  {
    code: 'STALE',
    name: 'a line of many thousand letters changed',
    files: { 'a.txt': `${'x'.repeat(90_000)}\n${LINES}` },
    first: [VIEW],
    after: repo => repo.write('a.txt', `${'y'.repeat(90_000)}\n${LINES}`),
    call: ['insert', { path: 'a.txt', insert_line: 1, insert_text: 'first' }],
    says: [/^-x{299}… \[\d+ more characters\]$/m, /^\+y{299}/m],
    repair: (text, input) => ['insert', { ...input, version: versionIn(text) }],
    gives: ['a.txt', /y\nfirst\nline 1\n/],
  },
  {
    code: 'STALE',
    name: 'a file that a person changed, where that is refused',
    files: FILES,
    options: () => ({ outside: 'refuse' }),
    first: [['str_replace', { path: 'a.txt', old_str: 'line 9\n', new_str: 'nine\n' }]],
    after: repo => repo.write('a.txt', `new\n${LINES}`),
    call: ['str_replace', { path: 'a.txt', old_str: 'line 7', new_str: 'seven' }],
    says: [
      /a\.txt changed since the newest edit, not through vedit/,
      /outside: "refuse"/,
      /diff with outside: true/,
    ],
    repair: 'the person who changed the file is to be asked',
  },
  {
    code: 'CONFLICT',
    name: 'a rebase onto a text that changed at the same place',
    files: FILES,
    another: [['str_replace', { path: 'a.txt', old_str: 'line 9\n', new_str: 'nine\nand a half\n' }]],
    call: [
      'str_replace',
      { path: 'a.txt', old_str: 'line 9', new_str: 'IX', base: 'main', on_stale: 'rebase' },
    ],
    says: [/lines 9-10 now:/, /Wanted there:/, /version "[0-9a-f]{12}"/],
    repair: text => [
      'str_replace',
      {
        path: 'a.txt',
        old_str: linesIn(text, 9, 10),
        new_str: fencedIn(text),
        version: versionIn(text),
      },
    ],
    gives: ['a.txt', /line 8\nIX\nline 10/],
  },
  {
    code: 'CONFLICT',
    name: 'a rebase of line numbers whose lines changed',
    files: FILES,
    another: [['str_replace', { path: 'a.txt', old_str: 'line 9\n', new_str: 'nine\n' }]],
    call: [
      'replace_lines',
      {
        path: 'a.txt',
        start_line: 7,
        end_line: 11,
        new_content: 'line 7\nline 8\nline 9\nline 10\nXI',
        base: 'main',
        on_stale: 'rebase',
      },
    ],
    says: [/the lines of the edit itself changed/, /^\+nine$/m],
    repair: (text, { base: _, on_stale: __, ...input }) => [
      'replace_lines',
      {
        ...input,
        new_content: 'line 7\nline 8\nnine\nline 10\nXI',
        version: versionIn(text),
      },
    ],
    gives: ['a.txt', /line 8\nnine\nline 10\nXI\nline 12/],
  },
  {
    code: 'CONFLICT',
    name: 'an undo of lines that were edited since',
    files: FILES,
    first: [['str_replace', { path: 'a.txt', old_str: 'line 9', new_str: 'nine' }]],
    another: [['str_replace', { path: 'a.txt', old_str: 'nine', new_str: 'NINE' }]],
    call: ['undo', {}],
    says: [/a\.txt \(lines 9-9\) was changed after [0-9a-f]{12}/, /line 9 now:/, /Wanted there:/],
    repair: text => ['str_replace', { path: 'a.txt', old_str: linesIn(text, 9), new_str: fencedIn(text) }],
    gives: ['a.txt', /^(line \d+\n){30}$/],
  },
  {
    code: 'CONFLICT',
    name: 'an undo of lines that are gone',
    files: FILES,
    first: [['str_replace', { path: 'a.txt', old_str: 'line 9\n', new_str: 'nine\n' }]],
    another: [['str_replace', { path: 'a.txt', old_str: 'nine\n', new_str: '' }]],
    call: ['undo', {}],
    says: [/before line 9: the lines are gone/, /a\.txt is at version "[0-9a-f]{40}"/],
    repair: text => [
      'insert',
      {
        path: 'a.txt',
        before_line: Number(wordIn(text, /before line (\d+)/)),
        insert_text: fencedIn(text),
        version: versionIn(text),
      },
    ],
    gives: ['a.txt', /^(line \d+\n){30}$/],
  },
  {
    code: 'CONFLICT',
    name: 'an undo of a new file that was edited since',
    first: [['create', { path: 'n.txt', file_text: 'new\n' }]],
    another: [['str_replace', { path: 'n.txt', old_str: 'new', new_str: 'newer' }]],
    call: ['undo', {}],
    says: [/n\.txt was to be deleted: use delete to do that all the same/],
    repair: text => [wordIn(text, /: use (\w+) to do/), { path: 'n.txt' }],
  },
  {
    code: 'NOT_VIEWED',
    name: 'line numbers of a file that was never shown',
    files: FILES,
    call: ['insert', { path: 'a.txt', insert_line: 30, insert_text: 'the end' }],
    says: [/has not seen a\.txt, so what stands in it is a guess\. View it first\.$/],
    repair: () => VIEW,
  },
  {
    code: 'INVALID_INPUT',
    name: 'a field that there is not',
    files: FILES,
    call: ['str_replace', { path: 'a.txt', old_str: 'line 7', newtext: 'seven' }],
    says: [/no field `newtext`, did you mean `new_str`\?/, /Fields: path, old_str/, /Example: \{/],
    repair: (text, { newtext, ...input }) => [
      'str_replace',
      {
        ...input,
        [wordIn(text, /did you mean `(\w+)`/)]: newtext,
      },
    ],
    gives: ['a.txt', /line 6\nseven\n/],
  },
  {
    code: 'INVALID_INPUT',
    name: 'an example that is followed',
    files: { 'src/app.ts': 'const limit = 10;\n' },
    call: ['str_replace', {}],
    says: [/`path` is required/],
    repair: text => ['str_replace', JSON.parse(wordIn(text, /Example: (\{.*\})/))],
    gives: ['src/app.ts', /limit = 20/],
  },
  {
    code: 'INVALID_INPUT',
    name: 'more commits back than there are',
    files: FILES,
    first: [['str_replace', { path: 'a.txt', old_str: 'line 9', new_str: 'nine' }]],
    call: ['rollback', { commit: '~7' }],
    says: [/that ends 1 back/],
    repair: text => ['rollback', { commit: `~${wordIn(text, /that ends (\d+) back/)}` }],
    gives: ['a.txt', /line 9/],
  },
  {
    code: 'INVALID_INPUT',
    name: 'a commit that there is not',
    files: FILES,
    first: [['str_replace', { path: 'a.txt', old_str: 'line 9', new_str: 'nine' }]],
    call: ['show', { commit: 'newest' }],
    says: [/no commit is named "newest"/, /@ or ~N for the newest edit/],
    repair: text => ['show', { commit: wordIn(text, /or (@) or ~N/) }],
  },
  {
    code: 'INVALID_INPUT',
    name: 'a tool that a change cannot hold',
    files: FILES,
    call: ['change', { edits: [{ edit: 'str_replce', path: 'a.txt', old_str: 'line 7', new_str: 'seven' }] }],
    says: [/There is no edit "str_replce"/, /The edits are .*\bstr_replace\b/],
    repair: (text, input) => {
      const [edit] = input.edits as object[];
      return ['change', { edits: [{ ...edit, edit: wordIn(text, /Did you mean (\w+)\?/) }] }];
    },
    gives: ['a.txt', /line 6\nseven\n/],
  },
];
