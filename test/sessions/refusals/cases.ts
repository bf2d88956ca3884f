/**
 * Calls that agents get wrong, with what the refusal must hold so that the next call can be right. Data only: the files,
 * the calls that come before, the call, the code, and the facts that the model needs.
 */

export type Call = readonly [tool: string, input: Record<string, unknown>];

export interface RefusalCase {
  name: string;
  /** Calls that are done before, by this session and by another one. */
  before?: readonly Call[];
  others?: readonly Call[];
  call: Call;
  code: string;
  /** What the message must hold, each as it stands there. */
  needs: readonly string[];
  /** What it must not hold. */
  never?: readonly string[];
}

export const CASES: readonly RefusalCase[] = [
  {
    name: 'old text: one word differs',
    call: [
      'str_replace',
      { path: 'src/auth.ts', old_str: "db.log('logout', claims.id)", new_str: "db.log('out', claims.id)" },
    ],
    code: 'NO_MATCH',
    needs: ['line 26', 'claims.name', 'claims.id'],
  },
  {
    name: 'old text: spaces for tabs',
    call: ['str_replace', { path: 'src/tabs.go', old_str: '    start()\n    wait()', new_str: '    go()' }],
    code: 'NO_MATCH',
    needs: ['lines 3-4', 'tabs', '\t\tstart()\n\t\twait()'],
  },
  {
    name: 'old text: a line left out',
    call: [
      'str_replace',
      {
        path: 'src/auth.ts',
        old_str:
          "  const claims = verify(old);\n  const token = sign(claims, LIFETIME);\n  await db.log('refresh', claims.name);",
        new_str: '  return null;',
      },
    ],
    code: 'NO_MATCH',
    needs: ['lines 16-19', "if (!claims) throw new Error('expired');"],
  },
  {
    name: 'old text: nothing like it',
    call: ['str_replace', { path: 'src/auth.ts', old_str: 'useEffect(() => {', new_str: 'useMemo(() => {' }],
    code: 'NO_MATCH',
    needs: ['useEffect'],
  },
  {
    name: 'old text: the change was made',
    call: [
      'str_replace',
      { path: 'src/auth.ts', old_str: 'const LIFETIME = 600;', new_str: 'const LIFETIME = 3600;' },
    ],
    code: 'NO_MATCH',
    needs: ['line 4', 'already'],
  },
  {
    name: 'old text: numbers of a view in it',
    call: [
      'str_replace',
      {
        path: 'src/auth.ts',
        old_str: '     4\tconst LIFETIME = 3600;',
        new_str: '     4\tconst LIFETIME = 60;',
      },
    ],
    code: 'NO_MATCH',
    needs: ['line-number', 'new_str', 'const LIFETIME = 3600;'],
  },
  {
    name: 'old text: plain quotes',
    call: ['str_replace', { path: 'src/quotes.md', old_str: 'He said "stop"', new_str: 'He said "go"' }],
    code: 'NO_MATCH',
    needs: ['“stop”'],
  },
  {
    name: 'old text: at two places',
    call: [
      'str_replace',
      { path: 'src/auth.ts', old_str: 'const token = sign(claims, LIFETIME);', new_str: 'const token = "";' },
    ],
    code: 'AMBIGUOUS',
    needs: ['10', '18', 'replace_all', 'const claims = { sub: user.id, name: user.name };', "'expired'"],
  },
  {
    name: 'old text: in five equal blocks',
    call: [
      'str_replace',
      { path: 'src/views.py', old_str: '    check(request)', new_str: '    audit(request)' },
    ],
    code: 'AMBIGUOUS',
    needs: ['4', '10', '16', '22', '28', 'def a(', 'def e('],
  },
  {
    name: 'hunk: at two places',
    call: [
      'apply_patch',
      {
        patch:
          '*** Begin Patch\n*** Update File: src/auth.ts\n@@\n-  const token = sign(claims, LIFETIME);\n+  const token = sign(claims, 60);\n*** End Patch',
      },
    ],
    code: 'AMBIGUOUS',
    needs: [
      '@@ export async function login(name: string, password: string) {',
      '@@ export async function refresh(old: string) {',
    ],
  },
  {
    name: 'hunk: one line differs',
    call: [
      'apply_patch',
      {
        patch:
          "*** Begin Patch\n*** Update File: src/auth.ts\n@@ export async function refresh(old: string) {\n   const claims = verify(old);\n   if (!claims) throw new Error('invalid');\n-  const token = sign(claims, LIFETIME);\n+  const token = sign(claims, 60);\n*** End Patch",
      },
    ],
    code: 'PATCH_FAILED',
    needs: ['line 17', "'expired'", "'invalid'"],
    never: ['line 8'],
  },
  {
    name: 'hunk: no such anchor',
    call: [
      'apply_patch',
      {
        patch:
          '*** Begin Patch\n*** Update File: src/auth.ts\n@@ function refresh(\n-  const token = sign(claims, LIFETIME);\n+  const token = sign(claims, 60);\n*** End Patch',
      },
    ],
    code: 'PATCH_FAILED',
    needs: ['line 15', 'export async function refresh(old: string) {'],
  },
  {
    name: 'hunk: a line left out behind its anchor',
    call: [
      'apply_patch',
      {
        patch:
          "*** Begin Patch\n*** Update File: src/auth.ts\n@@ export async function refresh(old: string) {\n   const claims = verify(old);\n-  const token = sign(claims, LIFETIME);\n+  const token = sign(claims, 60);\n   await db.log('refresh', claims.name);\n*** End Patch",
      },
    ],
    code: 'PATCH_FAILED',
    needs: ['line 17', "if (!claims) throw new Error('expired');"],
    never: ["'login'"],
  },
  {
    name: 'hunk: applied before',
    call: [
      'apply_patch',
      {
        patch:
          '*** Begin Patch\n*** Update File: src/auth.ts\n@@\n-const LIFETIME = 600;\n+const LIFETIME = 3600;\n*** End Patch',
      },
    ],
    code: 'PATCH_FAILED',
    needs: ['already applied', 'line 4'],
  },
  {
    name: 'patch: cut off',
    call: [
      'apply_patch',
      {
        patch:
          '*** Begin Patch\n*** Update File: src/auth.ts\n@@\n-const LIFETIME = 3600;\n+const LIFETIME = 60;',
      },
    ],
    code: 'PATCH_SYNTAX',
    needs: ['*** End Patch', 'cut off'],
  },
  {
    name: 'patch: of another form',
    call: [
      'apply_patch',
      {
        patch:
          '--- a/src/auth.ts\n+++ b/src/auth.ts\n@@ -4 +4 @@\n-const LIFETIME = 3600;\n+const LIFETIME = 60;\n',
      },
    ],
    code: 'PATCH_SYNTAX',
    needs: ['unified diff', 'unified_diff', '*** Begin Patch'],
  },
  {
    name: 'line numbers: moved, and the lines are as they were',
    before: [
      ['view', { path: 'src/moved.ts' }],
      ['insert', { path: 'src/moved.ts', insert_line: 0, insert_text: '// one\n// two\n' }],
    ],
    call: ['insert', { path: 'src/moved.ts', insert_line: 26, insert_text: '  flush();' }],
    code: 'STALE',
    needs: ['your own edit', 'insert_line 28', 'version "', 'on_stale: "rebase"'],
    never: ['diff --git', '---', '+++'],
  },
  {
    name: 'line numbers: of lines that changed',
    before: [['view', { path: 'src/edited.ts' }]],
    others: [
      [
        'str_replace',
        { path: 'src/edited.ts', old_str: "'unknown user');", new_str: "'unknown user');\n  check(user);" },
      ],
    ],
    call: [
      'replace_lines',
      { path: 'src/edited.ts', start_line: 7, end_line: 10, new_content: '  return null;' },
    ],
    code: 'STALE',
    needs: ['by codex', '+  check(user);'],
  },
  {
    name: 'line numbers: behind a long change',
    before: [['view', { path: 'src/long.txt' }]],
    others: [
      ['view', { path: 'src/long.txt' }],
      [
        'replace_lines',
        {
          path: 'src/long.txt',
          start_line: 1,
          end_line: 100,
          new_content: Array.from({ length: 98 }, (_, i) => `new ${i}\n`).join(''),
        },
      ],
      ['str_replace', { path: 'src/long.txt', old_str: 'line 150\n', new_str: 'line 150!\n' }],
    ],
    call: ['replace_lines', { path: 'src/long.txt', start_line: 150, end_line: 151, new_content: 'x' }],
    code: 'STALE',
    needs: ['by codex', '+line 150!'],
    never: ['-line 1\n', '+new 0'],
  },
  {
    name: 'line numbers: of a file that was not viewed',
    call: ['insert', { path: 'docs/notes.md', insert_line: 2, insert_text: 'Zero.' }],
    code: 'NOT_VIEWED',
    needs: ['docs/notes.md', 'View it first'],
    never: ['version "'],
  },
  {
    name: 'line numbers: past the end',
    before: [['view', { path: 'src/db.ts' }]],
    call: ['replace_lines', { path: 'src/db.ts', start_line: 4, end_line: 5, new_content: 'x' }],
    code: 'LINE_OUT_OF_RANGE',
    needs: ['1 line'],
  },
  {
    name: 'line numbers: to before from',
    before: [['view', { path: 'src/db.ts' }]],
    call: ['edit_lines', { path: 'src/db.ts', edits: [{ from: 1, to: 0, content: 'x' }] }],
    code: 'LINE_OUT_OF_RANGE',
    needs: ['To insert before line 1', 'to'],
  },
  {
    name: 'path: misspelt',
    call: ['str_replace', { path: 'src/atuh.ts', old_str: 'a', new_str: 'b' }],
    code: 'FILE_NOT_FOUND',
    needs: ['src/auth.ts'],
  },
  {
    name: 'path: nothing like it',
    call: ['str_replace', { path: 'lib/render.tsx', old_str: 'a', new_str: 'b' }],
    code: 'FILE_NOT_FOUND',
    needs: ['lib/render.tsx', 'src/'],
  },
  {
    name: 'path: a file is there',
    call: ['create', { path: 'src/db.ts', file_text: 'x\n' }],
    code: 'FILE_EXISTS',
    needs: ['src/db.ts', 'overwrite'],
  },
  {
    name: 'path: ignored by git',
    call: ['create', { path: '.env', file_text: 'KEY=1\n' }],
    code: 'IGNORED_PATH',
    needs: ['.env'],
    never: ['.gitignore'],
  },
  {
    name: 'input: a field that there is not',
    call: ['str_replace', { path: 'src/db.ts', oldstring: 'a', new_str: 'b' }],
    code: 'INVALID_INPUT',
    needs: ['oldstring', 'old_str'],
  },
];
