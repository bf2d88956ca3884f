/**
 * Keeps who the clients of agents are at the moment: a file for each process, `clients/<pid>_<start>_<PID namespace>`, which the
 * client's hook writes and its MCP server finds by its ancestors, so that both are one session. It goes with the client
 * through `/clear` and resume. Where processes cannot be told, the file has the session's name.
 */

import * as z from 'zod';
import { fromUtf8, utf8 } from '../../bytes.ts';
import { ensureFolder, removeIfThere, replaceFile } from '../../fs/durable.ts';
import { orNull } from '../../fs/fs.ts';
import { trailerText } from '../../trail/message.ts';
import { type CheckOptions, optionsCheck } from '../calls/call-options.ts';
import type { Context } from '../context.ts';
import { plainField } from './agent-events.ts';
import { ancestorsOf, clientOf, makeOwn } from './event-folder.ts';
import type { AgentSignal } from './signal.ts';

type Place = Pick<Context, 'fs' | 'folder' | 'processes'>;

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
  { session: z.string().optional() },
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
export async function noteClient(place: Place, signal: AgentSignal): Promise<ClientNow | null> {
  const { kind, agent, session, turn, model } = signal;
  if (session === '' || kind === 'connect' || kind === 'gone' || kind === 'quiet') return null;
  const path = fileOf(place, keyOf(place, session));
  const read = await readClient(place, path);
  const known = read?.session === session ? read : null;
  if (kind === 'end') {
    if (known) await removeIfThere(place.fs, path);
    return known;
  }
  const begun = kind === 'prompt' ? place.processes.newToken().slice(0, 16) : known?.turn;
  const now = { agent, session, model: model ?? known?.model, turn: turn ?? begun };
  if (JSON.stringify(now) !== JSON.stringify(known)) await writeClient(place, path, now);
  return now;
}

/** The client that this process belongs to: the nearest above it whose hook told of itself; `null`: none did. */
export async function ownClient(place: Place): Promise<ClientNow | null> {
  for (const key of ancestorsOf(place)) {
    const found = await readClient(place, fileOf(place, key));
    if (found) return found;
  }
  return null;
}

/** The client of this session, whichever process asks; of several, as after a resume, the one that was heard of last. */
export async function clientOfSession(place: Place, session: string): Promise<ClientNow | null> {
  const names = (await orNull(place.fs.readdir(`${place.folder}/clients`))) ?? [];
  let last: { client: ClientNow; at: bigint } | null = null;
  for (const path of names.map(name => fileOf(place, name))) {
    const client = await readClient(place, path);
    const at = (await place.fs.lstat(path))?.mtimeNs ?? 0n;
    if (client?.session === session && (last === null || at > last.at)) last = { client, at };
  }
  return last?.client ?? null;
}

function keyOf(place: Place, session: string): string {
  return clientOf(place) || sessionKey(session);
}

function sessionKey(session: string): string {
  return `s_${plainField(session)}`;
}

function fileOf({ folder }: Place, key: string): string {
  return `${folder}/clients/${key}`;
}

/** Reads text that a trailer can hold, whoever wrote it there; `null` for anything else. */
async function readClient({ fs }: Place, path: string): Promise<ClientNow | null> {
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

async function writeClient(place: Place, path: string, now: ClientNow): Promise<void> {
  const { fs, folder, processes } = place;
  await ensureFolder(fs, folder);
  await makeOwn(place, `${folder}/clients`);
  const temp = `${folder}/clients/now.${processes.newToken()}`;
  await replaceFile(fs, path, utf8(JSON.stringify(now)), temp, { sync: false, mode: 0o600 });
  await forgetEnded(place).catch(() => {});
}

/** Files of clients of which nothing was heard for a day, once there are many. */
async function forgetEnded({ fs, folder }: Place): Promise<void> {
  const names = await fs.readdir(`${folder}/clients`);
  if (names.length <= MOST) return;
  for (const name of names) {
    const stat = await fs.lstat(`${folder}/clients/${name}`);
    const isOld = stat !== null && Date.now() - Number(stat.mtimeNs / 1_000_000n) > DAY;
    if (isOld) await removeIfThere(fs, `${folder}/clients/${name}`);
  }
}
