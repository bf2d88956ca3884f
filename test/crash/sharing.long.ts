/** Every crash point of a fetch, a merge, a sync, a push and a review. */

import { it } from 'vitest';
import { trySharing } from './sharing.ts';
import { newTally, settle } from './tally.ts';

it('sharing', async () => {
  const tally = newTally();
  await trySharing(tally);
  settle('sharing', tally);
});
