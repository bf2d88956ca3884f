/** Harnesses and tallies as tests. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { newTally, settle, type Tally } from '../helpers/tally.ts';
import { FaultHarness } from './fault-harness.ts';
import { nameOf, type Scenario } from './operations.ts';

/** Runs `work` on a harness of each scenario; what it finds is a failure. */
export function each(
  kind: string,
  scenarios: readonly Scenario[],
  work: (harness: FaultHarness, tally: Tally, i: number) => Promise<void>,
): void {
  it.each(scenarios.map((scenario, i) => [nameOf(scenario), scenario, i] as const))(
    `${kind}: %s`,
    async (_, scenario, i) => {
      const harness = await FaultHarness.of(scenario);
      const tally = newTally();
      try {
        await work(harness, tally, i);
      } finally {
        harness.close();
      }
      settle(kind, tally);
    },
  );
}

/** A harness for all tests of a group. */
export function useHarness(scenario: Scenario): () => FaultHarness {
  let harness: FaultHarness;
  beforeAll(async () => {
    harness = await FaultHarness.of(scenario);
  });
  afterAll(() => harness.close());
  return () => harness;
}

/** A test: something was tried, and nothing was lost. */
export async function checked(kind: string, work: (tally: Tally) => Promise<void>): Promise<void> {
  const tally = newTally();
  await work(tally);
  expect(tally.points).toBeGreaterThan(0);
  settle(kind, tally);
}
