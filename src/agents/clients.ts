/**
 * Tells who the clients of agents are at the moment, by what their hooks said of sessions and turns: so a client's MCP server, which
 * finds it among its ancestors, is of one session with its hooks, also after `/clear` and resume.
 */

import * as z from 'zod';
import { type CheckOptions, optionsCheck } from '../engine/calls/call-options.ts';
import * as option from '../engine/calls/option.ts';
import type { Context } from '../engine/context.ts';
import {
  type AgentEvent,
  type AgentSignal,
  EVENT_KINDS,
  type EventName,
  plainField,
} from '../engine/origins/agent-events.ts';
import { ancestorKeys, noteSignal, readEvents } from '../engine/origins/event-folder.ts';
import { noteAsked } from './prompts.ts';

/** A client's session, and the turn that it is in. */
export interface ClientNow {
  agent: string;
  session: string;
  model?: string | undefined;
  turn?: string | undefined;
}

export interface ClientOptions {
  /** The client of this session; default: the one that started this process. */
  session?: string | undefined;
}

export const checkClient: CheckOptions<ClientOptions> = optionsCheck(
  { session: option.text },
  { session: 's1' },
);

export const checkSignal: CheckOptions<AgentSignal> = optionsCheck(
  {
    kind: () => z.enum(EVENT_KINDS),
    agent: option.requiredText,
    session: option.requiredText,
    id: option.text,
    tool: option.text,
    turn: option.trailer,
    model: option.trailer,
    prompt: option.text,
    command: option.text,
  },
  { kind: 'before', agent: 'fixer', session: 's1', id: 'c1', tool: 'shell' },
);

/**
 * Takes in what a hook, a server or a program tells of an agent: the event, who the client is, and what was asked. Answers what
 * is known of the client then; `null`: nothing. A turn that has no id of its own is given one by its prompt.
 */
export async function noteAgent(context: Context, signal: AgentSignal): Promise<ClientNow | null> {
  const { prompt, command, ...event } = signal;
  const { kind, agent, session, id, model } = event;
  const begun = kind === 'prompt' ? context.processes.newToken().slice(0, 16) : undefined;
  const { turn: told = begun } = event;
  await noteSignal(context, { ...event, turn: told });
  if (session === '') return null;
  const known = await clientOfSession(context, session);
  const turn = told ?? known?.turn;
  if (turn !== undefined) await noteAsked(context, { turn, prompt, call: id, command });
  return { agent, session, model: model ?? known?.model, turn };
}

/** Finds the client that this process belongs to: the nearest above it whose hook told of itself; `null`: none did. */
export async function ownClient(context: Context): Promise<ClientNow | null> {
  const keys = ancestorKeys(context);
  const events = await turnsOf(context, ({ client }) => keys.includes(client));
  for (const key of keys) {
    const found = clientBy(events.filter(({ client }) => client === key));
    if (found) return found;
  }
  return null;
}

/** Finds the client of this session, whichever process asks. */
export async function clientOfSession(context: Context, session: string): Promise<ClientNow | null> {
  const name = plainField(session);
  return clientBy(await turnsOf(context, one => one.session === name));
}

/** Reads what tells of sessions and turns, the oldest first. */
function turnsOf(context: Context, isWanted: (event: EventName) => boolean): Promise<AgentEvent[]> {
  const isTurn = ({ kind }: EventName): boolean => kind === 'start' || kind === 'prompt' || kind === 'end';
  return readEvents(context, event => isTurn(event) && isWanted(event));
}

/** Returns the client of the newest event; none once its session has ended. */
function clientBy(events: readonly AgentEvent[]): ClientNow | null {
  const last = events.at(-1);
  if (!last || last.kind === 'end') return null;
  const { agent, session, sessionId = session, turn } = last;
  const model = events.findLast(one => one.session === session && one.model !== undefined)?.model;
  return { agent, session: sessionId, model, turn };
}
