/** The process dies, the answer is lost, and the same call is sent again with the same edit_id by a new process. */

import { crashAt } from '../helpers/fault-fs.ts';
import { note, type Tally } from '../helpers/tally.ts';
import { describe } from './crash-points.ts';
import type { FaultHarness } from './fault-harness.ts';
import { differences } from './promises.ts';

/** Whatever was done before, afterwards it is done once. */
export async function tryRetries(harness: FaultHarness, tally: Tally, stride = 1, from = 0): Promise<void> {
  for (let i = from; i < harness.calls.length; i += stride) {
    const call = harness.calls[i]!;
    await harness.run(crashAt(call.n, 'full'));
    const again = await harness.again();
    const done = harness.new.now;
    const broken = again.acknowledged
      ? differences(done, harness.snapshot(), {})
      : [`I8 the same call failed: ${String((again.error as Error).message)}`];
    tally.points++;
    tally.states++;
    note(tally, `sent again after a crash at ${describe(call)}`, broken);
  }
}
