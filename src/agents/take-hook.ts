/** Turns an event of an agent into notes of turns and calls, and edits of its session. */

import { fromUtf8, latin1 } from '../bytes.ts';
import { refusePromises } from '../engine/calls/call-options.ts';
import type { Context } from '../engine/context.ts';
import type { Editor } from '../engine/editor.ts';
import type { AgentSignal } from '../engine/origins/agent-events.ts';
import { EditError } from '../errors.ts';
import { withOpen } from '../fs/durable.ts';
import { type Fs, lstatOf, orNull } from '../fs/fs.ts';
import { resolvePath } from '../git/paths.ts';
import type { RunGit } from '../git/run-git.ts';
import { objectIn } from '../json.ts';
import type { SessionOptions } from '../workspace/opening/workspace-options.ts';
import type { Session } from '../workspace/session.ts';
import { clientOfSession, noteAgent } from './clients.ts';
import { hookAnswer } from './hooks/agents.ts';
import type { CommandDeed, FileDeed, HookEvent } from './hooks/event.ts';
import { textOf } from './hooks/payload.ts';
import { plainPath, readHook } from './hooks/read.ts';
import { type Looked, passedWords, type RanCommand, scanChanges } from './look.ts';
import { noteAsked } from './prompts.ts';
import { type HookTaken, passed, type Rest, takeFiles } from './take-files.ts';

/** The workspace that an event is taken into. */
export interface Taker {
  context: Context;
  session(options: SessionOptions): Session;
}

export interface HookOptions {
  /** The agent for which the hook was configured. */
  named: string;
  /** The id of the call where the event says none. */
  call?: string | undefined;
  /** The folder in which the agent works, for events that do not say it. */
  folder?: string | undefined;
  /** Lists what a command changed; without it commands are only noted. */
  git?: RunGit | undefined;
  /** True where the front of the hook noted the moment of the event already. */
  isNoted?: boolean | undefined;
}

const ABOUT_NO_FILE = 'this is about no file';

/** Takes in one event, and answers it. Throws INVALID_INPUT for what is no event, else as Session.record. */
export async function takeHook(taker: Taker, bytes: Uint8Array, asked: HookOptions): Promise<HookTaken> {
  refusePromises('workspace.takeHook', asked);
  const read = readEvent(bytes, asked);
  if (!read) return passed(ABOUT_NO_FILE);
  const { folder, call } = asked;
  const folders = [...read.folders, ...(folder === undefined ? [] : [folder])];
  return takeEvent(taker, { ...read, call: read.call ?? call, folders }, asked);
}

function readEvent(bytes: Uint8Array, asked: HookOptions): HookEvent | null {
  try {
    return readHook(bytes, asked.named);
  } catch (error) {
    const message = `workspace.takeHook: the event cannot be read: ${(error as Error).message}. Nothing was done.`;
    throw new EditError('INVALID_INPUT', message, { fields: ['event'] });
  }
}

/** Takes in an event that waited: nobody listens to what it would be answered. False where it has to wait on, by the machine's fault. */
export async function takeSpooled(taker: Taker, event: HookEvent, rest: Rest): Promise<boolean> {
  try {
    await takeEvent(taker, event, undefined, rest);
    return true;
  } catch (error) {
    return error instanceof EditError && !WAITS.has(error.code);
  }
}

const WAITS: ReadonlySet<string> = new Set(['LOCKED', 'STORE_FAILED']);

async function takeEvent(
  taker: Taker,
  event: HookEvent,
  asked?: HookOptions,
  rest: Rest = new Map(),
): Promise<HookTaken> {
  const { context } = taker;
  const { deed, when } = event;
  const files = new Map<string, FileDeed>();
  for (const file of deed?.kind === 'files' ? deed.files : []) {
    const place = await placeOf(context, event.folders[0], file.path);
    if (place !== null) files.set(place, file);
  }
  if (deed?.kind === 'files' && files.size === 0) return passed('the file is of another repository');
  if (asked && !asked.isNoted) await note(context, event);
  if (files.size > 0) {
    const taken = await takeFiles(taker.session(await whoOf(context, event)), event, { files, rest });
    if (asked) for (const record of rest.values()) await record();
    return taken;
  }
  const isMoment = deed?.kind === 'command' || when === 'prompt' || when === 'stop' || when === 'end';
  if (!isMoment || !asked?.git) return passed(ABOUT_NO_FILE);
  const command = await commandOf(taker, event);
  const looked = await scanChanges(context, { git: asked.git, command });
  const { done, outside, withheld } = looked;
  const data = done ?? outside;
  const answer = withheld && command ? hookAnswer(event.agent, 'after', { told: withheld }) : null;
  if (!data) return { ...passed(withheld ?? nothingIn(looked)), answer };
  return { commit: data.commit, subject: data.subject, passed: null, answer };
}

function nothingIn(looked: Looked): string {
  return ['NO_CHANGE: the files are as they are recorded', passedWords(looked)].filter(Boolean).join('; ');
}

/** Returns the command that has ended: what it changed is its session's work. */
async function commandOf(taker: Taker, event: HookEvent): Promise<RanCommand | undefined> {
  const { deed, when, session: id, call } = event;
  if (deed?.kind !== 'command' || when !== 'after' || id === undefined || call === undefined)
    return undefined;
  const who = await whoOf(taker.context, event);
  const { turn } = who;
  if (turn !== undefined)
    await noteAsked(taker.context, { turn, call, command: deed.command }).catch(() => {});
  return { session: taker.session(who), editor: { ...who, session: id }, call, reason: reasonOf(deed) };
}

/** Returns the editor, with what the client told before, and what the conversation tells, where the event does not say it. */
async function whoOf(
  context: Context,
  event: HookEvent,
): Promise<Omit<Editor, 'session'> & { id?: string | undefined }> {
  const { agent, session: id, subagent, when, transcript } = event;
  const client = id === undefined ? null : await clientOfSession(context, id).catch(() => null);
  const last = when === 'after' ? await transcriptModel(context.fs, transcript) : undefined;
  const { model = last ?? client?.model, turn = client?.turn } = event;
  return { agent, id, model, turn, subagent };
}

/** Returns the reason of a command's edit. The command may hold secrets, so that only its program is named. */
function reasonOf({ description, command }: CommandDeed): string | undefined {
  if (description !== undefined) return description;
  const program = /^[\w./-]{1,60}(?=\s|$)/.exec(command?.trim() ?? '')?.[0];
  return program?.split('/').at(-1);
}

/** Notes the event. A note that cannot be made stops no recording: then less is known. */
async function note(context: Context, event: HookEvent): Promise<void> {
  const signal = signalOf(event);
  if (signal) await noteAgent(context, signal).catch(() => {});
}

function signalOf(event: HookEvent): AgentSignal | null {
  const { when, agent, session, call = '', tool, deed, turn, model, prompt } = event;
  if (session === undefined) return null;
  const who = { agent, session, turn, model };
  if (when !== 'before' && when !== 'after') return { kind: when, ...who, prompt };
  if (deed === null && when === 'before') return null;
  const isBehind = when === 'before' && deed?.kind === 'command' && deed.background;
  return { kind: isBehind ? 'background' : when, ...who, id: call, tool };
}

/** Returns a path as an agent names it as one of the workspace; `null`: it is elsewhere, or in a repository inside. `folder`: where the agent is at work. */
async function placeOf(context: Context, folder: string | undefined, given: string): Promise<string | null> {
  const { fs, root, windows } = context;
  const slashed = (path: string): string => (windows ? path.replaceAll('\\', '/') : path);
  const path = resolvePath(slashed(folder ?? root), slashed(plainPath(given)));
  const top = `${root.replaceAll('\\', '/')}/`;
  const own = [path, await spelledOut(context, path)].find(one => one.startsWith(top));
  if (own === undefined) return null;
  for (let at = own.lastIndexOf('/'); at > top.length; at = own.lastIndexOf('/', at - 1))
    if (await fs.lstat(`${own.slice(0, at)}/.git`)) return null;
  return own.slice(top.length);
}

/** Its folder may be spelled by way of links, such as /tmp where that is /private/tmp. */
async function spelledOut({ fs }: Context, path: string): Promise<string> {
  const at = path.lastIndexOf('/');
  const folder = await orNull(fs.realpath(path.slice(0, at) || '/'));
  return folder === null ? path : folder.replaceAll('\\', '/') + path.slice(at);
}

/** Bytes from the end in which it is looked for. */
const TAIL = 256 * 1024;

/** Finds the model of the newest answer in a conversation that an agent keeps as one JSON object a line; `undefined` when it is not there. Never waits: what is no regular file has no end. */
export async function transcriptModel(fs: Fs, path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const lines = (await tailOf(fs, path).catch(() => '')).split('\n');
  for (const line of lines.reverse()) {
    const model = line.includes('"assistant"') ? modelIn(line) : undefined;
    if (model !== undefined) return model;
  }
  return undefined;
}

/** Claude Code's own messages stand under a name in angle brackets. */
function modelIn(line: string): string | undefined {
  const model = textOf(objectIn(line)?.message, 'model');
  return model !== undefined && /^[\w.:/@-]{1,100}$/.test(model) ? model : undefined;
}

/** Reads the end of a regular file. */
async function tailOf(fs: Fs, path: string): Promise<string> {
  const { type, size } = await lstatOf(fs, path);
  if (type !== 'file') return '';
  const bytes = await withOpen(fs, path, 'read', handle => handle.read(Math.max(0, size - TAIL), TAIL));
  return fromUtf8(bytes) ?? latin1(bytes);
}
