/** The events of agents in the engine's folder: written by hooks and servers, read when a change has to be somebody's. */

import { fromUtf8, utf8 } from '../../bytes.ts';
import { readJson, removeIfThere } from '../../fs/durable.ts';
import { lstatOf, orNull } from '../../fs/fs.ts';
import type { ProcessIdentity } from '../../fs/lock/processes.ts';
import type { Context } from '../context.ts';
import { type Activity, activityOf, type Machine } from './activity.ts';
import {
  type AgentEvent,
  type AgentSignal,
  type EventName,
  eventFileName,
  inTime,
  parseEventName,
} from './agent-events.ts';
import { createOwn, ensureOwnFolder, filesIn, ifNot, millisecondsOf, replaceOwn } from './own-files.ts';

/** Events that are kept; with more, the older half goes. */
const MOST_EVENTS = 4_096;
const LONGEST = 16 * 1024;

/** Names the moment before which events were forgotten. */
const FORGOTTEN = 'forgotten';

export function eventFolder({ folder }: Context): string {
  return `${folder}/agents`;
}

/** The content that an event has beside its name: which file it is about, or who started it. */
type EventAbout = Pick<AgentEvent, 'path' | 'ancestors'>;

/** Leaves what a hook or a server says in the engine's folder. */
export async function noteSignal(context: Context, { path, ...signal }: AgentSignal): Promise<void> {
  const { id = context.processes.newToken(), tool = '' } = signal;
  if (signal.kind !== 'connect' && signal.kind !== 'gone')
    return noteEvent(context, { ...signal, id, tool, client: clientKey(context) }, { path });
  const own = ownKey(context);
  const ancestors = signal.kind === 'connect' ? ancestorKeys(context) : undefined;
  return noteEvent(context, { ...signal, id: own, tool, client: own }, { ancestors });
}

/** Writes an event into the folder. One of that name that is there already stays as it is. */
async function noteEvent(context: Context, event: EventName, about: EventAbout = {}): Promise<void> {
  const folder = eventFolder(context);
  await ensureOwnFolder(context, folder);
  const text = JSON.stringify(about);
  const bytes = utf8(text === '{}' ? '' : text);
  await createOwn(context, `${folder}/${eventFileName(event)}`, bytes).catch(ifNot('EEXIST'));
}

/** Returns what agents were doing here, as far as their events tell. Notes what is seen only now. */
export async function readActivity(context: Context): Promise<Activity & { forgotten: bigint | null }> {
  const events = await readEvents(context);
  const activity = activityOf(events, await machineOf(context, events));
  for (const event of activity.seen) await noteEvent(context, event).catch(() => {});
  const forgotten = await forgetOld(context, events).catch(() => null);
  return { ...activity, forgotten };
}

/** True where any hook or server ever said what agents do: then it is known whose a change from outside is. */
export async function hearsOfAgents(context: Context): Promise<boolean> {
  return (await orNull(context.fs.readdir(eventFolder(context)))) !== null;
}

async function readEvents(context: Context): Promise<AgentEvent[]> {
  const { fs } = context;
  // A file in its place is no folder of which nobody wrote anything.
  await fs.readdir(eventFolder(context)).catch(ifNot('ENOENT'));
  const found: AgentEvent[] = [];
  for (const { name, path, stat } of await filesIn(
    fs,
    eventFolder(context),
    name => !!parseEventName(name),
  )) {
    const about = stat.size > 0 && stat.size <= LONGEST ? await aboutOf(context, path) : {};
    found.push({ ...parseEventName(name)!, ...about, at: stat.ctimeNs });
  }
  return found;
}

async function aboutOf({ fs }: Context, file: string): Promise<EventAbout> {
  const { path, ancestors } = Object(await readJson(fs, file).catch(() => null));
  return {
    ...(typeof path === 'string' ? { path } : {}),
    ...(Array.isArray(ancestors) ? { ancestors: ancestors.map(String) } : {}),
  };
}

/** Milliseconds by which a clock may have been put right since the start. */
const CLOCK_SLACK = 60_000;

async function machineOf(context: Context, events: readonly AgentEvent[]): Promise<Machine> {
  const { processes, repo } = context;
  const boot = processes.bootTime();
  return {
    now: events.length === 0 ? 0n : await momentOf(context),
    isAlive(key, at) {
      const process = parseKey(key, context);
      if (!process) return null;
      if (boot !== null && millisecondsOf(at) < boot - CLOCK_SLACK) return false;
      return processes.isAlive(process, 'local');
    },
    livesBelow(key, since) {
      const process = parseKey(key, context);
      return process?.isHere ? (processes.startedBelow?.(process.pid, millisecondsOf(since)) ?? null) : null;
    },
    orphans() {
      const found = repo.workDir === null ? null : processes.orphansIn?.(repo.workDir);
      return (found ?? []).map(moment => BigInt(Math.round(moment)) * 1_000_000n);
    },
  };
}

/**
 * Returns the ctime that a file written now has: by that clock the files are stamped that are compared with it. Throws nothing:
 * where none can be written, the machine's clock has to do.
 */
async function momentOf(context: Context): Promise<bigint> {
  const file = `${eventFolder(context)}/now.${context.processes.newToken()}`;
  try {
    await createOwn(context, file);
    return (await lstatOf(context.fs, file)).ctimeNs;
  } catch {
    return BigInt(Date.now()) * 1_000_000n;
  } finally {
    await removeIfThere(context.fs, file).catch(() => {});
  }
}

/** Answers the moment before which nothing is known. */
async function forgetOld(context: Context, events: readonly AgentEvent[]): Promise<bigint | null> {
  const folder = eventFolder(context);
  if (events.length > MOST_EVENTS) {
    const oldest = events.toSorted(inTime).slice(0, events.length - MOST_EVENTS / 2);
    await replaceOwn(context, folder, FORGOTTEN, utf8(String(oldest.at(-1)!.at)));
    for (const event of oldest) await removeIfThere(context.fs, `${folder}/${eventFileName(event)}`);
  }
  if (events.length === 0) return null;
  const bytes = await orNull(context.fs.readFile(`${folder}/${FORGOTTEN}`));
  const text = bytes && fromUtf8(bytes);
  return text && /^\d{1,25}$/.test(text) ? BigInt(text) : null;
}

// Keys of processes in the names of files: `<pid>_<start>_<PID namespace>`, a part that is not known empty.

type Processes = Pick<Context, 'processes'>;

/** Returns the key by which events name this process. */
export function ownKey({ processes: { self } }: Processes): string {
  return keyOf(self, self.space);
}

/** Returns the keys of the processes that this one was started by, the nearest first. */
export function ancestorKeys({ processes }: Processes): string[] {
  return (processes.ancestors?.() ?? []).map(one => keyOf(one, processes.self.space));
}

/** Programs between an agent and its hook; bin/vedit-hook has the same list. */
const SHELLS = /^(sh|bash|dash|zsh|ksh|ash|fish|busybox|vedit-hook)$/;

/** Returns the key of the agent whose hook this process is: the nearest above it that is no shell; '' where names are not known. */
export function clientKey({ processes }: Processes): string {
  const client = processes.ancestors?.().find(({ name }) => name !== '' && !SHELLS.test(name));
  return client ? keyOf(client, processes.self.space) : '';
}

function keyOf({ pid, started }: Pick<ProcessIdentity, 'pid' | 'started'>, space: string | null): string {
  return [pid, started, spaceNumber(space)].join('_');
}

/** Returns the number of `pid:[4026531836] ...`, which a shell can read too. */
function spaceNumber(space: string | null): string {
  return /^pid:\[(\d+)\]/.exec(space ?? '')?.[1] ?? '';
}

/** A process that a key names; its pid counts here where `isHere`. */
export interface KeyedProcess extends ProcessIdentity {
  isHere: boolean;
}

/** Returns `null` for a text that is no key. */
export function parseKey(key: string, { processes: { self } }: Processes): KeyedProcess | null {
  const [, pid, started, space] = /^(\d{1,10})_(\d*)_(\d*)$/.exec(key) ?? [];
  if (pid === undefined) return null;
  const isHere = space === spaceNumber(self.space);
  return { ...self, pid: Number(pid), started: started!, space: isHere ? self.space : null, isHere };
}
