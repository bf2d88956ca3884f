/** Recovery itself crashes, fails, or loses power, after crashes at sampled calls of the main operations. */

import { sampled } from '../helpers/sampling.ts';
import { main } from './operations.ts';
import { tryRecoveryCrashes, tryRecoveryCuts, tryRecoveryFaults } from './recovery.ts';
import { each } from './scenario-tests.ts';

each('crashes of recovery', main, (harness, tally, i) =>
  tryRecoveryCrashes(harness, tally, sampled(61), i, sampled(2)),
);
each('failing calls of recovery', main, (harness, tally, i) =>
  tryRecoveryFaults(harness, tally, sampled(97), i),
);
each('power cuts of recovery', main, (harness, tally, i) => tryRecoveryCuts(harness, tally, sampled(61), i));
