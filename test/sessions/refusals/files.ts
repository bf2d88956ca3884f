/** The files that the calls of cases.ts are about. */

const AUTH = `import { db } from './db.ts';
import { sign, verify } from './jwt.ts';

const LIFETIME = 3600;

export async function login(name: string, password: string) {
  const user = await db.users.find(name);
  if (!user) throw new Error('unknown user');
  const claims = { sub: user.id, name: user.name };
  const token = sign(claims, LIFETIME);
  await db.log('login', claims.name);
  return token;
}

export async function refresh(old: string) {
  const claims = verify(old);
  if (!claims) throw new Error('expired');
  const token = sign(claims, LIFETIME);
  await db.log('refresh', claims.name);
  return token;
}

export async function logout(old: string) {
  const claims = verify(old);
  if (!claims) return;
  await db.log('logout', claims.name);
}
`;

const block = (name: string): string =>
  `def ${name}(request):\n    if not request.user:\n        return None\n    check(request)\n    return request.user\n`;

const LONG = Array.from({ length: 200 }, (_, i) => `line ${i + 1}`).join('\n');

export const FILES: Readonly<Record<string, string>> = {
  'src/auth.ts': AUTH,
  'src/db.ts': 'export const db = {};\n',
  'src/views.py': ['a', 'b', 'c', 'd', 'e'].map(block).join('\n'),
  'src/tabs.go': 'func main() {\n\tif ready {\n\t\tstart()\n\t\twait()\n\t}\n}\n',
  'src/quotes.md': 'He said “stop” and left.\nShe stayed.\n',
  'src/moved.ts': AUTH,
  'src/edited.ts': AUTH,
  'src/long.txt': `${LONG}\n`,
  'docs/notes.md': '# Notes\n\nFirst.\n',
  '.gitignore': '.env\n',
};
