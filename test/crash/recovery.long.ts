/** Recovery itself crashes, fails, or loses power, after crashes at sampled calls of the main operations. */

import { each } from './each.ts';
import { main } from './operations.ts';
import { tryRecoveryCrashes, tryRecoveryCuts, tryRecoveryFaults } from './recovery.ts';
import { sampled } from './stride.ts';

each('crashes of recovery', main, (lab, tally, i) =>
  tryRecoveryCrashes(lab, tally, sampled(61), i, sampled(2)),
);
each('failing calls of recovery', main, (lab, tally, i) => tryRecoveryFaults(lab, tally, sampled(97), i));
each('power cuts of recovery', main, (lab, tally, i) => tryRecoveryCuts(lab, tally, sampled(61), i));
