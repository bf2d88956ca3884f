/** The events of agents in the engine's folder: written by hooks and servers, read when a change has to be somebody's. */

import { fromUtf8, utf8 } from '../../bytes.ts';
import { createFile, ensureFolder, parentOf, removeIfThere, replaceFile } from '../../fs/durable.ts';
import { errno, lstatOf, orNull } from '../../fs/fs.ts';
import type { Context } from '../context.ts';
import { type Activity, activityOf, type Machine } from './activity.ts';
import {
  type AgentEvent,
  type EventName,
  eventFileName,
  parseEventName,
  parseProcessKey,
  processKey,
} from './agent-events.ts';
import type { AgentSignal } from './signal.ts';

/** Events that are kept; with more, the older half goes. */
const MOST_EVENTS = 4_096;
const LONGEST = 16 * 1024;

/** Names the moment before which events were forgotten. */
const FORGOTTEN = 'forgotten';

export function eventFolder({ folder }: Context): string {
  return `${folder}/agents`;
}

/** The content that an event has beside its name: which file it is about, or who started it. */
export type EventAbout = Pick<AgentEvent, 'path' | 'ancestors'>;

/** Leaves what a hook or a server says in the engine's folder. */
export async function noteSignal(context: Context, { path, ...signal }: AgentSignal): Promise<void> {
  const { id = context.processes.newToken(), tool = '' } = signal;
  if (signal.kind !== 'connect' && signal.kind !== 'gone')
    return noteEvent(
      context,
      { ...signal, id, tool, client: clientOf(context) },
      path === undefined ? {} : { path },
    );
  const own = ownProcess(context);
  const about = signal.kind === 'connect' ? { ancestors: ancestorsOf(context) } : {};
  return noteEvent(context, { ...signal, id: own, tool, client: own }, about);
}

/** Leaves an event. One that is there already stands. */
async function noteEvent(context: Context, event: EventName, about: EventAbout = {}): Promise<void> {
  const folder = eventFolder(context);
  await ensureFolder(context.fs, parentOf(folder));
  await makeOwn(context, folder);
  const bytes = Object.keys(about).length === 0 ? new Uint8Array() : utf8(JSON.stringify(about));
  const file = `${folder}/${eventFileName(event)}`;
  await createFile(context.fs, file, bytes, { sync: false, mode: 0o600 }).catch(ifNot('EEXIST'));
}

/** Names of sessions and files are for their user alone. */
export async function makeOwn({ fs }: Context, folder: string): Promise<void> {
  const made = await fs.mkdir(folder).then(() => true, ifNot('EEXIST'));
  if (!made) return;
  const handle = await fs.open(folder, 'directory');
  await handle.chmod(0o700).finally(() => handle.close());
}

function ifNot(code: string): (error: unknown) => void {
  return error => {
    if (errno(error) !== code) throw error;
  };
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
  const folder = eventFolder(context);
  // A file in its place is no folder of which nobody wrote anything.
  const names = await context.fs.readdir(folder).catch(error => {
    if (errno(error) === 'ENOENT') return [];
    throw error;
  });
  const found: AgentEvent[] = [];
  for (const name of names) {
    const event = parseEventName(name);
    const stat = event && (await context.fs.lstat(`${folder}/${name}`));
    if (!event || stat?.type !== 'file') continue;
    const about = stat.size > 0 && stat.size <= LONGEST ? await aboutOf(context, `${folder}/${name}`) : {};
    found.push({ ...event, ...about, at: stat.ctimeNs });
  }
  return found;
}

async function aboutOf({ fs }: Context, path: string): Promise<EventAbout> {
  try {
    const { path: about, ancestors } = Object(JSON.parse(fromUtf8(await fs.readFile(path)) ?? ''));
    return {
      ...(typeof about === 'string' ? { path: about } : {}),
      ...(Array.isArray(ancestors) ? { ancestors: ancestors.map(String) } : {}),
    };
  } catch {
    return {};
  }
}

/** The moment by the clock of the file system, which stamps the files that are compared with it. */
async function machineOf(context: Context, events: readonly AgentEvent[]): Promise<Machine> {
  const { processes } = context;
  const boot = processes.bootTime();
  return {
    now: events.length === 0 ? 0n : await momentOf(context),
    isAlive(process, at) {
      const key = parseProcessKey(process);
      if (!key) return null;
      if (boot !== null && Number(at / 1_000_000n) < boot - CLOCK_SLACK) return false;
      const { self } = processes;
      const isOwnSpace = key.space === spaceNumber(self.space);
      const owner = { ...self, pid: key.pid, started: key.started, space: isOwnSpace ? self.space : null };
      return processes.isAlive(owner, 'local');
    },
    livesBelow(process, since) {
      const key = parseProcessKey(process);
      if (!key || key.space !== spaceNumber(processes.self.space)) return null;
      return processes.startedBelow?.(key.pid, Number(since / 1_000_000n)) ?? null;
    },
    orphans() {
      const folder = context.repo.workDir;
      const found = folder === null ? null : processes.orphansIn?.(folder);
      return (found ?? []).map(moment => BigInt(Math.round(moment)) * 1_000_000n);
    },
  };
}

/** Milliseconds by which a clock may have been put right since the start. */
const CLOCK_SLACK = 60_000;

/** The ctime that a file written now has. Throws nothing: where none can be written, the machine's clock has to do. */
async function momentOf(context: Context): Promise<bigint> {
  const file = `${eventFolder(context)}/now.${context.processes.newToken()}`;
  try {
    await createFile(context.fs, file, new Uint8Array(), { sync: false, mode: 0o600 });
    return (await lstatOf(context.fs, file)).ctimeNs;
  } catch {
    return BigInt(Date.now()) * 1_000_000n;
  } finally {
    await removeIfThere(context.fs, file).catch(() => {});
  }
}

/** Answers the moment before which nothing is known. */
async function forgetOld(context: Context, events: readonly AgentEvent[]): Promise<bigint | null> {
  const file = `${eventFolder(context)}/${FORGOTTEN}`;
  if (events.length > MOST_EVENTS) {
    const oldest = [...events]
      .sort((a, b) => (a.at < b.at ? -1 : 1))
      .slice(0, events.length - MOST_EVENTS / 2);
    const temp = `${eventFolder(context)}/now.${context.processes.newToken()}`;
    const options = { sync: false, mode: 0o600 };
    await replaceFile(context.fs, file, utf8(String(oldest.at(-1)!.at)), temp, options);
    for (const event of oldest)
      await removeIfThere(context.fs, `${eventFolder(context)}/${eventFileName(event)}`);
  }
  if (events.length === 0) return null;
  const bytes = await orNull(context.fs.readFile(file));
  const text = bytes && fromUtf8(bytes);
  return text && /^\d{1,25}$/.test(text) ? BigInt(text) : null;
}

/** This process, as events name it. */
function ownProcess({ processes }: Context): string {
  const { pid, started, space } = processes.self;
  return processKey({ pid, started, space: spaceNumber(space) });
}

/** The processes that this one was started by, the nearest first, as events name them. */
export function ancestorsOf({ processes }: Context): string[] {
  const space = spaceNumber(processes.self.space);
  return (processes.ancestors?.() ?? []).map(({ pid, started }) => processKey({ pid, started, space }));
}

/** Between an agent and its hook; bin/vedit-hook has the same list. */
const SHELLS = /^(sh|bash|dash|zsh|ksh|ash|fish|busybox|vedit-hook)$/;

/** The agent whose hook this process is: the nearest above it that is no shell; '' where names are not known. */
export function clientOf({ processes }: Context): string {
  const space = spaceNumber(processes.self.space);
  const client = processes.ancestors?.().find(({ name }) => name !== '' && !SHELLS.test(name));
  return client ? processKey({ ...client, space }) : '';
}

/** Returns the number of `pid:[4026531836] ...`, which a shell can read too. */
function spaceNumber(space: string | null): string {
  return /^pid:\[(\d+)\]/.exec(space ?? '')?.[1] ?? '';
}
