/** A purge that dies before, in and after every call that changes something. */

import { it } from 'vitest';
import { sampled } from '../helpers/sampling.ts';
import { tryPurges } from './purges.ts';
import { checked } from './scenario-tests.ts';

it('a purge survives a crash at every call', () => checked('purges', tally => tryPurges(tally, sampled(3))));
