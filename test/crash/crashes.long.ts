/** Every crash point of every kind of operation in both homes of the trail, some in other places; and calls sent again. */

import { tryCrashes } from './crash-points.ts';
import { each } from './each.ts';
import { atHome, elsewhere, retried } from './operations.ts';
import { tryRetries } from './retries.ts';
import { sampled } from './stride.ts';

each('crash points', atHome, (lab, tally) => tryCrashes(lab, tally));
each('crash points in other places', elsewhere, (lab, tally, i) =>
  tryCrashes(lab, tally, sampled(5), i % sampled(5)),
);
each('the same call sent again after a crash', retried, (lab, tally) => tryRetries(lab, tally));
