/** The power goes: what was not synced is missing, empty or half there, and any one change of a folder may be lost. */

import { type Fault, type FaultFs, record } from '../helpers/fault-fs.ts';
import { type FaultLog, type Tree, UNSYNCED } from '../helpers/fault-log.ts';
import { losable, powerCuts, replay } from '../helpers/fault-replay.ts';
import { note, type Tally } from '../helpers/tally.ts';
import type { FaultHarness, Outcome, State } from './fault-harness.ts';
import { digest, writeImage } from './image.ts';
import { CUT, checkRepaired, checkUnrepaired, isPublished } from './promises.ts';

export const DIED: Outcome = {
  acknowledged: null,
  error: Object.assign(new Error(), { name: 'CrashError' }),
  warnings: [],
};

/** Every `stride`-th state that a cut can leave of the operation; those that are the same are checked once. */
export async function tryPowerCuts(
  harness: FaultHarness,
  tally: Tally,
  stride = 1,
  from = 0,
  ...faults: Fault[]
): Promise<void> {
  const state = await harness.run(record(harness.dir), ...faults);
  await tryLog(harness, tally, state, stride, from);
}

/** The same of the log of a run. `before` says what led to it. */
export async function tryLog(
  harness: FaultHarness,
  tally: Tally,
  run: Pick<State, 'fs' | 'answeredAfter' | 'acknowledged'>,
  stride: number,
  from: number,
  before = '',
): Promise<void> {
  const seen = new Set<string>();
  let i = 0;
  for (const { where, count, treeAfter } of cutsOf(run.fs)) {
    if (i++ % stride !== from % stride) continue;
    tally.points++;
    const tree = treeAfter();
    const acknowledged = count >= run.answeredAfter ? run.acknowledged : null;
    const key = keyOf(tree, acknowledged);
    if (seen.has(key)) continue;
    seen.add(key);
    writeImage(tree, harness.dir);
    note(tally, before + where, await check(harness, { ...DIED, acknowledged }));
    tally.states += 2;
  }
}

/** The same for states that are the same. */
export function keyOf(tree: Tree, acknowledged: string | null): string {
  const lines = [...tree].map(([path, entry]) => `${path} ${digest(entry)}`);
  return `${acknowledged}\n${lines.sort().join('\n')}`;
}

/** With the journal alone, git finds everything whole only when a workspace was opened. */
async function check(harness: FaultHarness, outcome: Outcome): Promise<string[]> {
  const broken = harness.scenario.place.durability === 'full' ? checkUnrepaired(harness, outcome) : [];
  harness.boot = 'second';
  try {
    await (await harness.open()).close();
    broken.push(...checkUnrepaired(harness, outcome));
    const published = isPublished(harness, harness.snapshot());
    return [...broken, ...checkRepaired(harness, published, await harness.next(), CUT)];
  } finally {
    harness.boot = 'first';
  }
}

export interface Cut {
  where: string;
  treeAfter(): Tree;
  /** So many changes of the log were made before it. */
  count: number;
}

/** Every state that a power cut can leave of what was recorded. */
export function* cutsOf(fs: FaultFs): Generator<Cut> {
  const log = fs.log!;
  const counts = powerCuts(log);
  for (const count of counts) {
    for (const unsynced of UNSYNCED) {
      for (const lost of [undefined, 'all' as const, ...losable(log, count)]) {
        const gone = typeof lost === 'number' ? nameOf(log, lost) : (lost ?? 'nothing');
        const where = `power cut after ${nameOf(log, count - 1)} (${count}), unsynced ${unsynced}, lost ${gone}`;
        yield { where, count, treeAfter: () => replay(log, count, unsynced, lost) };
      }
    }
  }
}

function nameOf({ entries }: FaultLog, i: number): string {
  const entry = entries[i];
  const place = entry?.target ?? entry?.at;
  return `${entry?.method ?? 'nothing'} ${place?.names.slice(-3).join('/') ?? ''}`;
}
