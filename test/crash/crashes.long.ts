/** Every crash point of every kind of operation, in every place; and every one of a call that is sent again. */

import { tryCrashes } from './crash-points.ts';
import { each } from './each.ts';
import { retried, scenarios } from './operations.ts';
import { tryRetries } from './retries.ts';

each('crash points', scenarios, (lab, tally) => tryCrashes(lab, tally));
each('the same call sent again after a crash', retried, (lab, tally) => tryRetries(lab, tally));
