/** The events of agents in the engine's folder: written by hooks and servers, read when a change has to be somebody's. */

import { utf8 } from '../../bytes.ts';
import { readJson, removeIfThere } from '../../fs/durable.ts';
import { orNull } from '../../fs/fs.ts';
import type { ProcessIdentity } from '../../fs/lock/processes.ts';
import { createOwn, ensureOwnFolder, filesIn, ifNot, millisecondsOf } from '../../fs/own-files.ts';
import { trailerText } from '../../history/message.ts';
import type { Context } from '../context.ts';
import { type Activity, activityOf, type Machine } from './activity.ts';
import {
  type AgentEvent,
  type AgentSignal,
  type EventName,
  eventFileName,
  inTime,
  parseEventName,
  plainField,
} from './agent-events.ts';

/** Events that are kept; with more, the older half goes. */
const MOST_EVENTS = 4_096;
const LONGEST = 16 * 1024;

function eventFolder({ folder }: Context): string {
  return `${folder}/agents`;
}

/** The content that an event has beside its name. */
type EventAbout = Pick<AgentEvent, 'turn' | 'model' | 'sessionId'>;

/** Leaves what a hook or a server says in the engine's folder. */
export async function noteSignal(context: Context, { turn, model, ...signal }: AgentSignal): Promise<void> {
  const { id = context.processes.newToken(), tool = '', session } = signal;
  const about = { turn, model, ...(plainField(session) === session ? {} : { sessionId: session }) };
  if (signal.kind !== 'connect' && signal.kind !== 'gone')
    return noteEvent(context, { ...signal, id, tool, client: clientKey(context) }, about);
  const { self } = context.processes;
  const own = keyOf(self, self.space);
  return noteEvent(context, { ...signal, id: own, tool, client: own });
}

/** Writes an event into the folder. One of that name that is there already stays as it is. */
async function noteEvent(context: Context, event: EventName, about: EventAbout = {}): Promise<void> {
  const folder = eventFolder(context);
  await ensureOwnFolder(context, folder);
  const text = JSON.stringify(about);
  const bytes = utf8(text === '{}' ? '' : text);
  await createOwn(context, `${folder}/${eventFileName(event)}`, bytes).catch(ifNot('EEXIST'));
}

/**
 * Returns what agents were doing here, as far as their events tell. Notes what is seen only now. `forgotten`: the moment before which
 * nothing is known; `null`: there is none.
 */
export async function readActivity(context: Context): Promise<Activity & { forgotten: bigint | null }> {
  const events = await readEvents(context);
  const activity = activityOf(events, machineOf(context));
  for (const event of activity.seen) await noteEvent(context, event).catch(() => {});
  const most = MOST_EVENTS / 2;
  const kept = events.length > MOST_EVENTS ? events.slice(-most) : events;
  for (const event of events.slice(0, events.length - kept.length))
    await removeIfThere(context.fs, `${eventFolder(context)}/${eventFileName(event)}`).catch(() => {});
  // Where there are so many, older ones may have gone before.
  return { ...activity, forgotten: kept.length >= most ? kept[0]!.at : null };
}

/** True where any hook or server ever said what agents do: then it is known whose a change from outside is. */
export async function hearsOfAgents(context: Context): Promise<boolean> {
  return (await orNull(context.fs.readdir(eventFolder(context)))) !== null;
}

/** Reads the events whose names are wanted, the oldest first. */
export async function readEvents(
  context: Context,
  isWanted: (event: EventName) => boolean = () => true,
): Promise<AgentEvent[]> {
  const { fs } = context;
  // A file in its place is no folder of which nobody wrote anything.
  await fs.readdir(eventFolder(context)).catch(ifNot('ENOENT'));
  const nameOf = (file: string): EventName | null => {
    const event = parseEventName(file);
    return event && isWanted(event) ? event : null;
  };
  const found: AgentEvent[] = [];
  for (const { name, path, stat } of await filesIn(fs, eventFolder(context), file => !!nameOf(file))) {
    const about = stat.size > 0 && stat.size <= LONGEST ? await aboutOf(context, path) : {};
    found.push({ ...parseEventName(name)!, ...about, at: stat.ctimeNs });
  }
  return found.sort(inTime);
}

/** Reads texts that a trailer can hold, whoever wrote them there. */
async function aboutOf({ fs }: Context, file: string): Promise<EventAbout> {
  const given = Object(await readJson(fs, file).catch(() => null));
  const texts = (['turn', 'model', 'sessionId'] as const).flatMap(name =>
    typeof given[name] === 'string' ? [[name, trailerText(given[name])]] : [],
  );
  return Object.fromEntries(texts);
}

function machineOf(context: Context): Machine {
  const { processes, repo } = context;
  return {
    now: BigInt(Date.now()) * 1_000_000n,
    isAlive(key) {
      const process = parseKey(key, context);
      return process && processes.isAlive(process, 'local');
    },
    livesBelow(key, since) {
      const process = parseKey(key, context);
      const isHere = process !== null && process.space === processes.self.space;
      return isHere ? (processes.startedBelow?.(process.pid, millisecondsOf(since)) ?? null) : null;
    },
    orphans() {
      const found = repo.workDir === null ? null : processes.orphansIn?.(repo.workDir);
      return (found ?? []).map(moment => BigInt(Math.round(moment)) * 1_000_000n);
    },
  };
}

// Keys of processes in the names of files: `<pid>_<start>_<PID namespace>`, a part that is not known empty.

type Processes = Pick<Context, 'processes'>;

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

/** Returns the process of a key, with no namespace where it is not of this one; `null` for a text that is no key. */
function parseKey(key: string, { processes: { self } }: Processes): ProcessIdentity | null {
  const [, pid, started, space] = /^(\d{1,10})_(\d*)_(\d*)$/.exec(key) ?? [];
  if (pid === undefined) return null;
  return {
    ...self,
    pid: Number(pid),
    started: started!,
    space: space === spaceNumber(self.space) ? self.space : null,
  };
}
