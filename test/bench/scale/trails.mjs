/**
 * Trails of very many edits, made quickly: commits shaped like the engine's go into a pack by git fast-import; the last few
 * are edits of the library itself, and `vedit verify` says whether it is all a true trail.
 */

import { execFileSync } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OWN } from '../builds.mjs';
import { addHistory } from '../history.mjs';
import { copyRepository, git, makeRepository, pathOf } from '../repository.mjs';

const FILES = 1_000;
/** Of the library's own, at the end of each trail. */
const LAST = 5;
const SOME_EDITS = fileURLToPath(new URL('../some-edits.mjs', import.meta.url));

/**
 * Makes a trail in a folder of `folder`, or copies it from `trails`, where those that were made are kept.
 * @param {'loose' | 'packed'} state
 * @param {{ check?: boolean, trails?: string | undefined }} options
 * @returns {import('./row.mjs').TrailPlace}
 */
export function makeTrail(folder, edits, state, { check = false, trails } = {}) {
  const own = `trail-${edits}-${state}`;
  if (trails && !existsSync(join(trails, own))) madeTrail(trails, own, edits, state);
  const root = trails
    ? copyRepository(join(trails, own), join(folder, own))
    : madeTrail(folder, own, edits, state);
  if (check)
    execFileSync(process.execPath, [OWN.bin, 'verify'], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  const commits = git(root, ['rev-list', '--reverse', 'main..vedit/main']).trim().split('\n');
  const name = `${edits} edits, ${state}`;
  return { name, folder: root, edits, state, path: pathOf(13), session: 's7', commits };
}

function madeTrail(folder, name, edits, state) {
  // Renamed when it is whole: one that was interrupted is made again.
  const root = makeRepository(join(folder, `${name}.part-${process.pid}`), FILES);
  addHistory(root, FILES, edits - LAST, { loose: state === 'loose' });
  execFileSync(process.execPath, [SOME_EDITS, root, String(FILES), String(LAST)]);
  if (state === 'packed') git(root, ['gc', '-q']);
  // What the edits of the library have read is none of the rows' business.
  rmSync(join(root, '.git/vedit/entries'), { force: true });
  renameSync(root, join(folder, name));
  return join(folder, name);
}
