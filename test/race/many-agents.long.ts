/** 8 processes with 200 edits each, and 200 edits that nobody waits for, in both homes of the trail. */

import { it } from 'vitest';
import { newTally, settle } from '../helpers/tally.ts';
import { raceProcesses, raceUnawaited } from './many-agents.ts';

it.each([true, false])('8 processes, 200 edits each, on the branch: %s', async own => {
  const tally = newTally();
  await raceProcesses(own, 8, 200, tally);
  settle('edits of 8 processes', tally);
});

it.each([true, false])('200 edits at once, on the branch: %s', async own => {
  const tally = newTally();
  await raceUnawaited(own, 200, tally);
  settle('edits of one process, unawaited', tally);
});
