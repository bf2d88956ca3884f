/**
 * Histories drawn by lot, in memory, in which all surfaces must tell the same of every line. `AGREEMENT` sets how many (8 by
 * themselves, 500 at length), `SEED` where they begin.
 */

import { expect, it } from 'vitest';
import { type Counts, disagreements } from './agreement.ts';

const COUNT = Number(process.env.AGREEMENT ?? (process.env.VEDIT_LONG ? 500 : 8));
const FIRST = Number(process.env.SEED ?? 1);

it(`log, blame, why, status, review, land and the page agree: ${COUNT} histories`, {
  timeout: 7_200_000,
}, async () => {
  const counts: Counts = { lines: 0, open: 0, reviewed: 0, landed: 0 };
  const wrong: string[] = [];
  for (let seed = FIRST; seed < FIRST + COUNT && wrong.length < 20; seed++)
    wrong.push(...(await disagreements(seed, counts)));
  console.log(JSON.stringify(counts));
  expect(wrong.join('\n')).toBe('');
  expect(counts.lines).toBeGreaterThan(COUNT);
});
