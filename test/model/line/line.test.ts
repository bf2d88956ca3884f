/** The line against an oracle that shares no code with it: a sample. `line.long.ts` plays the rest. */

import { expect, it } from 'vitest';
import { playFormatted } from './formatted.ts';
import { NONE, play } from './history.ts';
import { playRepeated } from './repeated.ts';

/** The seeds from `first` on, as many as asked; VEDIT_LONG plays ten thousand. */
const HISTORIES = process.env.VEDIT_LONG ? 10_000 : 300;

const seeds = (first: number): number[] => Array.from({ length: HISTORIES }, (_, at) => first + at);

it('says who wrote each line, what became of each edit, and goes back and lands by that alone', () => {
  const counts = { ...NONE };
  expect(seeds(1).flatMap(seed => play(seed, 40, counts))).toEqual([]);
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(HISTORIES / 8);
  // As in the model of the design: about a third is refused.
  expect(counts.refused / (counts.undo + counts.refused)).toBeLessThan(0.45);
}, 3_600_000);

it('goes back in files whose lines repeat, and lands them whole', () => {
  const tried = { newest: 0, both: 0, landings: 0, refused: 0 };
  expect(seeds(1).flatMap(seed => playRepeated(seed, 40, tried))).toEqual([]);
  expect(Math.min(...Object.values(tried))).toBeGreaterThan(HISTORIES / 4);
}, 3_600_000);

it('leaves lines that were formatted to those who wrote them', () => {
  const counts = { formatted: 0, blame: 0 };
  expect(seeds(1).flatMap(seed => playFormatted(seed, 30, counts))).toEqual([]);
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(HISTORIES);
}, 3_600_000);
