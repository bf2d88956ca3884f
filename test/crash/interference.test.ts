/** The short form of what others do during an edit; and the engine without its precautions, which must be noticed. */

import { describe, expect, it } from 'vitest';
import { newTally } from '../helpers/tally.ts';
import { controls } from './controls.ts';
import { committer, editors, locker, stager, tryOther } from './interference.ts';
import { pick } from './operations.ts';
import { checked, useHarness } from './scenario-tests.ts';

describe('somebody else acts between two calls:', () => {
  const harness = useHarness(pick('second edit, on the branch')[0]!);
  it.each(
    [...editors, stager, committer, locker('index.lock')].map((other, i) => [other.name, other, i] as const),
  )('%s', (_, other, i) => checked('others', tally => tryOther(harness(), other, tally, 29, i * 3)));
});

describe('the suite notices when', () => {
  const harness = useHarness(pick('second edit, on the branch')[0]!);
  it.each(controls.map(control => [control.name, control] as const))('%s', async (_, control) => {
    const tally = newTally();
    for (let from = 0; from < SPARSE && tally.broken.length === 0; from += 17)
      await control.try(harness(), tally, SPARSE, from);
    expect(tally.broken.length).toBeGreaterThan(0);
  });
});

/** One loss is enough: each round tries a few points in between those of the last. */
const SPARSE = 17 * 12;
