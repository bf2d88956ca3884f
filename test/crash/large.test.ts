/** A change whose objects go into a pack of their own: it crashes, fails and loses power as every other one. */

import { describe, it } from 'vitest';
import { tryCrashes } from './crash-points.ts';
import { tryFaults } from './faults.ts';
import { largeChanges, nameOf } from './operations.ts';
import { tryPowerCuts } from './power-cuts.ts';
import { checked, useHarness } from './scenario-tests.ts';

describe.each(largeChanges.map((scenario, i) => [nameOf(scenario), scenario, i] as const))(
  '%s',
  (_, scenario, i) => {
    const harness = useHarness(scenario);
    const every = (count: number, each = 1): number => Math.ceil((harness().calls.length * each) / count);

    it('survives a crash', () => checked('crash', tally => tryCrashes(harness(), tally, every(8), i)));
    it('answers the truth when a call fails', () =>
      checked('fault', tally => tryFaults(harness(), tally, every(8, 10), i)));
    it('survives a power cut', () =>
      checked('power cut', tally => tryPowerCuts(harness(), tally, every(8, 10), i)));
  },
);
