/** The published package without what reads symbols beside it, and with it. */

import { execFileSync } from 'node:child_process';
import { afterAll, expect, it } from 'vitest';
import { published } from '../helpers/published.ts';

const bare = published();
const whole = published(['@vscode/tree-sitter-wasm', 'yaml', 'toml-eslint-parser', 'eslint-visitor-keys']);
afterAll(() => {
  bare.remove();
  whole.remove();
});

const PROGRAM = `
import { memoryFs, initRepository, openWorkspace } from 'versioned-edit';
import { outline } from 'versioned-edit/symbols';
const fs = memoryFs();
await initRepository({ root: '/w', fs });
const workspace = await openWorkspace({ root: '/w', fs });
const { data } = await workspace.session().edit('create', { path: 'a.ts', file_text: 'f(;\\n' });
const said = [];
for (const [path, text] of [['a.ts', 'function f() {}'], ['a.yml', 'a: 1'], ['a.toml', 'a = 1'], ['a.json', '{ "a": 1 }']])
  said.push(await outline(path, text).then(all => all[0].name, error => error.data.install));
console.log(JSON.stringify([data.notes?.length ?? 0, ...said]));
`;

it.each([
  [bare, [0, '@vscode/tree-sitter-wasm', 'yaml', 'toml-eslint-parser', 'a']],
  [whole, [1, 'f', 'a', 'a', 'a']],
])('says what to install, and nothing else changes', ({ folder }, said) => {
  const args = ['--input-type=module', '-e', PROGRAM];
  expect(JSON.parse(execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }))).toEqual(said);
});
