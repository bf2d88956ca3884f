/** Builds dist once before the tests when a source is newer: the tests of the command line run the real program. */

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const BUILD = ['tsconfig.build.json', 'bundle.mjs'];
const BUILT = join(ROOT, 'dist', 'cli', 'main.cjs');

export default function setup(): void {
  // What the command line keeps of V8 is shared by the tests, and none of it goes to the home of whoever runs them.
  process.env.XDG_CACHE_HOME = join(tmpdir(), `vedit-tests-cache-${process.getuid?.() ?? 0}`);
  if (existsSync(BUILT) && statSync(BUILT).mtimeMs > newestSource()) return;
  // What an earlier build left would be published.
  rmSync(join(ROOT, 'dist'), { recursive: true, force: true });
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
  return Math.max(...times, ...BUILD.map(file => statSync(join(ROOT, file)).mtimeMs));
}
