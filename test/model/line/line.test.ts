/** The line against an oracle that shares no code with it: a sample. `line.long.ts` plays the rest. */

import { expect, it } from 'vitest';
import { playFormatted } from './formatted.ts';
import { GitWorld } from './git-world.ts';
import { BASE, NONE, play } from './history.ts';
import { NO_COUNTS, playProduct } from './product.ts';
import { playRepeated } from './repeated.ts';

/** The seeds from `first` on, as many as asked; VEDIT_LONG plays ten thousand. */
const HISTORIES = process.env.VEDIT_LONG ? 10_000 : 300;

const seeds = (first: number): number[] => Array.from({ length: HISTORIES }, (_, at) => first + at);

it('says who wrote each line, what became of each edit, and goes back and lands by that alone', () => {
  const counts = { ...NONE };
  expect(seeds(1).flatMap(seed => play(seed, 40, counts))).toEqual([]);
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(HISTORIES / 6);
  // As in the model of the design: about a third is refused.
  expect(counts.refused / (counts.undo + counts.refused)).toBeLessThan(0.45);
});

it('does so in a real repository', () => {
  const counts = { ...NONE };
  const wrong = Array.from({ length: process.env.VEDIT_LONG ? 1000 : 12 }, (_, at) => {
    const world = new GitWorld(BASE);
    const found = play(50_001 + at, 30, counts, world);
    world.end();
    return found;
  });
  expect(wrong.flat()).toEqual([]);
  expect(counts.undo + counts.land).toBeGreaterThan(20);
});

it('does so through sessions, log, blame and landing', async () => {
  const counts = { ...NO_COUNTS };
  const wrong: string[] = [];
  for (let at = 0; at < (process.env.VEDIT_LONG ? 300 : Number(process.env.PRODUCTS ?? 6)); at++)
    wrong.push(...(await playProduct(70_001 + at, 30, counts)));
  expect(wrong).toEqual([]);
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(0);
}, 3_600_000);

it('goes back in files whose lines repeat, and lands them whole', () => {
  const tried = { newest: 0, both: 0, landings: 0, refused: 0 };
  expect(seeds(1).flatMap(seed => playRepeated(seed, 40, tried))).toEqual([]);
  expect(Math.min(...Object.values(tried))).toBeGreaterThan(HISTORIES / 4);
});

it('leaves lines that were formatted to those who wrote them', () => {
  const counts = { formatted: 0, blame: 0 };
  expect(seeds(1).flatMap(seed => playFormatted(seed, 30, counts))).toEqual([]);
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(HISTORIES);
});
