/**
 * Events of agents that their hooks left in a folder, for whoever comes next: they become edits before anything is read or
 * edited. An event is a file that is put there whole; the moment of its rename is its place in the order.
 */

import type { Context } from '../engine/context.ts';
import { type FoundFile, filesIn, lookFolder, millisecondsOf } from '../engine/origins/own-files.ts';
import { removeIfThere } from '../fs/durable.ts';
import { orNull } from '../fs/fs.ts';
import { inOrder } from '../sorted.ts';
import type { Rest } from './take-files.ts';
import { type Taker, takeSpooled } from './take-hook.ts';

/** Names a file that is there as long as the folder may hold events: it costs a look at one name to know that there is none. */
function pendingPath(context: Context): string {
  return `${lookFolder(context)}/pending`;
}

function spoolFolder(context: Context): string {
  return `${lookFolder(context)}/spool`;
}

/** No more events are taken at once, and no longer one: what a program puts there besides is left alone. */
const MOST_EVENTS = 4_096;
const LONGEST = 64 * 1024 * 1024;

/** Those that nobody can read are kept to be looked at; so many. */
const BAD = '.bad';
const MOST_BAD = 16;

/** Takes every event in, in its order. One that cannot be recorded now stays, and those behind it. */
export async function recordSpooled(taker: Taker): Promise<void> {
  const { context } = taker;
  const rest: Rest = new Map();
  for (let isDone = false; !isDone; ) {
    for (const name of await spooled(context)) if (!(await takeOne(taker, name, rest))) return;
    // Whoever leaves an event names it there afterwards: so none is left behind.
    await removeIfThere(context.fs, pendingPath(context));
    isDone = (await spooled(context)).length === 0;
  }
  for (const record of rest.values()) await record().catch(() => {});
  await sweep(context).catch(() => {});
}

/** Files of fronts that were killed: no hook runs for an hour. */
const UNFINISHED = /^(\.\d+|event\.\d+|look\.\d+\.(stamp|list))$/;
const HOUR = 3_600_000;

/** Removes what killed fronts left, and events that were cut off for their length. */
async function sweep(context: Context): Promise<void> {
  const { fs } = context;
  const before = context.now().getTime() - HOUR;
  const spooled = await filesIn(fs, spoolFolder(context));
  const left = [...spooled, ...(await filesIn(fs, lookFolder(context)))].filter(
    ({ name, stat }) => UNFINISHED.test(name) && millisecondsOf(stat.ctimeNs) < before,
  );
  const long = spooled.filter(({ name, stat }) => isEvent(name) && stat.size > LONGEST);
  for (const { path } of [...left, ...long]) await removeIfThere(fs, path);
}

/** Lists the events that wait, the oldest first. */
export async function spooled(context: Context): Promise<string[]> {
  const files: FoundFile[] = [];
  for (const one of await filesIn(context.fs, spoolFolder(context), isEvent, ['file', 'symlink']))
    if (one.stat.type === 'file' || (await keptAt(context, one.path)) !== null) files.push(one);
  return files
    .filter(({ stat }) => stat.size <= LONGEST)
    .sort((a, b) => inOrder(a.stat.ctimeNs, b.stat.ctimeNs) || inOrder(a.name, b.name))
    .map(({ name }) => name)
    .slice(0, MOST_EVENTS);
}

/** `<agent>.<number>`; what is being written has another name. */
function isEvent(name: string): boolean {
  return /^[a-z-]{1,20}\.[\w-]{1,64}$/.test(name);
}

/** Takes one event in. False where it has to wait. */
async function takeOne(taker: Taker, name: string, rest: Rest): Promise<boolean> {
  const { fs, codec } = taker.context;
  const path = `${spoolFolder(taker.context)}/${name}`;
  const kept = await keptAt(taker.context, path);
  const bytes = kept === null ? null : await orNull(fs.readFile(kept));
  if (kept === null || !bytes) return true;
  const id = await codec.hash('blob', bytes);
  const outcome = await takeSpooled(taker, bytes, {
    named: name.split('.')[0]!,
    id: `hook-${id.slice(0, 12)}`,
    rest,
  });
  if (outcome === 'waits') return false;
  if (outcome === 'unreadable') await setAside(taker.context, name);
  else await removeIfThere(fs, path);
  if (kept !== path) await removeIfThere(fs, kept);
  return true;
}

/** Where the event is: a hook that found the disk full left a link to one that is in memory, or on another disk. */
async function keptAt({ fs, euid }: Context, path: string): Promise<string | null> {
  const link = await fs.readlink(path).catch(() => null);
  if (link === null) return path;
  const stat = await orNull(fs.lstat(link));
  const isOwn = stat?.type === 'file' && (euid === undefined || stat.uid === euid);
  return isOwn && stat.size <= LONGEST && /\/vedit-event\.[a-z-]+\.\d+$/.test(link) ? link : null;
}

async function setAside(context: Context, name: string): Promise<void> {
  const { fs } = context;
  const folder = spoolFolder(context);
  const bad = (await fs.readdir(folder)).filter(one => one.endsWith(BAD));
  if (bad.length >= MOST_BAD) await removeIfThere(fs, `${folder}/${name}`);
  else await fs.rename(`${folder}/${name}`, `${folder}/${name}${BAD}`);
}
