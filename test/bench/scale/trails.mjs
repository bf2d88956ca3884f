/**
 * Trails of very many edits, made quickly: commits shaped like the engine's go into a pack by git fast-import; the last few
 * are edits of the library itself, and `vedit verify` says whether it is all a true trail.
 */

import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addHistory } from '../history.mjs';
import { git, makeRepository, pathOf } from '../repository.mjs';

const FILES = 1_000;
/** Of the library's own, at the end of each trail. */
const OWN = 5;
const VEDIT = fileURLToPath(new URL('../../../bin/vedit.js', import.meta.url));
const SOME_EDITS = fileURLToPath(new URL('../some-edits.mjs', import.meta.url));

/**
 * @param {'loose' | 'packed'} state
 * @returns {import('./row.mjs').TrailPlace}
 */
export function makeTrail(folder, edits, state, { check = false } = {}) {
  const name = `${edits} edits, ${state}`;
  const root = makeRepository(join(folder, `trail-${edits}-${state}`), FILES);
  addHistory(root, FILES, edits - OWN, { loose: state === 'loose' });
  execFileSync(process.execPath, [SOME_EDITS, root, String(FILES), String(OWN)]);
  if (state === 'packed') git(root, ['gc', '-q']);
  // What the edits of the library have read is none of the rows' business.
  rmSync(join(root, '.git/vedit/entries'), { force: true });
  if (check)
    execFileSync(process.execPath, [VEDIT, 'verify'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  const commits = git(root, ['rev-list', '--reverse', 'main..vedit/main']).trim().split('\n');
  return { name, folder: root, edits, state, path: pathOf(13), session: 's7', commits };
}
