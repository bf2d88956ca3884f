/**
 * Landings in histories drawn by lot, planned and checked in memory, beside an oracle. `LANDINGS` sets how many histories,
 * `SEED` where they begin.
 */

import { expect, it } from 'vitest';
import { played, type Tally } from './landings.ts';

const COUNT = Number(process.env.LANDINGS ?? 12);
const FIRST = Number(process.env.SEED ?? 1);

it(`commits only what the files hold: ${COUNT} histories`, { timeout: 7_200_000 }, async () => {
  const tally: Tally = { landed: 0, nothing: 0, refused: 0, wrong: [] };
  const wrong: string[] = [];
  for (let seed = FIRST; seed < FIRST + COUNT && wrong.length < 5; seed++) {
    await played(seed, { real: false, tries: 6, tally });
    wrong.push(...tally.wrong.splice(0));
  }
  const { landed, nothing, refused } = tally;
  console.log(`landings: ${landed} made, ${nothing} with nothing to land, ${refused} refused`);
  expect(wrong.join('\n\n')).toBe('');
  expect(landed).toBeGreaterThan(2 * COUNT);
});
