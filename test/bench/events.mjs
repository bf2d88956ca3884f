/** How long an edit takes to be told to another process, and what it costs that others follow. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openWorkspace } from '../../dist/lib/index.js';
import { Files, makeRepository } from './repository.mjs';

const FOLLOWERS = 10;

/**
 * @returns {Promise<{ edit: number[], lag: number[], followed: number[] }>} milliseconds: of an edit that nobody follows, from
 * the answer of an edit to its event in one other process, and of an edit that ten processes follow
 */
export async function measureEvents(folder, { runs, warmUp }) {
  const files = 100;
  const repository = makeRepository(join(folder, 'events'), files);
  const workspace = await openWorkspace({ root: repository });
  const session = workspace.session({ agent: 'bench' });
  const list = new Files(repository, files);
  const timed = async () => {
    const start = performance.now();
    const { commit } = (await session.edit('str_replace', list.nextEdit())).data;
    return { commit, took: performance.now() - start, end: performance.timeOrigin + performance.now() };
  };
  for (let n = 0; n < warmUp; n++) await timed();
  const edit = await repeated(runs, async () => (await timed()).took);
  const one = await follow(repository);
  const lag = await repeated(runs, async () => {
    // The clock of an event that was told before the answer was read is a little earlier.
    const { commit, end } = await timed();
    return Math.max(0, (await one.heard(commit)) - end);
  });
  const others = await Promise.all(Array.from({ length: FOLLOWERS - 1 }, () => follow(repository)));
  const followed = await repeated(runs, async () => {
    const { commit, took } = await timed();
    for (const other of [one, ...others]) await other.heard(commit);
    return took;
  });
  for (const other of [one, ...others]) await other.end();
  await workspace.close();
  return { edit, lag, followed };
}

async function repeated(runs, measure) {
  const times = [];
  for (let n = 0; n < runs; n++) times.push(await measure());
  return times;
}

async function follow(repository) {
  const child = fork(new URL('./follower.mjs', import.meta.url), [repository]);
  const times = new Map();
  child.on('message', ({ commit, at }) => times.set(commit, at));
  await once(child, 'message');
  const heard = async commit => {
    while (!times.has(commit)) await sleep(1);
    return times.get(commit);
  };
  const end = async () => {
    child.send('end');
    await once(child, 'exit');
  };
  return { heard, end };
}
