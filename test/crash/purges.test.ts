/** The short form of purges.long.ts. */

import { it } from 'vitest';
import { tryPurges } from './purges.ts';
import { checked } from './scenario-tests.ts';

it('a purge survives a crash, and a full disk', () => checked('purges', tally => tryPurges(tally, 37, 5)));
