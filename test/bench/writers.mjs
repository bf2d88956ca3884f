/** Several processes that edit one repository at once, each its own file, against one process alone. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { git, makeRepository, pathOf } from './repository.mjs';

export const MANY = [8, 16];

/** Edits of each process before. */
const WARM = 40;

/**
 * For each number of processes, and for one before and after it: all work for the same time, so that nobody is alone at the end.
 *
 * @returns {Promise<Array<{ processes: number, one: number, rate: number, lost: number, median: number, longest: number, fewest: number, most: number }>>}
 * edits a second; acknowledged edits that are gone; milliseconds of an edit; edits of a process
 */
export async function measureWriters(folder, { quick }) {
  const milliseconds = quick ? 1_000 : 5_000;
  const race = (name, processes) => raceOf(makeRepository(join(folder, name), 100), processes, milliseconds);
  const results = [];
  for (const processes of MANY) {
    const before = await race(`before-${processes}`, 1);
    const many = await race(`many-${processes}`, processes);
    const after = await race(`after-${processes}`, 1);
    const lost = before.lost + many.lost + after.lost;
    results.push({ ...many, processes, one: (before.rate + after.rate) / 2, lost });
  }
  return results;
}

async function raceOf(folder, processes, milliseconds) {
  const writers = Array.from({ length: processes }, (_, own) =>
    fork(new URL('./writer.mjs', import.meta.url), [folder, String(own), String(WARM), String(milliseconds)]),
  );
  await Promise.all(writers.map(writer => once(writer, 'message')));
  const start = performance.now();
  const answers = writers.map(writer => once(writer, 'message'));
  for (const writer of writers) writer.send('go');
  const told = (await Promise.all(answers)).map(([answer]) => answer);
  const seconds = (performance.now() - start) / 1000;
  const times = told.flatMap(answer => answer.times).sort((a, b) => a - b);
  const counts = told.map(answer => answer.times.length);
  return {
    rate: times.length / seconds,
    lost: lostOf(folder, told),
    median: times[times.length >> 1],
    longest: times.at(-1),
    fewest: Math.min(...counts),
    most: Math.max(...counts),
  };
}

function lostOf(folder, told) {
  const inHistory = new Set(git(folder, ['rev-list', 'refs/vedit/main']).split('\n'));
  const lost = told.flatMap(({ commits }) => commits).filter(commit => !inHistory.has(commit)).length;
  const stale = told.filter(
    ({ commits }, own) =>
      !readFileSync(join(folder, pathOf(own)), 'utf8').includes(`count ${commits.length}\n`),
  );
  return lost + stale.length;
}
