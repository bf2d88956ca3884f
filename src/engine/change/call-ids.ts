/**
 * Tool calls that arrive twice: a client that lost an answer, or a framework that goes on from a checkpoint, sends a call
 * again. Its id tells so where it was made to be unique; one that is counted (`call_0`) stands at other calls as well.
 */

import { camelCase } from '../../spelling.ts';
import type { Context } from '../context.ts';

/**
 * Ids of tool calls that are never used twice: those of Anthropic and of servers of its models, and those of OpenAI and
 * of servers that speak its protocol with random ids.
 */
const UNIQUE = /^(toolu_\S+|call_\S{16,})$/;

/** True for the id of a tool call that no other call has. */
export function isUniqueCall(id: string): boolean {
  return UNIQUE.test(id);
}

/** The fields in which equal requests may differ: how a request is told apart, sent, tried and explained. */
const BESIDE: ReadonlySet<string> = new Set(['editId', 'callId', 'dryRun', 'reason']);

/** The hash of what was asked for. Fields are in any order; those that are undefined are not there. */
export async function requestHash({ codec }: Context, tool: string, input: object): Promise<string> {
  const own = Object.entries(input).filter(([name]) => !BESIDE.has(camelCase(name)));
  const json = JSON.stringify([tool, Object.fromEntries(own)], (_key, value) => sorted(value));
  return codec.hash('blob', new TextEncoder().encode(json));
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
