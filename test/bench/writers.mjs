/** Several processes that edit one repository at once, each its own file, against one process alone. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { git, makeRepository, pathOf } from './repository.mjs';

const PROCESSES = 8;

/** @returns {Promise<{ one: number, many: number, lost: number }>} edits a second, and acknowledged edits that are gone */
export async function measureWriters(folder, { quick }) {
  const edits = quick ? 20 : 200;
  const one = await race(makeRepository(join(folder, 'one-writer'), 100), 1, edits);
  const many = await race(makeRepository(join(folder, 'many-writers'), 100), PROCESSES, edits);
  return { one: one.rate, many: many.rate, lost: one.lost + many.lost };
}

async function race(folder, processes, edits) {
  const writers = Array.from({ length: processes }, (_, own) =>
    fork(new URL('./writer.mjs', import.meta.url), [folder, String(own), String(edits)]),
  );
  await Promise.all(writers.map(writer => once(writer, 'message')));
  const start = performance.now();
  const answers = writers.map(writer => once(writer, 'message'));
  for (const writer of writers) writer.send('go');
  const commits = (await Promise.all(answers)).flatMap(([{ commits }]) => commits);
  const seconds = (performance.now() - start) / 1000;
  return { rate: (processes * edits) / seconds, lost: lostOf(folder, commits, processes, edits) };
}

function lostOf(folder, commits, processes, edits) {
  const inHistory = new Set(git(folder, ['rev-list', 'refs/vedit/main']).split('\n'));
  const lost = commits.filter(commit => !inHistory.has(commit)).length;
  const stale = Array.from({ length: processes }, (_, own) =>
    readFileSync(join(folder, pathOf(own)), 'utf8'),
  ).filter(text => !text.includes(`count ${edits}\n`));
  return lost + stale.length;
}
