/**
 * What is said of edits, in histories drawn by lot, beside an oracle. `STATUS_HISTORIES` sets how many: 500 by themselves,
 * 20,000 at length.
 */

import { describe, expect, it } from 'vitest';
import {
  differences,
  type Item,
  inWords,
  itemsOf,
  played,
  shortened,
  type Tally,
  tally,
} from './histories.ts';
import { sourceWords } from './sources.ts';

const COUNT = Number(process.env.STATUS_HISTORIES ?? 500);

/** Files as long as many sources are. */
const LENGTHS = [120, 60];

function wrongIn(items: readonly Item[]): string[] {
  const scene = played(items).scene();
  return scene ? differences(scene) : [];
}

describe(`${COUNT} histories`, { timeout: 3_600_000 }, () => {
  it('are told truly, line by line, where all lines differ', () => {
    const wrong: string[] = [];
    for (let seed = 1; seed <= COUNT && wrong.length < 3; seed++) {
      const items = itemsOf(seed);
      if (wrongIn(items).length === 0) continue;
      const short = shortened(items, less => wrongIn(less).length > 0);
      wrong.push([`${seed}: ${inWords(short)}`, ...wrongIn(short)].join('\n'));
    }
    expect(wrong).toEqual([]);
  });

  it('are told soundly where half of the lines say what others say, and in 1 % in other words at most', () => {
    const sum: Tally = { edits: 0, other: 0, unsound: 0 };
    for (let seed = 1; seed <= COUNT; seed++) {
      const world = played(itemsOf(seed), LENGTHS);
      tally(world, sourceWords(world, seed, LENGTHS[0]! + LENGTHS[1]!), sum);
    }
    console.log(`status: ${sum.edits} edits, ${sum.other} in other words, ${sum.unsound} lines not there`);
    expect(sum.edits).toBeGreaterThan(3 * COUNT);
    expect(sum.unsound).toBe(0);
    expect(sum.other / sum.edits).toBeLessThanOrEqual(0.01);
  });
});
