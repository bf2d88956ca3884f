/** The calls whose work is counted, each from the session's method down, what has to be done before it, and where. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { git, makeRepository } from './repository.mjs';
import { PLAIN_GIT } from './shell.mjs';

export const CALLS = ['str_replace', 'undo', 'land', 'view'];
const FILES = 100;
const pathOf = index => `src/file-${String(index).padStart(5, '0')}.txt`;

/**
 * Makes a repository in which a call takes what it takes on most days: its files lie in a folder and were not written a moment
 * ago, and the folders of objects are there.
 */
export function makePlace(folder) {
  makeRepository(folder, FILES);
  git(folder, ['mv', '00/00', 'src']);
  git(folder, ['commit', '-qm', 'in a folder']);
  for (let byte = 0; byte < 256; byte++)
    mkdirSync(join(folder, '.git/objects', byte.toString(16).padStart(2, '0')), { recursive: true });
  for (let index = 0; index < FILES; index++)
    utimesSync(join(folder, pathOf(index)), 1_700_000_000, 1_700_000_000);
  git(folder, ['update-index', '-q', '--refresh']);
  // Their change times cannot be set.
  execFileSync('sleep', ['2.6']);
  return folder;
}

/**
 * Opens a workspace for the calls of that name. Each edits the next file, so there are at most 100 of them.
 * @param {string} lib where the library is imported from
 * @returns {Promise<{ before: () => Promise<unknown>, call: () => Promise<unknown>, close: () => Promise<void> }>}
 */
export async function callOf(lib, name, folder) {
  const { openWorkspace, systemGit } = await import(lib);
  const workspace = await openWorkspace({ root: folder });
  const session = workspace.session({ agent: 'bench' });
  const realGit = name === 'land' ? await systemGit(PLAIN_GIT) : undefined;
  let next = 0;
  const edit = () => {
    const input = { path: pathOf(next++), old_str: 'count 0\n', new_str: 'count 1\n' };
    return session.edit('str_replace', input);
  };
  const nothing = () => {};
  const [before, call] = {
    str_replace: [nothing, edit],
    undo: [edit, () => session.undo()],
    land: [edit, () => workspace.land({ git: realGit, message: 'm' })],
    view: [nothing, () => session.view({ path: pathOf(next++) })],
  }[name];
  return { before: async () => before(), call, close: () => workspace.close() };
}
