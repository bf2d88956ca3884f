/** Every crash point of every kind of operation in both homes of the trail, some in other places; and calls sent again. */

import { sampled } from '../helpers/sampling.ts';
import { tryCrashes } from './crash-points.ts';
import { atHome, elsewhere, retried } from './operations.ts';
import { tryRetries } from './retries.ts';
import { each } from './scenario-tests.ts';

each('crash points', atHome, (harness, tally) => tryCrashes(harness, tally));
each('crash points in other places', elsewhere, (harness, tally, i) =>
  tryCrashes(harness, tally, sampled(5), i % sampled(5)),
);
each('the same call sent again after a crash', retried, (harness, tally) => tryRetries(harness, tally));
