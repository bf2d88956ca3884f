/** Builds dist once before the tests when a source is newer: the tests of the command line run the real program. */

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const BUILT = join(ROOT, 'dist', 'cli', 'main.cjs');

export default function setup(): void {
  if (existsSync(BUILT) && statSync(BUILT).mtimeMs > newestSource()) return;
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: ROOT });
  spawnSync(process.execPath, ['bundle.mjs'], { cwd: ROOT });
  // A type error is not this file's business: tsc writes the program all the same, and npm run typecheck reports it.
  if (!existsSync(BUILT)) throw new Error(`npm run build failed:\n${stdout}`);
  utimesSync(BUILT, new Date(), new Date());
}

function newestSource(): number {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
  const times = files.map(file => statSync(join(ROOT, 'src', file)).mtimeMs);
  return Math.max(...times, statSync(join(ROOT, 'tsconfig.build.json')).mtimeMs);
}
