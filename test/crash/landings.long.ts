/** Every crash point of a landing, made by the engine and by the real git. */

import { it } from 'vitest';
import { newTally, settle } from '../helpers/tally.ts';
import { tryLandings } from './landings.ts';

it.each([
  ['by the engine', false],
  ['by the real git', true],
])('landings %s', async (_, withGit) => {
  const tally = newTally();
  await tryLandings(withGit, tally);
  settle('landings', tally);
});
