/** Taking in what a hook, a server or a program tells of an agent: the event, who the client is, and what was asked. */

import type { Context } from '../engine/context.ts';
import { noteSignal } from '../engine/origins/event-folder.ts';
import type { AgentSignal } from '../engine/origins/signal.ts';
import { type ClientNow, noteClient } from './clients.ts';
import { noteAsked } from './prompts.ts';

/** Answers what is known of the client then; `null`: nothing. */
export async function noteAgent(context: Context, signal: AgentSignal): Promise<ClientNow | null> {
  const { turn: _turn, model: _model, prompt, command, ...event } = signal;
  await noteSignal(context, event);
  const client = await noteClient(context, signal);
  const turn = client?.turn;
  if (turn !== undefined) await noteAsked(context, { turn, prompt, call: signal.id, command });
  return client;
}
