/** Labs and tallies as tests. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { Lab } from './lab.ts';
import { nameOf, type Scenario } from './operations.ts';
import { newTally, settle, type Tally } from './tally.ts';

/** Runs `work` on a lab of each scenario; what it finds is a failure. */
export function each(
  kind: string,
  scenarios: readonly Scenario[],
  work: (lab: Lab, tally: Tally, i: number) => Promise<void>,
): void {
  it.each(scenarios.map((scenario, i) => [nameOf(scenario), scenario, i] as const))(
    `${kind}: %s`,
    async (_, scenario, i) => {
      const lab = await Lab.of(scenario);
      const tally = newTally();
      try {
        await work(lab, tally, i);
      } finally {
        lab.close();
      }
      settle(kind, tally);
    },
  );
}

/** A lab for all tests of a group. */
export function useLab(scenario: Scenario): () => Lab {
  let lab: Lab;
  beforeAll(async () => {
    lab = await Lab.of(scenario);
  });
  afterAll(() => lab.close());
  return () => lab;
}

/** A test: something was tried, and nothing was lost. */
export async function checked(kind: string, work: (tally: Tally) => Promise<void>): Promise<void> {
  const tally = newTally();
  await work(tally);
  expect(tally.points).toBeGreaterThan(0);
  settle(kind, tally);
}
