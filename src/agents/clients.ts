/**
 * Keeps who the clients of agents are at the moment: a file for each process, `clients/<pid>_<start>_<PID namespace>`, which the
 * client's hook writes and its MCP server finds by its ancestors, so that both are one session. It goes with the client
 * through `/clear` and resume. Where processes cannot be told, the file has the session's name.
 */

import * as z from 'zod';
import { utf8 } from '../bytes.ts';
import { type CheckOptions, optionsCheck } from '../engine/calls/call-options.ts';
import * as option from '../engine/calls/option.ts';
import type { Context } from '../engine/context.ts';
import { type AgentSignal, EVENT_KINDS, plainField } from '../engine/origins/agent-events.ts';
import { ancestorKeys, clientKey, noteSignal } from '../engine/origins/event-folder.ts';
import { readJson, removeIfThere } from '../fs/durable.ts';
import { ensureOwnFolder, filesIn, millisecondsOf, replaceOwn } from '../fs/own-files.ts';
import { trailerText } from '../history/message.ts';
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
    path: option.text,
    turn: option.trailer,
    model: option.trailer,
    prompt: option.text,
    command: option.text,
  },
  { kind: 'before', agent: 'fixer', session: 's1', id: 'c1', tool: 'shell' },
);

const DAY = 24 * 60 * 60 * 1000;
const LONGEST = 4_096;

/**
 * Takes in what a hook, a server or a program tells of an agent: the event, who the client is, and what was asked. Answers what
 * is known of the client then; `null`: nothing.
 */
export async function noteAgent(context: Context, signal: AgentSignal): Promise<ClientNow | null> {
  const { turn: _turn, model: _model, prompt, command, ...event } = signal;
  await noteSignal(context, event);
  const client = await noteClient(context, signal);
  const turn = client?.turn;
  if (turn !== undefined) await noteAsked(context, { turn, prompt, call: signal.id, command });
  return client;
}

/**
 * Notes what a client's hook told of it. Answers what is known of the client then: a turn that has no id of its own is given
 * one by its prompt. Of `connect`, `gone` and `quiet` nothing is noted.
 */
async function noteClient(context: Context, signal: AgentSignal): Promise<ClientNow | null> {
  const { kind, agent, session, turn, model } = signal;
  if (session === '' || kind === 'connect' || kind === 'gone' || kind === 'quiet') return null;
  const key = clientKey(context) || `s_${plainField(session)}`;
  const read = await readClient(context, key);
  const known = read?.session === session ? read : null;
  if (kind === 'end') {
    if (known) await removeIfThere(context.fs, fileOf(context, key));
    return known;
  }
  const begun = kind === 'prompt' ? context.processes.newToken().slice(0, 16) : known?.turn;
  const now = { agent, session, model: model ?? known?.model, turn: turn ?? begun };
  if (JSON.stringify(now) !== JSON.stringify(known)) await writeClient(context, key, now);
  return now;
}

/** Finds the client that this process belongs to: the nearest above it whose hook told of itself; `null`: none did. */
export async function ownClient(context: Context): Promise<ClientNow | null> {
  for (const key of ancestorKeys(context)) {
    const found = await readClient(context, key);
    if (found) return found;
  }
  return null;
}

/** Finds the client of this session, whichever process asks; of several, as after a resume, the one that was heard of last. */
export async function clientOfSession(context: Context, session: string): Promise<ClientNow | null> {
  let last: { client: ClientNow; at: bigint } | null = null;
  for (const { name, stat } of await filesIn(context.fs, folderOf(context))) {
    const client = await readClient(context, name);
    if (client?.session === session && (last === null || stat.mtimeNs > last.at))
      last = { client, at: stat.mtimeNs };
  }
  return last?.client ?? null;
}

function folderOf({ folder }: Context): string {
  return `${folder}/clients`;
}

function fileOf(context: Context, key: string): string {
  return `${folderOf(context)}/${key}`;
}

/** Reads text that a trailer can hold, whoever wrote it there; `null` for anything else. */
async function readClient(context: Context, key: string): Promise<ClientNow | null> {
  const path = fileOf(context, key);
  const stat = await context.fs.lstat(path);
  if (stat?.type !== 'file' || stat.size > LONGEST) return null;
  const given: Record<string, unknown> = Object(await readJson(context.fs, path));
  const text = (name: keyof ClientNow): string | undefined =>
    typeof given[name] === 'string' ? trailerText(given[name]) : undefined;
  const [agent, session] = [text('agent'), text('session')];
  if (agent === undefined || session === undefined) return null;
  return { agent, session, model: text('model'), turn: text('turn') };
}

async function writeClient(context: Context, key: string, now: ClientNow): Promise<void> {
  const folder = folderOf(context);
  await ensureOwnFolder(context, folder);
  await replaceOwn(context, folder, key, utf8(JSON.stringify(now)));
  await forgetEnded(context).catch(() => {});
}

/** Removes files of clients of which nothing was heard for a day. */
async function forgetEnded(context: Context): Promise<void> {
  for (const { path, stat } of await filesIn(context.fs, folderOf(context)))
    if (Date.now() - millisecondsOf(stat.mtimeNs) > DAY) await removeIfThere(context.fs, path);
}
