/** Reading a history: what it costs after many edits against few, and the same beside git. */

import { join } from 'node:path';
import { inChild, shellCommand } from './contenders.mjs';
import { addHistory } from './history.mjs';
import { sideBySide } from './measure.mjs';
import { faster, slower } from './report.mjs';
import { makeRepository, pathOf } from './repository.mjs';
import { quoted } from './shell.mjs';

/** How much slower after many edits. */
const SAME = 1.3;
const SHORT = 100;
const FLAT = ['status', 'log', 'undo'];

export async function measureReading(folder, options) {
  const [files] = options.files;
  const path = pathOf(Math.min(13, files - 1));
  const [few, many] = [SHORT, options.history].map(edits => {
    const repository = makeRepository(join(folder, `reading-${edits}`), files);
    addHistory(repository, files, edits);
    return repository;
  });
  const read = (name, repository, what) => inChild(name, './reader.mjs', [repository, what, path]);
  const contenders = [];
  for (const what of FLAT) {
    contenders.push(await read(`${what} few`, few, what));
    contenders.push(await read(`${what} many`, many, what));
  }
  contenders.push(await read('log of a file', many, 'log of a file'), await read('blame', many, 'blame'));
  contenders.push(shellCommand('git log', many, `git log vedit/main -- ${quoted(path)}`));
  contenders.push(shellCommand('git blame', many, `git blame vedit/main -- ${quoted(path)}`));
  const times = await sideBySide(contenders, options);
  return rows(times, options.history);
}

function rows(times, history) {
  const flat = FLAT.map(what => {
    const named = what === 'log' ? 'log -n 20' : what;
    const [many, few] = [times.get(`${what} many`), times.get(`${what} few`)];
    return slower(`${named} after ${history} edits`, many, `after ${SHORT}`, few, SAME);
  });
  return [
    ...flat,
    faster(
      `log <path>, ${history} edits`,
      times.get('log of a file'),
      'git log -- <path>',
      times.get('git log'),
    ),
    faster(`blame, ${history} edits`, times.get('blame'), 'git blame', times.get('git blame')),
  ];
}
