/**
 * A route of Next.js that edits: the packed package goes through Next's server build (Turbopack, and webpack), as a route in
 * ESM and as one in CommonJS, and the built server makes the edits. `npm run test:next`.
 */

import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const PORT = 39_417;

const EDITS = `
async function edited() {
  const root = process.env.WORK;
  await initRepository({ root });
  const workspace = await openWorkspace({ root });
  const session = workspace.session({ agent: 'next' });
  await session.edit('create', { path: 'a.txt', file_text: 'one\\n', overwrite: true });
  await session.undo();
  const refused = await session.edit('delete', { path: 'none' }).catch(error => isEditError(error) && error.code);
  const { sound } = (await workspace.verify()).data;
  const ops = (await session.log({ limit: 2 })).data.entries.map(entry => entry.op);
  await workspace.close();
  return Response.json([refused, sound, ops]);
}`;
const NAMES = '{ initRepository, isEditError, openWorkspace }';
const ROUTES = {
  esm: `import ${NAMES} from 'versioned-edit';${EDITS}\nexport const dynamic = 'force-dynamic';\nexport const GET = edited;\n`,
  cjs: `const ${NAMES} = require('versioned-edit');${EDITS}\nmodule.exports = { dynamic: 'force-dynamic', GET: edited };\n`,
};
const EXPECTED = '["FILE_NOT_FOUND",true,["undo","create"]]';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vedit-next-')));
const quiet = {
  cwd: folder,
  stdio: ['ignore', 'pipe', 'inherit'],
  env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' },
};
const packing = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
const [{ filename }] = JSON.parse(
  execFileSync('npm', packing, { cwd: ROOT, stdio: ['ignore', 'pipe', 'ignore'] }),
);
writeFileSync(join(folder, 'package.json'), '{ "private": true }');
const packages = ['next@16', 'react@19', 'react-dom@19', join(folder, filename)];
execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...packages], quiet);
for (const [name, text] of Object.entries(ROUTES)) {
  mkdirSync(join(folder, 'app', name), { recursive: true });
  writeFileSync(join(folder, 'app', name, 'route.js'), text);
}
const next = join(folder, 'node_modules/next/dist/bin/next');

/** Answers what a route of the built server says, once the server listens. */
async function said(name) {
  for (let tries = 0; tries < 100; tries++) {
    const response = await fetch(`http://127.0.0.1:${PORT}/${name}`).catch(() => null);
    if (response) return response.text();
    await new Promise(done => setTimeout(done, 100));
  }
  return 'no server';
}

for (const bundler of ['--turbopack', '--webpack']) {
  execFileSync(process.execPath, [next, 'build', bundler], quiet);
  const env = { ...quiet.env, WORK: join(folder, `work${bundler}`) };
  const args = [next, 'start', '-p', String(PORT), '-H', '127.0.0.1'];
  const server = spawn(process.execPath, args, { cwd: folder, env, stdio: 'ignore' });
  for (const name of Object.keys(ROUTES)) {
    const text = await said(name);
    const passed = text === EXPECTED;
    if (!passed) process.exitCode = 1;
    console.log(`next build ${bundler}, ${name}: ${passed ? 'passed' : `failed\n${text.slice(0, 500)}`}`);
  }
  server.kill();
  await new Promise(done => server.on('close', done));
}
rmSync(folder, { recursive: true, force: true });
