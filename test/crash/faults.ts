/** The n-th call fails, once or for good, with an error that disks and systems give. */

import { type Call, errorAt } from '../helpers/fault-fs.ts';
import { note, type Tally } from '../helpers/tally.ts';
import { describe } from './crash-points.ts';
import type { FaultHarness } from './fault-harness.ts';
import { checkAnswered, checkRepaired, checkUnrepaired, FAULT, isPublished } from './promises.ts';

export const CODES = ['ENOSPC', 'EIO', 'EACCES', 'EROFS', 'EMFILE'] as const;
export const TIMES = ['once', 'forever'] as const;

/** Every `stride`-th of all calls, codes and times, beginning at `from`. */
export async function tryFaults(harness: FaultHarness, tally: Tally, stride = 1, from = 0): Promise<void> {
  const faults = harness.calls
    .filter(isPromised)
    .flatMap(call => CODES.flatMap(code => TIMES.map(times => ({ call, code, times }))));
  for (let i = from; i < faults.length; i += stride) {
    const { call, code, times } = faults[i]!;
    tally.points++;
    const where = `${code} ${times} at ${describe(call)}`;
    note(tally, where, await tryFault(harness, call.n, code, times));
    tally.states += 2;
  }
}

/**
 * Where what agents did cannot be read, what came from outside is nobody's: another commit than without the fault, and the
 * right one (test/engine/origins/origins.test.ts).
 */
const isPromised = ({ method, path }: Call): boolean =>
  !(method === 'readdir' && path.endsWith('vedit/agents'));

async function tryFault(
  harness: FaultHarness,
  n: number,
  code: string,
  times: 'once' | 'forever',
): Promise<string[]> {
  const state = await harness.run(errorAt(n, code, times));
  // What can never be removed, or never be looked at again, has to wait for the next process.
  const broken = times === 'once' ? checkAnswered(harness, state) : checkUnrepaired(harness, state);
  const published = isPublished(harness, harness.snapshot());
  return [...broken, ...checkRepaired(harness, published, await harness.next(), FAULT)];
}
