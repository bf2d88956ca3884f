/**
 * What `log` says of edits, in histories by lot of the real git and the engine. `REPLAYS` sets how many (12 by themselves,
 * 300 at length), `SEED` where they begin.
 */

import { afterAll, describe, expect, it } from 'vitest';
import { replayed } from './replay.ts';

const COUNT = Number(process.env.REPLAYS ?? 12);
const FIRST = Number(process.env.SEED ?? 1);

describe('what log says of edits', () => {
  let told = 0;
  afterAll(() => console.log(`status: ${told} answers in ${COUNT} histories of the real git`));

  it.each(Array.from({ length: COUNT }, (_, n) => FIRST + n))(
    'is the truth in history %i',
    { timeout: 300_000 },
    async seed => {
      const one = await replayed(seed);
      told += one.told;
      expect(one.wrong.join('\n')).toBe('');
    },
  );

  it('is more than a few words', () => {
    expect(told).toBeGreaterThan(4 * COUNT);
  });
});
