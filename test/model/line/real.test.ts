/** The line and the product in real repositories, against oracles that share no code with them: a sample, or all at length. */

import { expect, it } from 'vitest';
import { playFolder } from './folder-history.ts';
import { GitWorld } from './git-world.ts';
import { BASE, NONE, play } from './history.ts';
import { NO_COUNTS, playProduct } from './product.ts';

/** Histories of folders that were told wrongly once, or without an end. */
const WERE_WRONG = [80_029, 80_062, 80_079, 80_117, 80_151, 80_176, 80_237, 80_291];

it('says and does so in a real repository', () => {
  const counts = { ...NONE };
  const wrong = Array.from({ length: process.env.VEDIT_LONG ? 1000 : 12 }, (_, at) => {
    const world = new GitWorld(BASE);
    const found = play(50_001 + at, 30, counts, world);
    world.end();
    return found;
  });
  expect(wrong.flat()).toEqual([]);
  expect(counts.undo + counts.land).toBeGreaterThan(20);
}, 3_600_000);

it('does so through sessions, log, blame and landing', async () => {
  const counts = { ...NO_COUNTS };
  const wrong: string[] = [];
  for (let at = 0; at < (process.env.VEDIT_LONG ? 300 : Number(process.env.PRODUCTS ?? 6)); at++)
    wrong.push(...(await playProduct(70_001 + at, 30, counts)));
  expect(wrong).toEqual([]);
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(0);
}, 3_600_000);

it('does so where people move, rename and format files', async () => {
  const counts = { blamed: 0, back: 0, rejected: 0, landed: 0 };
  const wrong: string[] = [];
  const some = Array.from({ length: Number(process.env.PRODUCTS ?? 6) }, (_, at) => 80_001 + at);
  const all = Array.from({ length: 300 }, (_, at) => 80_001 + at);
  for (const seed of process.env.VEDIT_LONG ? all : [...some, ...WERE_WRONG])
    wrong.push(...(await playFolder(seed, 40, counts)));
  expect(wrong).toEqual([]);
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(0);
}, 3_600_000);
