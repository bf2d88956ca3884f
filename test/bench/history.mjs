/** A long trail, made quickly: commits shaped like the engine's, objects loose as the engine leaves them. */

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentOf, data, git, pathOf } from './repository.mjs';

/**
 * Puts so many edits on `refs/vedit/main` of a fresh repository, and their results on disk. `loose: false` leaves the objects
 * in the pack of the import.
 */
export function addHistory(folder, files, edits, { loose = true } = {}) {
  const head = git(folder, ['rev-parse', 'HEAD']).trim();
  const before = new Set(packsOf(folder));
  const counts = new Array(files).fill(0);
  const parts = [];
  for (let edit = 0; edit < edits; edit++) {
    const index = (edit * 7919) % files;
    const content = contentOf(index, ++counts[index]);
    parts.push(commit(edit === 0 ? head : null, head, pathOf(index), content, edit));
  }
  git(folder, ['fast-import', '--quiet', '--done'], `${parts.join('')}done\n`);
  if (loose) loosen(folder, before);
  for (const [index, count] of counts.entries()) {
    if (count > 0) writeFileSync(join(folder, pathOf(index)), contentOf(index, count));
  }
}

function commit(from, head, path, content, edit) {
  const begins = from ? 'Vedit-Line: 2\n' : '';
  const trailers = `Vedit-Op: str_replace\nVedit-Path: ${path}\nVedit-Head: ${head}\n${begins}Vedit-Session: s${edit % 50}\nVedit-Agent: bench\n`;
  const seconds = 1_700_000_000 + edit;
  return [
    'commit refs/vedit/main\n',
    `author bench <bench@vedit.invalid> ${seconds} +0000\n`,
    `committer vedit <vedit@vedit.invalid> ${seconds} +0000\n`,
    data(`str_replace ${path} (+1 -1)\n\n${trailers}`),
    from ? `from ${from}\n` : '',
    `M 100644 inline ${path}\n`,
    data(content),
  ].join('');
}

/** The engine writes loose objects, so the pack of the import becomes such. */
function loosen(folder, before) {
  for (const pack of packsOf(folder).filter(name => !before.has(name))) {
    const bytes = readFileSync(pack);
    for (const end of ['.pack', '.idx']) rmSync(pack.replace(/\.pack$/, end));
    git(folder, ['unpack-objects', '-q'], bytes);
  }
}

function packsOf(folder) {
  const packs = join(folder, '.git/objects/pack');
  return readdirSync(packs)
    .filter(name => name.endsWith('.pack'))
    .map(name => join(packs, name));
}
