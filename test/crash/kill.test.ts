/** The short form of the kill -9 rounds. */

import { it } from 'vitest';
import { tryKills } from './kill.ts';
import { checked } from './scenario-tests.ts';

it.each([
  ['on the branch', true, 13],
  ['beside the branch', false, 12],
])('nothing is lost when processes are killed, %s', (_, own, rounds) =>
  checked('kill -9', tally => tryKills(own, rounds, tally)),
);
