/**
 * Landings in histories drawn by lot, planned and checked in memory, beside an oracle. `LANDINGS` sets how many histories,
 * with about 14 landings each (3 by themselves, 60 in the slow tests, 1,500 at length), `SEED` where they begin.
 */

import { expect, it } from 'vitest';
import { inWords, noLandings, played } from './landings.ts';

const COUNT = Number(process.env.LANDINGS ?? 3);
const FIRST = Number(process.env.SEED ?? 1);

it(`commits only what the files hold: ${COUNT} histories`, { timeout: 7_200_000 }, async () => {
  const tally = noLandings();
  const wrong: string[] = [];
  for (let seed = FIRST; seed < FIRST + COUNT && wrong.length < 5; seed++) {
    await played(seed, { real: false, tries: 6, tally });
    wrong.push(...tally.wrong.splice(0));
  }
  console.log(inWords(tally));
  expect(wrong.join('\n\n')).toBe('');
  expect(tally.landed.whole + tally.landed.chosen).toBeGreaterThan(2 * COUNT);
});
