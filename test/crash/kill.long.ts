/** More than a thousand processes are killed. */

import { it } from 'vitest';
import { newTally, settle } from '../helpers/tally.ts';
import { tryKills } from './kill.ts';

/** Each in a repository of its own. */
const BLOCKS = 6;
const ROUNDS = 86;

it.concurrent.each(
  Array.from({ length: BLOCKS }, (_, i) => i + 1).flatMap(i => [
    ['on', i, true] as const,
    ['beside', i, false] as const,
  ]),
)('kill -9 %s the branch, %i', async (_word, _i, own) => {
  const tally = newTally();
  await tryKills(own, ROUNDS, tally);
  settle('kill -9', tally);
});
