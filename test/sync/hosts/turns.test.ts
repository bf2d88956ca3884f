/** A host that pushes after every edit leaves turns to others, and next to none where it is alone. */

import { expect, it } from 'vitest';
import { RoundBudget } from '../../../src/sync/hosts/loop.ts';

const MIDDLE = 0.5;

/** Before which of so many syncs of 100 ms it waits, and how long. */
function waits(turns: RoundBudget, count: number, random = MIDDLE): number[][] {
  return Array.from({ length: count }, (_, n) => {
    const pause = turns.pause(random);
    turns.note({ hasPulled: false, rounds: 1, took: 100 });
    return [n, pause];
  }).filter(([, pause]) => pause! > 0);
}

it('a host to which nobody comes waits seldom, and ever more seldom', () => {
  expect(waits(new RoundBudget(), 200)).toEqual([
    [4, 600],
    [12, 600],
    [28, 600],
    [60, 600],
    [124, 600],
    [188, 600],
  ]);
});

it('where others come it leaves a turn again soon, of some rounds as they take them', () => {
  const turns = new RoundBudget();
  waits(turns, 150);
  turns.note({ hasPulled: true, rounds: 3, took: 900 });
  expect(waits(turns, 5)).toEqual([[4, 900]]);
  turns.note({ hasPulled: true, rounds: 1, took: 300 });
  expect(waits(turns, 5, 1)).toEqual([[4, 1350]]);
});

it('one sync that took long keeps the later ones for seconds at most', () => {
  const turns = new RoundBudget();
  turns.note({ hasPulled: false, rounds: 1, took: 60_000 });
  for (let n = 0; n < 3; n++) turns.note({ hasPulled: false, rounds: 1, took: 50 });
  expect(turns.pause(1)).toBeLessThanOrEqual(10_000);
});
