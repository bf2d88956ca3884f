/** A change whose objects go into a pack of their own: it crashes, fails and loses power as every other one. */

import { describe, it } from 'vitest';
import { tryCrashes } from './crash-points.ts';
import { checked, useLab } from './each.ts';
import { tryFaults } from './faults.ts';
import { largeChanges, nameOf } from './operations.ts';
import { tryPowerCuts } from './power-cuts.ts';

describe.each(largeChanges.map((scenario, i) => [nameOf(scenario), scenario, i] as const))(
  '%s',
  (_, scenario, i) => {
    const lab = useLab(scenario);
    const every = (count: number, each = 1): number => Math.ceil((lab().calls.length * each) / count);

    it('survives a crash', () => checked('crash', tally => tryCrashes(lab(), tally, every(8), i)));
    it('answers the truth when a call fails', () =>
      checked('fault', tally => tryFaults(lab(), tally, every(8, 10), i)));
    it('survives a power cut', () =>
      checked('power cut', tally => tryPowerCuts(lab(), tally, every(8, 10), i)));
  },
);
