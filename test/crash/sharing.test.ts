/** The short form of sharing.long.ts. */

import { it } from 'vitest';
import { checked } from './scenario-tests.ts';
import { trySharing } from './sharing.ts';

it('a fetch, a push and a review survive a crash, and a full disk', () =>
  checked('sharing', tally => trySharing(tally, 29, 4)));
