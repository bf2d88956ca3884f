/** Stories of agents as events, by minutes: what the tests of activity and evidence are written in. */

import { type Activity, activityOf, type Machine } from '../../src/engine/origins/activity.ts';
import type { AgentEvent, EventKind } from '../../src/engine/origins/agent-events.ts';

export const minute = (minutes: number): bigint => BigInt(Math.round(minutes * 60_000)) * 1_000_000n;

export const CLIENT = '100_5_1';
export const SERVER = '101_6_1';

/** One event of the session `s` of claude-code. */
export function at(minutes: number, kind: EventKind, id = '', more: Partial<AgentEvent> = {}): AgentEvent {
  const by = { agent: 'claude-code', session: 's', tool: id === '' ? '' : 'Bash', client: CLIENT };
  return { kind, id, ...by, at: minute(minutes), ...more };
}

/** The server of a client without hooks. */
export function connected(minutes: number, more: Partial<AgentEvent> = {}): AgentEvent {
  return { ...at(minutes, 'connect', SERVER), agent: 'codex', session: '', client: SERVER, ...more };
}

interface Then {
  now?: number;
  dead?: readonly string[];
  /** Processes below which something lives. */
  busy?: readonly string[];
  /** Minutes at which processes began whose parents ended. */
  orphans?: readonly number[];
  blind?: boolean;
}

export function told(
  events: readonly AgentEvent[],
  { now = 600, dead = [], busy = [], orphans = [], blind }: Then = {},
): Activity {
  const machine: Machine = {
    now: minute(now),
    isAlive: process => (blind ? null : !dead.includes(process)),
    livesBelow: process => (blind ? null : busy.includes(process)),
    orphans: () => orphans.map(minute),
  };
  return activityOf(events, machine);
}
