/** What an event of an agent becomes: notes of turns and calls, and edits of its session. */

import { isEditError } from '../../errors.ts';
import type { Answer, DoneData } from '../answer.ts';
import { isRecordable } from '../change/record.ts';
import type { ToldEdit } from '../change/told.ts';
import type { Context } from '../context.ts';
import type { SessionOptions } from '../opening/workspace-options.ts';
import type { Session } from '../session.ts';
import type { ClientNow } from './clients.ts';
import { type HookSaid, hookAnswer } from './hooks/answer.ts';
import type { FileDeed, HookEvent } from './hooks/event.ts';
import { readHook } from './hooks/read.ts';
import type { Told } from './hooks/sender.ts';
import { noteAgent } from './note.ts';
import { placeOf } from './place-of.ts';
import { rejectedBy } from './rejected-call.ts';
import type { AgentSignal } from './signal.ts';
import { transcriptModel } from './transcript.ts';

/** The workspace that it is taken into. */
export interface Taker {
  context: Context;
  session(options: SessionOptions): Session;
}

/** What became of it: a commit, or why there is none. */
export interface HookTaken {
  commit: string | null;
  subject: string | null;
  passed: string | null;
  /** What the hook prints, as JSON, so that the agent is told; `null`: nothing. */
  answer: object | null;
}

interface Asked {
  told: Told;
  by: { agent?: string | undefined; model?: string | undefined; session?: string | undefined };
  folder: string | undefined;
}

const ABOUT_NO_FILE = 'this is about no file';

/** Throws an Error for what is no event, else as Session.record. */
export async function takeHook(
  taker: Taker,
  bytes: Uint8Array,
  { told, by, folder }: Asked,
): Promise<HookTaken> {
  const read = readHook(bytes, told);
  if (!read) return passed(ABOUT_NO_FILE);
  const { agent = read.agent, model = read.model, session = read.session } = by;
  const folders = [...read.folders, ...(folder === undefined ? [] : [folder])];
  return takeEvent(taker, { ...read, agent, model, session, folders });
}

/** Throws as Session.record. */
export async function takeEvent(taker: Taker, event: HookEvent): Promise<HookTaken> {
  const { context } = taker;
  const { deed, when, agent, session: id } = event;
  const files = deed?.kind === 'files' ? deed.files : [];
  const places = await Promise.all(files.map(({ path }) => placeOf(context, event.folders[0], path)));
  const client = await note(context, event, places);
  if (files.length === 0) return passed(ABOUT_NO_FILE);
  const model =
    event.model ?? (when === 'after' ? await transcriptModel(context.fs, event.transcript) : undefined);
  const { subagent, turn = client?.turn } = event;
  const session = taker.session({ agent, model: model ?? client?.model, id, subagent, turn });
  const known = session.moment();
  let taken = passed('NO_CHANGE: the files are as they are recorded');
  const said: HookSaid = {};
  for (const [n, file] of files.entries()) {
    const done = await takeFile(session, event, places[n]!, file);
    if (done) taken = { ...taken, commit: done.data.commit, subject: done.data.subject, passed: null };
    if (when === 'before') said.denied ??= await rejectedBy(session, places[n]!, file);
  }
  said.told = (await session.rejections(known, { call_id: event.call }, { path: places[0] }))?.message;
  return { ...taken, answer: hookAnswer(agent, when === 'before' ? 'before' : 'after', said) };
}

function passed(why: string): HookTaken {
  return { commit: null, subject: null, passed: why, answer: null };
}

/** A note that cannot be made stops no recording: then less is known. */
async function note(
  context: Context,
  event: HookEvent,
  places: readonly string[],
): Promise<ClientNow | null> {
  const signal = signalOf(event, places);
  return signal && noteAgent(context, signal).catch(() => null);
}

function signalOf(event: HookEvent, [path, ...others]: readonly string[]): AgentSignal | null {
  const { when, agent, session, call = '', tool, deed, turn, model, prompt } = event;
  if (session === undefined) return null;
  const who = { agent, session, turn, model };
  if (when !== 'before' && when !== 'after') return { kind: when, ...who, prompt };
  if (deed === null && when === 'before') return null;
  const isBehind = when === 'before' && deed?.kind === 'command' && deed.background;
  const about = path !== undefined && others.length === 0 ? { path } : {};
  const command = deed?.kind === 'command' ? deed.command : undefined;
  return { kind: isBehind ? 'background' : when, ...who, id: call, tool, command, ...about };
}

/** Before the edit what others wrote, then the edit, then what others wrote since; `null` where all of it was recorded. */
async function takeFile(
  session: Session,
  { agent, tool, call: callId, when }: HookEvent,
  path: string,
  deed: FileDeed,
): Promise<Answer<DoneData> | null> {
  if (when === 'before') return unlessDone(session.record([path], { outside: true }));
  const told = wordsOf(deed);
  const op = isRecordable(tool) ? tool : `${agent}.${tool}`.replace(/[^\w.:-]/g, '_').slice(0, 40);
  const answer = await unlessDone(session.record([path], { op, callId, ...(told ? { told } : {}) }));
  if (told) await unlessDone(session.record([path], { outside: true, callId }));
  return answer;
}

function wordsOf({ path: _, ...told }: FileDeed): ToldEdit | null {
  return Object.values(told).some(one => one !== undefined) ? told : null;
}

/** What is as it was recorded is no failure. */
async function unlessDone(call: Promise<Answer<DoneData>>): Promise<Answer<DoneData> | null> {
  try {
    return await call;
  } catch (error) {
    if (isEditError(error, 'NO_CHANGE')) return null;
    throw error;
  }
}
