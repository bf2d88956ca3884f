/** The short form of the crash suite: a sample with a fixed stride of what `npm run test:crash` tries in full. */

import { describe, expect, it } from 'vitest';
import type { Fs } from '../../src/fs/fs.ts';
import { nodeFs } from '../../src/fs/node/node-fs.ts';
import { overriding } from '../helpers/overriding.ts';
import { tryCrashes } from './crash-points.ts';
import { FaultHarness } from './fault-harness.ts';
import { tryFaults } from './faults.ts';
import { tryLandings } from './landings.ts';
import { missing, nameOf, pick, retried } from './operations.ts';
import { tryPowerCuts } from './power-cuts.ts';
import { checkRepaired, FAULT, isPublished } from './promises.ts';
import { tryRecoveryCrashes } from './recovery.ts';
import { tryRetries } from './retries.ts';
import { checked, useHarness } from './scenario-tests.ts';

const SAMPLE = pick(
  'several files, on the branch',
  'several files, beside the branch',
  'undo, on the branch',
  'edit of a file changed outside, beside the branch',
  'edit after the person committed, beside the branch',
  'second edit, on the branch, durable by the journal',
  'str_replace, beside the branch, durable by the journal',
  'second edit, line ends converted',
  'str_replace, linked worktree',
  'str_replace, bare',
);

it('every edit has an operation', () => expect(missing).toEqual([]));

describe.each(SAMPLE.map((scenario, i) => [nameOf(scenario), scenario, i] as const))(
  '%s',
  (_, scenario, i) => {
    const harness = useHarness(scenario);
    /** The stride of about `count` among so many to each call. */
    const every = (count: number, each = 1): number => Math.ceil((harness().calls.length * each) / count);

    it('survives a crash', () => checked('crash', tally => tryCrashes(harness(), tally, every(9), i)));
    it('answers the truth when a call fails', () =>
      checked('fault', tally => tryFaults(harness(), tally, every(9, 10), i)));
    it('survives a power cut', () =>
      checked('power cut', tally => tryPowerCuts(harness(), tally, every(9, 10), i)));
  },
);

describe('recovery', () => {
  const harness = useHarness(pick('several files, on the branch')[0]!);
  it('survives its own crash', () =>
    checked('recovery', tally => tryRecoveryCrashes(harness(), tally, 120, 31, 3)));
});

describe.each(retried.map(scenario => [nameOf(scenario), scenario] as const))('%s', (_, scenario) => {
  const harness = useHarness(scenario);
  it('is done once when it is sent again', () =>
    checked('retry', tally => tryRetries(harness(), tally, 17, 3)));
});

it.each([
  ['by the engine', false, 23],
  ['by the real git', true, 16],
] as const)('a landing %s survives a crash, and a full disk', (_, withGit, stride) =>
  checked('landing', tally => tryLandings(withGit, tally, stride, 3)),
);

it('what can be neither put in place nor set aside is put in place by the next process', async () => {
  const harness = await FaultHarness.of(pick('undo, on the branch')[0]!);
  let isFull = false;
  const fs: Fs = overriding(nodeFs(), {
    rename: async (from, to) => {
      await nodeFs().rename(from, to);
      isFull ||= from.endsWith('-ref');
    },
    mkdir: async path => {
      if (isFull) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
      await nodeFs().mkdir(path);
    },
  });
  harness.reset();
  const state = await harness.runOn(fs);
  expect(state.warnings).toEqual([expect.stringContaining('the next call finishes it')]);
  const published = isPublished(harness, harness.snapshot());
  expect([published, checkRepaired(harness, published, await harness.next(), FAULT)]).toEqual([true, []]);
  harness.close();
});
