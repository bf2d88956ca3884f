/** Several processes that edit one repository at once, each its own file or work tree, against one process alone. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OWN } from './builds.mjs';
import { git, makeRepository, pathOf } from './repository.mjs';

const MANY = [8, 16];
const WORK_TREES = 8;

/** Edits of each process before. */
const WARM = 40;

/**
 * For each number of processes, and for one before and after it: all work for the same time, so that nobody is alone at the end.
 *
 * @returns {Promise<Array<{ name: string, processes: number, one: number, rate: number, lost: number, median: number, longest: number, fewest: number, most: number }>>}
 * edits a second; acknowledged edits that are gone; milliseconds of an edit; edits of a process
 */
export async function measureWriters(folder, { quick }) {
  const milliseconds = quick ? 1_000 : 5_000;
  const make = name => makeRepository(join(folder, name), 100);
  const alone = name => raceOf([make(name)], milliseconds);
  const between = async (name, folders) => {
    const before = await alone(`before-${name}`);
    const many = await raceOf(folders, milliseconds);
    const after = await alone(`after-${name}`);
    const lost = before.lost + many.lost + after.lost;
    return { ...many, name, processes: folders.length, one: (before.rate + after.rate) / 2, lost };
  };
  const results = [];
  for (const processes of MANY) {
    const repository = make(`many-${processes}`);
    results.push(await between(`${processes} processes`, Array(processes).fill(repository)));
  }
  const trees = linked(make('linked'), WORK_TREES);
  results.push(await between(`${WORK_TREES} processes, each a linked work tree`, trees));
  return results;
}

/** Work trees of a repository, each with a branch of its own. */
function linked(repository, count) {
  return Array.from({ length: count }, (_, own) => {
    const folder = `${repository}-${own}`;
    git(repository, ['worktree', 'add', '-q', '-b', `tree-${own}`, folder]);
    return folder;
  });
}

/**
 * Lets a process for each folder edit for so long; the same folder may stand there several times.
 * @param {string[]} folders
 * @param {import('./builds.mjs').Build} build
 */
export async function raceOf(folders, milliseconds, build = OWN) {
  const script = new URL('./writer.mjs', import.meta.url);
  const writers = folders.map((folder, own) =>
    fork(script, [folder, String(own), String(WARM), String(milliseconds), build.lib]),
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
    lost: lostOf(folders, told),
    median: times[times.length >> 1],
    longest: times.at(-1),
    fewest: Math.min(...counts),
    most: Math.max(...counts),
  };
}

function lostOf(folders, told) {
  const lost = told.map(({ commits }, own) => {
    const branch = git(folders[own], ['symbolic-ref', '--short', 'HEAD']).trim();
    const inHistory = new Set(git(folders[own], ['rev-list', `refs/vedit/${branch}`]).split('\n'));
    const text = readFileSync(join(folders[own], pathOf(own)), 'utf8');
    const isStale = !text.includes(`count ${commits.length}\n`);
    return commits.filter(commit => !inHistory.has(commit)).length + (isStale ? 1 : 0);
  });
  return lost.reduce((sum, one) => sum + one, 0);
}
