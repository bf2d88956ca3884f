/** 27 calls that agents get wrong, which were rated beside twelve other tools, and the files that they are about. */

import type { Call } from './cases.ts';

export const SESSION = `import { sign, verify } from './token.js';
import { findUser } from '../users/store.js';

const LIFETIME = 3600;

export async function login(name, password) {
  const user = await findUser(name);
  if (!user) {
    throw new Error('unknown user');
  }
  if (!(await user.check(password))) {
    throw new Error("wrong password");
  }
  const token = sign({ id: user.id, role: user.role }, LIFETIME);
  return { token, user };
}

export async function refresh(token) {
  const claims = verify(token);
  const user = await findUser(claims.name);
  if (!user) {
    throw new Error('unknown user');
  }
  return sign({ id: user.id, role: user.role }, LIFETIME);
}

export function logout(token) {
  const claims = verify(token);
  revoked.add(claims.id);  
  log('logout', claims.id);
}
`;
export const ROUTES = `import { Router } from 'express';
const router = Router();

router.get('/users', async (req, res) => {
  const list = await users.all();
  res.json({ ok: true, list });
});

router.get('/users/:id', async (req, res) => {
  const user = await users.get(req.params.id);
  if (!user) return res.status(404).end();
  res.json({ ok: true, user });
});

router.post('/users', async (req, res) => {
  const user = await users.add(req.body);
  if (!user) return res.status(404).end();
  res.json({ ok: true, user });
});

router.put('/users/:id', async (req, res) => {
  const user = await users.put(req.params.id, req.body);
  if (!user) return res.status(404).end();
  res.json({ ok: true, user });
});

router.delete('/users/:id', async (req, res) => {
  const user = await users.del(req.params.id);
  if (!user) return res.status(404).end();
  res.json({ ok: true, user });
});

router.patch('/users/:id', async (req, res) => {
  const user = await users.patch(req.params.id, req.body);
  if (!user) return res.status(404).end();
  res.json({ ok: true, user });
});
`;

const S = 'src/auth/session.ts';
const FILE = `*** Update File: ${S}`;
const LIFETIME = { old_str: 'const LIFETIME = 3600;', new_str: 'const LIFETIME = 7200;' };

const patch = (...lines: string[]): { patch: string } => ({
  patch: ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n'),
});
const replace = (path: string, old_str: string, new_str = 'x'): Call => [
  'str_replace',
  { path, old_str, new_str },
];

/** What a person made of the file after the agent viewed it. */
export const CHANGED: string = SESSION.replace(
  LIFETIME.old_str,
  '// seconds; see ADR 12\nconst LIFETIME = 1800;',
).replace('import { findUser }', "import { audit } from '../audit.js';\nimport { findUser }");

/** A rated call: its words, its tokens before its message was worded anew, the call, and whether it is on the changed file. */
export interface Rated {
  name: string;
  before: number;
  call: Call;
  isStale?: true;
}

export const RATED: readonly Rated[] = [
  {
    name: '01 another indentation',
    before: 125,
    call: replace(
      S,
      "if (!user) {\n  throw new Error('unknown user');\n}\nif (!(await user.check(password))) {",
    ),
  },
  { name: '02 other quotes', before: 58, call: replace(S, "    throw new Error('wrong password');") },
  {
    name: '03 a changed line',
    before: 89,
    call: replace(
      S,
      "  const claims = verify(token);\n  const user = await findUser(claims.id);\n  if (!user) {\n    throw new Error('unknown user');\n  }",
    ),
  },
  {
    name: '04 blanks at the end of a line',
    before: 92,
    call: replace(S, "  revoked.add(claims.id);\n  log('logout', claims.id);"),
  },
  {
    name: '05 line numbers copied in',
    before: 91,
    call: replace(S, '27\texport function logout(token) {\n28\t  const claims = verify(token);'),
  },
  { name: '06 two matches', before: 120, call: replace(S, "    throw new Error('unknown user');") },
  {
    name: '07 five matches',
    before: 238,
    call: replace('src/routes.ts', '  if (!user) return res.status(404).end();'),
  },
  { name: '08 an empty old text', before: 44, call: replace(S, '') },
  { name: '09 the same old and new text', before: 28, call: replace(S, LIFETIME.old_str, LIFETIME.old_str) },
  {
    name: '10 a file that a person changed',
    before: 154,
    call: ['str_replace', { path: S, ...LIFETIME }],
    isStale: true,
  },
  {
    name: '11 lines that a person changed',
    before: 164,
    call: ['replace_lines', { path: S, start_line: 4, end_line: 4, new_content: LIFETIME.new_str }],
    isStale: true,
  },
  {
    name: '12 a line past the end',
    before: 53,
    call: ['replace_lines', { path: S, start_line: 29, end_line: 40, new_content: 'x' }],
  },
  {
    name: '13 a hunk with a wrong line',
    before: 90,
    call: [
      'apply_patch',
      patch(
        FILE,
        '@@ export async function refresh(token) {',
        '   const claims = verify(token);',
        '-  const user = await findUser(claims.id);',
        '+  const user = await findUser(claims.sub);',
        '   if (!user) {',
      ),
    ],
  },
  {
    name: '14 a hunk that fits twice',
    before: 96,
    call: [
      'apply_patch',
      patch(
        FILE,
        '@@',
        '   if (!user) {',
        "-    throw new Error('unknown user');",
        "+    throw new Error('no such user');",
        '   }',
      ),
    ],
  },
  {
    name: '15 a wrong anchor',
    before: 85,
    call: [
      'apply_patch',
      patch(
        FILE,
        '@@ export async function signIn(name, password) {',
        '-  return { token, user };',
        '+  return { token };',
      ),
    ],
  },
  {
    name: '16 a patch without its markers',
    before: 44,
    call: ['apply_patch', { patch: `${FILE}\n@@\n-${LIFETIME.old_str}\n+${LIFETIME.new_str}\n` }],
  },
  {
    name: '17 a patch that was cut off',
    before: 56,
    call: [
      'apply_patch',
      { patch: `*** Begin Patch\n${FILE}\n@@\n-${LIFETIME.old_str}\n+const LIFETIME = 72` },
    ],
  },
  {
    name: '18 a name in other letters',
    before: 23,
    call: ['str_replace', { path: 'src/auth/Session.ts', ...LIFETIME }],
  },
  { name: '19 a wrong folder', before: 21, call: ['str_replace', { path: 'src/session.ts', ...LIFETIME }] },
  {
    name: '20 a path of a mount',
    before: 41,
    call: ['str_replace', { path: '/workspace/src/auth/session.ts', ...LIFETIME }],
  },
  {
    name: '21 create over a file',
    before: 28,
    call: ['create', { path: 'README.md', file_text: '# New\n' }],
  },
  { name: '22 delete of a missing file', before: 37, call: ['delete', { path: 'src/old.ts' }] },
  { name: '23 a binary file', before: 35, call: replace('logo.png', 'PNG') },
  { name: '24 a file that is too large', before: 36, call: replace('big.log', 'a line') },
  { name: '25 a folder', before: 21, call: replace('src/auth', 'a') },
  { name: '26 an ignored path', before: 38, call: ['create', { path: 'dist/new.js', file_text: 'x();\n' }] },
  {
    name: '27 a path that leads outside',
    before: 24,
    call: ['create', { path: '../other/a.txt', file_text: 'x\n' }],
  },
];
