/** Native git all the time: beside two edits a second, beside edits as fast as they go, and collecting garbage. */

import { expect, it } from 'vitest';
import { newTally, settle } from '../helpers/tally.ts';
import { everyday, pruning, raceNative } from './native.ts';

it.each([true, false])('beside two edits a second, on the branch: %s', async own => {
  const tally = newTally();
  const { ran, locked } = await raceNative(own, everyday, 180, 500, tally);
  settle(`git beside two edits a second, ${own ? 'on' : 'beside'} the branch`, tally);
  expect(locked / ran).toBeLessThanOrEqual(0.01);
});

it.each([true, false])('beside edits without a pause, on the branch: %s', async own => {
  const tally = newTally();
  await raceNative(own, everyday, 400, 0, tally);
  settle('git beside edits without a pause', tally);
});

it.each([true, false])('git gc --prune=now, on the branch: %s', async own => {
  const tally = newTally();
  await raceNative(own, pruning, 400, 0, tally);
  settle('git gc --prune=now beside edits without a pause', tally);
});
