/** Recovery itself crashes, fails, or loses power, after crashes at sampled calls of the main operations. */

import { each } from './each.ts';
import { main } from './operations.ts';
import { tryRecoveryCrashes, tryRecoveryCuts, tryRecoveryFaults } from './recovery.ts';

each('crashes of recovery', main, (lab, tally, i) => tryRecoveryCrashes(lab, tally, 4, i % 4));
each('errors of recovery', main, (lab, tally, i) => tryRecoveryFaults(lab, tally, 4, i % 4));
each('power cuts of recovery', main, (lab, tally, i) => tryRecoveryCuts(lab, tally, 9, i % 9));
