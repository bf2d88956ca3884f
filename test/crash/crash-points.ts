/** The process dies at the n-th call: before it, after it, and after an empty or half write. */

import { rmSync } from 'node:fs';
import type { Fs } from '../../src/fs/fs.ts';
import { nodeFs } from '../../src/fs/node/node-fs.ts';
import { type Call, crashAt, errorAt, type Fault, TEARS, type Tear } from '../helpers/fault-fs.ts';
import { note, type Tally } from '../helpers/tally.ts';
import type { FaultHarness } from './fault-harness.ts';
import { checkRepaired, checkUnrepaired, isPublished } from './promises.ts';

/** Every `stride`-th crash point of a harness, beginning at `from`. */
export function tryCrashes(harness: FaultHarness, tally: Tally, stride = 1, from = 0): Promise<void> {
  return tryCrashesOn(nodeFs(), harness, tally, stride, from);
}

/** The same on another file system. */
export async function tryCrashesOn(
  real: Fs,
  harness: FaultHarness,
  tally: Tally,
  stride = 1,
  from = 0,
): Promise<void> {
  const points = harness.calls.flatMap((call, i, all) => tearsOf(call, i, all).map(tear => ({ call, tear })));
  for (let i = from; i < points.length; i += stride) {
    const { call, tear } = points[i]!;
    tally.points++;
    note(tally, `crash at ${describe(call)}, ${tear}`, await tryCrash(real, harness, call.n, tear));
    tally.states += 2;
  }
}

/** A call that is no write is done or not; that it is done is what the next crash, before the next call, finds too. */
function tearsOf({ method }: Call, i: number, calls: readonly Call[]): readonly Tear[] {
  if (method === 'handle.write') return TEARS;
  return NAMING.has(method) || i === calls.length - 1 ? ['before', 'full'] : ['before'];
}

const NAMING = new Set(['rename', 'link', 'unlink']);

async function tryCrash(real: Fs, harness: FaultHarness, n: number, tear: Tear): Promise<string[]> {
  harness.reset();
  const state = await harness.runOn(real, crashAt(n, tear));
  const broken = checkUnrepaired(harness, state);
  const published = isPublished(harness, harness.snapshot());
  return [...broken, ...checkRepaired(harness, published, await harness.next(real))];
}

export function describe(call: Call): string {
  return `call ${call.n} (${call.method} ${call.path.split('/').slice(-3).join('/')})`;
}

/** Of each call that changes something: the process dies before it or, in a write, in its middle, or the disk is full. */
export function faultsOf(calls: readonly Call[]): Array<{ call: Call; fault: Fault }> {
  return calls
    .filter(({ method }) => CHANGES.test(method))
    .flatMap(call => {
      const torn = call.method === 'handle.write' ? [crashAt(call.n, 'half')] : [];
      return [crashAt(call.n, 'before'), ...torn, errorAt(call.n, 'ENOSPC')].map(fault => ({ call, fault }));
    });
}

/** A crash between two calls that change nothing leaves the same as one between two that do. */
const CHANGES = /write|rename|link|mkdir|rmdir|chmod|open|sync/;

/** What the check of a state says is broken; then the state's folder is removed. */
export async function brokenIn(folder: string, check: () => Promise<void>): Promise<string[]> {
  try {
    await check();
    return [];
  } catch (error) {
    return [(error as Error).message];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
