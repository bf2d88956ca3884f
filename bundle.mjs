/**
 * Puts the built command line into one file (dist/cli/main.cjs) and keeps beside it what V8 compiled of it. A process
 * that makes one edit spends most of its time on loading and compiling: about 300 small files took 4.3 times as long
 * as `node -e 0`, fifty took 2.7 times, this takes 1.9 times. CommonJS, because only for such a file can Node 20 be
 * given what was compiled before.
 */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

// What was compiled must never stand beside another text than its own.
rmSync('dist/cli', { recursive: true, force: true });

await build({
  entryPoints: ['dist/surfaces/cli/main.js'],
  outfile: 'dist/cli/main.cjs',
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  // Node cannot do an import() from what it compiled before; it can require() modules of both kinds.
  supported: { 'dynamic-import': false },
  external: ['isomorphic-git', '@modelcontextprotocol/server'],
  define: { 'import.meta.url': 'ownUrl' },
  banner: { js: "const ownUrl = require('node:url').pathToFileURL(__filename).href;" },
  logLevel: 'warning',
});

const scratch = mkdtempSync(join(tmpdir(), 'vedit-build-'));
try {
  const env = { ...process.env, TMPDIR: scratch, TEMP: scratch };
  spawnSync(process.execPath, ['bin/compile.js'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
