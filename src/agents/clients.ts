/**
 * Keeps who the clients of agents are at the moment: a file for each process, `clients/<pid>_<start>_<PID namespace>`, which the
 * client's hook writes and its MCP server finds by its ancestors, so that both are one session. It goes with the client
 * through `/clear` and resume. Where processes cannot be told, the file has the session's name.
 */

import * as z from 'zod';
import { fromUtf8, utf8 } from '../bytes.ts';
import { type CheckOptions, optionsCheck } from '../engine/calls/call-options.ts';
import type { Context } from '../engine/context.ts';
import { plainField } from '../engine/origins/agent-events.ts';
import { ancestorsOf, clientOf, makeOwn } from '../engine/origins/event-folder.ts';
import type { AgentSignal } from '../engine/origins/signal.ts';
import { ensureFolder, removeIfThere, replaceFile } from '../fs/durable.ts';
import { orNull } from '../fs/fs.ts';
import { trailerText } from '../trail/message.ts';

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
  () => ({ session: z.string().optional() }),
  { session: 's1' },
);

/** More files than these, and those of ended processes go. */
const MOST = 64;
const DAY = 24 * 60 * 60 * 1000;
const LONGEST = 4_096;

/**
 * Notes what a client's hook told of it. Answers what is known of the client then: a turn that has no id of its own is given
 * one by its prompt. Of `connect`, `gone` and `quiet` nothing is noted.
 */
export async function noteClient(context: Context, signal: AgentSignal): Promise<ClientNow | null> {
  const { kind, agent, session, turn, model } = signal;
  if (session === '' || kind === 'connect' || kind === 'gone' || kind === 'quiet') return null;
  const path = fileOf(context, keyOf(context, session));
  const read = await readClient(context, path);
  const known = read?.session === session ? read : null;
  if (kind === 'end') {
    if (known) await removeIfThere(context.fs, path);
    return known;
  }
  const begun = kind === 'prompt' ? context.processes.newToken().slice(0, 16) : known?.turn;
  const now = { agent, session, model: model ?? known?.model, turn: turn ?? begun };
  if (JSON.stringify(now) !== JSON.stringify(known)) await writeClient(context, path, now);
  return now;
}

/** The client that this process belongs to: the nearest above it whose hook told of itself; `null`: none did. */
export async function ownClient(context: Context): Promise<ClientNow | null> {
  for (const key of ancestorsOf(context)) {
    const found = await readClient(context, fileOf(context, key));
    if (found) return found;
  }
  return null;
}

/** The client of this session, whichever process asks; of several, as after a resume, the one that was heard of last. */
export async function clientOfSession(context: Context, session: string): Promise<ClientNow | null> {
  const names = (await orNull(context.fs.readdir(`${context.folder}/clients`))) ?? [];
  let last: { client: ClientNow; at: bigint } | null = null;
  for (const path of names.map(name => fileOf(context, name))) {
    const client = await readClient(context, path);
    const at = (await context.fs.lstat(path))?.mtimeNs ?? 0n;
    if (client?.session === session && (last === null || at > last.at)) last = { client, at };
  }
  return last?.client ?? null;
}

function keyOf(context: Context, session: string): string {
  return clientOf(context) || sessionKey(session);
}

function sessionKey(session: string): string {
  return `s_${plainField(session)}`;
}

function fileOf({ folder }: Context, key: string): string {
  return `${folder}/clients/${key}`;
}

/** Reads text that a trailer can hold, whoever wrote it there; `null` for anything else. */
async function readClient({ fs }: Context, path: string): Promise<ClientNow | null> {
  const stat = await fs.lstat(path);
  if (stat?.type !== 'file' || stat.size > LONGEST) return null;
  const given = parsed(fromUtf8((await orNull(fs.readFile(path))) ?? utf8('')));
  const text = (name: keyof ClientNow): string | undefined =>
    typeof given[name] === 'string' ? trailerText(given[name]) : undefined;
  const [agent, session] = [text('agent'), text('session')];
  if (agent === undefined || session === undefined) return null;
  return { agent, session, model: text('model'), turn: text('turn') };
}

function parsed(text: string | null): Record<string, unknown> {
  try {
    return Object(JSON.parse(text ?? ''));
  } catch {
    return {};
  }
}

async function writeClient(context: Context, path: string, now: ClientNow): Promise<void> {
  const { fs, folder, processes } = context;
  await ensureFolder(fs, folder);
  await makeOwn(context, `${folder}/clients`);
  const temp = `${folder}/clients/now.${processes.newToken()}`;
  await replaceFile(fs, path, utf8(JSON.stringify(now)), temp, { sync: false, mode: 0o600 });
  await forgetEnded(context).catch(() => {});
}

/** Files of clients of which nothing was heard for a day, once there are many. */
async function forgetEnded({ fs, folder }: Context): Promise<void> {
  const names = await fs.readdir(`${folder}/clients`);
  if (names.length <= MOST) return;
  for (const name of names) {
    const stat = await fs.lstat(`${folder}/clients/${name}`);
    const isOld = stat !== null && Date.now() - Number(stat.mtimeNs / 1_000_000n) > DAY;
    if (isOld) await removeIfThere(fs, `${folder}/clients/${name}`);
  }
}
