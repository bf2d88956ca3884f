/**
 * The built package on other runtimes than Node: each, brought by npx, edits, refuses, undoes and verifies on the disk.
 * `npm run test:runtimes`, or with the names of some.
 */

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

const RUNTIMES = {
  node: ['node'],
  ...Object.fromEntries(
    [22, 24, 26].map(major => [`node ${major}`, ['npx', '-y', '-p', `node@${major}`, 'node']]),
  ),
  bun: ['npx', '-y', 'bun', 'run'],
  deno: ['npx', '-y', 'deno', 'run', '--allow-all', '--node-modules-dir=manual'],
};

const program = root => `
import { initRepository, isEditError, openWorkspace } from 'versioned-edit';
const root = ${JSON.stringify(root)};
await initRepository({ root });
const workspace = await openWorkspace({ root });
const session = workspace.session({ agent: 'runtime' });
await session.edit('create', { path: 'a.txt', file_text: 'one\\n' });
await session.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'two' });
const refused = await session.edit('delete', { path: 'none' }).catch(error => isEditError(error) && error.code);
await session.undo();
const { data } = await session.log();
const { sound } = (await workspace.verify()).data;
await workspace.close();
console.log(JSON.stringify([refused, sound, data.entries.map(entry => entry.op)]));
`;
const EXPECTED = '["FILE_NOT_FOUND",true,["undo","str_replace","create"]]';

/** A folder with the package as it is published, beside what it depends on. */
function install() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vedit-runtime-')));
  const modules = join(folder, 'node_modules');
  const own = join(modules, 'versioned-edit');
  mkdirSync(own, { recursive: true });
  const options = { cwd: ROOT, encoding: 'utf8' };
  const packed = spawnSync(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
    options,
  );
  const [{ filename }] = JSON.parse(packed.stdout);
  spawnSync('tar', ['-xzf', join(folder, filename), '-C', own, '--strip-components=1']);
  for (const name of ['zod', 'diff'])
    cpSync(join(ROOT, 'node_modules', name), join(modules, name), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "dependencies": { "versioned-edit": "*" } }');
  return folder;
}

const named = process.argv.slice(2);
let failed = 0;
for (const [name, [command, ...args]] of Object.entries(RUNTIMES)) {
  if (named.length > 0 && !named.includes(name)) continue;
  const folder = install();
  const file = join(folder, 'program.mjs');
  writeFileSync(file, program(join(folder, 'work')));
  const { stdout, stderr, error } = spawnSync(command, [...args, file], { cwd: folder, encoding: 'utf8' });
  const passed = stdout?.trim() === EXPECTED;
  if (!passed) failed++;
  console.log(`${name}: ${passed ? 'passed' : `failed\n${error ?? ''}${stdout}${stderr}`.slice(0, 2000)}`);
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed > 0 ? 1 : 0;
