/** Every crash point of a fetch, a push and a review. */

import { it } from 'vitest';
import { newTally, settle } from '../helpers/tally.ts';
import { trySharing } from './sharing.ts';

it('sharing', async () => {
  const tally = newTally();
  await trySharing(tally);
  settle('sharing', tally);
});
