/**
 * Makes dist/executable: vedit in one file that needs no Node, of this system, and beside it the two small scripts that hooks
 * start, which are shell. It is Node itself with the built command line in it.
 */

import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { inject } from 'postject';

const ROOT = join(import.meta.dirname, '..');
const FOLDER = join(ROOT, 'dist/executable');
const isWindows = process.platform === 'win32';
const made = join(FOLDER, isWindows ? 'vedit.exe' : 'vedit');
const at = name => join(FOLDER, name);

/** Runs the parts of dist/cli/main.cjs, as bin/load.js does; what lies beside that file is bundled here. */
const MAIN = `
const { getAsset } = require('node:sea');
const { Script } = require('node:vm');
const { requireParts } = require('./bin/load.js');
const text = getAsset('main.cjs', 'utf8');
const head = text.slice(0, text.indexOf('\\n'));
const { parts } = JSON.parse(head.slice('// '.length));
const script = name => {
  const [from, to] = parts[name].map(place => head.length + 1 + place);
  return new Script(text.slice(from, to), { filename: name }).runInThisContext();
};
const BESIDE = {
  './mcp.cjs': () => require('./dist/cli/mcp.cjs'),
  '../lib/surfaces/web/built.js': () => require('./dist/lib/surfaces/web/built.js'),
  'iconv-lite': () => require('iconv-lite'),
  zod: () => require('zod'),
};
const outside = name => (BESIDE[name] ?? (() => require(name)))();
const { main } = requireParts(name => name in parts, script, outside)('./main.cjs');
main(process.argv.slice(2)).then(code => (process.exitCode = code));
`;

/** Of Node: what postject looks for in it. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
await build({
  stdin: { contents: MAIN, resolveDir: ROOT },
  outfile: at('main.cjs'),
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  minify: true,
  logLevel: 'warning',
});
const config = {
  main: at('main.cjs'),
  output: at('blob'),
  disableExperimentalSEAWarning: true,
  assets: { 'main.cjs': join(ROOT, 'dist/cli/main.cjs') },
};
writeFileSync(at('sea.json'), JSON.stringify(config));
execFileSync(process.execPath, ['--experimental-sea-config', at('sea.json')], { stdio: 'ignore' });
copyFileSync(process.execPath, made);
chmodSync(made, 0o755);
const isMac = process.platform === 'darwin';
if (isMac) execFileSync('codesign', ['--remove-signature', made]);
await inject(made, 'NODE_SEA_BLOB', readFileSync(at('blob')), {
  sentinelFuse: FUSE,
  machoSegmentName: isMac ? 'NODE_SEA' : undefined,
});
if (isMac) execFileSync('codesign', ['--sign', '-', made]);
for (const name of ['main.cjs', 'blob', 'sea.json']) rmSync(at(name));
for (const name of ['vedit-hook', 'vedit-rights']) copyFileSync(join(ROOT, 'bin', name), at(name));
copyFileSync(join(ROOT, 'dist/licenses.txt'), at('licenses.txt'));
copyFileSync(join(ROOT, 'LICENSE'), at('LICENSE'));
const ofNode = join(dirname(process.execPath), isWindows ? '.' : '..', 'LICENSE');
if (existsSync(ofNode)) copyFileSync(ofNode, at('LICENSE-node'));
