import { expect, test } from 'vitest';
import { activityOf, type Machine } from '../../../src/engine/origins/activity.ts';
import type { AgentEvent, EventKind } from '../../../src/engine/origins/agent-events.ts';

const machine: Machine = {
  now: 100n,
  isAlive: () => true,
  livesBelow: () => null,
  orphans: () => [],
};

const event = (kind: EventKind, at: bigint): AgentEvent => ({
  kind,
  at,
  agent: 'a',
  session: 's',
  id: 'c',
  tool: 'Bash',
  client: '1',
});

test.each([
  ['in their order', [event('before', 7n), event('after', 7n)]],
  ['as a folder may list them', [event('after', 7n), event('before', 7n)]],
])('a call that begins and ends at one moment of the clock is over: events %s', (_, events) => {
  const { calls } = activityOf(events, machine);
  expect(calls).toMatchObject([{ call: 'c', from: 7n, until: 7n }]);
});
