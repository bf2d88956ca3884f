/** Recovery itself dies, fails, or loses power; the process after that has to finish the work. */

import { nodeFs } from '../../src/fs/node/node-fs.ts';
import { type Call, crashAt, errorAt, type FaultFs, faultFs, record } from '../helpers/fault-fs.ts';
import type { Tree } from '../helpers/fault-log.ts';
import { note, type Tally } from '../helpers/tally.ts';
import { describe } from './crash-points.ts';
import type { FaultHarness } from './fault-harness.ts';
import { CODES } from './faults.ts';
import { readImage, remembering, writeImage } from './image.ts';
import { DIED, tryLog } from './power-cuts.ts';
import { checkRepaired, checkUnrepaired, FAULT, isPublished, type Leeway } from './promises.ts';

/** Calls that change what is on the disk. */
const CHANGING = new Set([
  'open',
  'handle.write',
  'handle.chmod',
  'rename',
  'link',
  'unlink',
  'mkdir',
  'rmdir',
]);

/** The operation dies after every `stride`-th changing call from the journal on; recovery dies at every `each`-th call. */
export async function tryRecoveryCrashes(
  harness: FaultHarness,
  tally: Tally,
  stride = 1,
  from = 0,
  each = 1,
): Promise<void> {
  for (const state of await crashedStates(harness, stride, from)) {
    for (const call of state.calls.filter(({ n }) => n % each === 0)) {
      await tryAgain(harness, tally, state, `${describe(call)} of recovery, crash`, {}, fs =>
        faultFs(remembering(fs), crashAt(call.n, 'full')),
      );
    }
  }
}

/** The same with calls of recovery that fail. */
export async function tryRecoveryFaults(
  harness: FaultHarness,
  tally: Tally,
  stride = 1,
  from = 0,
): Promise<void> {
  for (const [i, state] of (await crashedStates(harness, stride, from)).entries()) {
    for (const call of state.calls) {
      const code = CODES[(i + call.n) % CODES.length]!;
      await tryAgain(harness, tally, state, `${describe(call)} of recovery, ${code}`, FAULT, fs =>
        faultFs(remembering(fs), errorAt(call.n, code)),
      );
    }
  }
}

/** The same with the power cut during recovery. */
export async function tryRecoveryCuts(
  harness: FaultHarness,
  tally: Tally,
  stride = 1,
  from = 0,
): Promise<void> {
  for (const state of await crashedStates(harness, stride, from)) {
    writeImage(state.image, harness.dir);
    const fs = faultFs(remembering(nodeFs()), record(harness.dir));
    await harness.repair(fs);
    const run = { fs, acknowledged: null, answeredAfter: 0 };
    await tryLog(harness, tally, run, stride, from, `${state.where}, then `);
  }
}

interface Crashed {
  where: string;
  image: Tree;
  published: boolean;
  /** The calls of a recovery that nothing disturbs. */
  calls: readonly Call[];
}

async function crashedStates(harness: FaultHarness, stride: number, from: number): Promise<Crashed[]> {
  const start = harness.calls.findIndex(
    call => call.method === 'handle.write' && call.path.includes('/vedit/journal.'),
  );
  const points = harness.calls.slice(start).filter(call => CHANGING.has(call.method));
  const states: Crashed[] = [];
  for (let i = from; i < points.length; i += stride) {
    await harness.run(crashAt(points[i]!.n, 'full'));
    const image = readImage(harness.dir);
    const fs: FaultFs = faultFs(remembering(nodeFs()));
    await harness.repair(fs);
    const published = isPublished(harness, harness.snapshot(image));
    states.push({ where: `crash at ${describe(points[i]!)}`, image, published, calls: fs.trace });
  }
  return states;
}

async function tryAgain(
  harness: FaultHarness,
  tally: Tally,
  state: Crashed,
  what: string,
  leeway: Leeway,
  faulty: (fs: ReturnType<typeof nodeFs>) => FaultFs,
): Promise<void> {
  writeImage(state.image, harness.dir);
  await harness.repair(faulty(nodeFs()));
  const broken = [
    ...checkUnrepaired(harness, DIED),
    ...checkRepaired(harness, state.published, await harness.next(), leeway),
  ];
  tally.points++;
  tally.states += 2;
  note(tally, `${state.where}, then ${what}`, broken);
}
