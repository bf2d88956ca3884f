/**
 * The same landings, made with the real git. `GIT_LANDINGS` sets how many of all that is there, and how many of some of it
 * (5 by themselves, 500 at length), `SEED` with which history they begin.
 */

import { expect, it } from 'vitest';
import { inWords, noLandings, played } from './landings.ts';

const COUNT = Number(process.env.GIT_LANDINGS ?? 5);
const FIRST = Number(process.env.SEED ?? 1);

it(`commits only what the files hold: ${COUNT} and ${COUNT} landings`, { timeout: 7_200_000 }, async () => {
  const tally = noLandings();
  let seed = FIRST;
  const isEnough = (): boolean => Math.min(tally.landed.whole, tally.landed.chosen) >= COUNT;
  for (; !isEnough() && tally.wrong.length === 0; seed++) await played(seed, { real: true, tries: 0, tally });
  console.log(`${inWords(tally)}, in histories ${FIRST} to ${seed - 1}`);
  expect(tally.wrong.join('\n\n')).toBe('');
});
