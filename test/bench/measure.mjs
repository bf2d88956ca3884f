/** Timing several contenders in one loop, so that whatever drifts (disk, heat, neighbours) hits all of them. */

import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * @typedef {object} Contender
 * @property {string} name
 * @property {() => unknown} [prepare] done before each run, not timed
 * @property {() => unknown} run answers the milliseconds that it took if it measures them itself
 * @property {number} [runs] fewer runs, for the slow ones
 * @property {() => unknown} [close]
 */

/**
 * Rounds of one run each; every round starts with another contender, so that each follows each. Before each run the
 * disk is synced, untimed: git does not sync what it writes, and who syncs next would pay for it. Then the machine idles for
 * `idle` milliseconds, if any.
 * @param {Contender[]} contenders
 * @param {{ runs: number, warmUp: number, idle?: number }} how
 * @returns {Promise<Map<string, number[]>>} milliseconds by name
 */
export async function sideBySide(contenders, { runs, warmUp, idle = 0 }) {
  const times = new Map(contenders.map(({ name }) => [name, []]));
  for (let round = -warmUp; round < runs; round++) {
    for (const contender of rotated(contenders, round + warmUp)) {
      const own = Math.min(contender.runs ?? runs, runs);
      if (round >= own || round < -own) continue;
      const time = await timed(contender, idle);
      if (round >= 0) times.get(contender.name).push(time);
    }
  }
  for (const { close } of contenders) await close?.();
  return times;
}

async function timed({ prepare, run }, idle) {
  await prepare?.();
  spawnSync('sync');
  if (idle > 0) await sleep(idle);
  const start = performance.now();
  const own = await run();
  return typeof own === 'number' ? own : performance.now() - start;
}

function rotated(list, by) {
  const at = by % list.length;
  return [...list.slice(at), ...list.slice(0, at)];
}

/** @param {readonly number[]} values */
export function median(values) {
  return quantile(values, 0.5);
}

/** Between two values the mean of them, weighted. */
export function quantile(values, at) {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * at;
  const low = Math.floor(place);
  const high = Math.ceil(place);
  return sorted[low] + (sorted[high] - sorted[low]) * (place - low);
}
