/**
 * Events of agents that their hooks left in a folder, for whoever comes next: they become edits before anything is read or
 * edited. An event is a file that is put there whole; the moment of its rename is its place in the order.
 */

import type { Context } from '../engine/context.ts';
import { lookFolder } from '../engine/origins/looked.ts';
import { removeIfThere } from '../fs/durable.ts';
import { type Fs, orNull, type Stat } from '../fs/fs.ts';
import type { Rest } from './take-files.ts';
import { type Taker, takeSpooled } from './take-hook.ts';

/** There as long as the folder may hold events: it costs a look at one name to know that there is none. */
export function pendingPath(context: Context): string {
  return `${lookFolder(context)}/pending`;
}

export function spoolFolder(context: Context): string {
  return `${lookFolder(context)}/spool`;
}

/** No more events are taken at once, and no longer one: what a program puts there besides is left alone. */
const MOST_EVENTS = 4_096;
const LONGEST = 64 * 1024 * 1024;

/** Those that nobody can read are kept to be looked at; so many. */
const BAD = '.bad';
const MOST_BAD = 16;

/** Takes every event in, in its order. One that cannot be recorded now stays, and those behind it. */
export async function settle(taker: Taker): Promise<void> {
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
  const before = context.now().getTime() - HOUR;
  const isOld = ({ ctimeNs }: Stat): boolean => Number(ctimeNs / 1_000_000n) < before;
  const isCut = ({ size }: Stat): boolean => size > LONGEST;
  await removeWhere(context.fs, lookFolder(context), name => (UNFINISHED.test(name) ? isOld : null));
  await removeWhere(context.fs, spoolFolder(context), name =>
    UNFINISHED.test(name) ? isOld : isEvent(name) ? isCut : null,
  );
}

async function removeWhere(
  fs: Fs,
  folder: string,
  ruleFor: (name: string) => ((stat: Stat) => boolean) | null,
): Promise<void> {
  for (const name of (await orNull(fs.readdir(folder))) ?? []) {
    const rule = ruleFor(name);
    const stat = rule && (await orNull(fs.lstat(`${folder}/${name}`)));
    if (stat?.type === 'file' && rule!(stat)) await removeIfThere(fs, `${folder}/${name}`);
  }
}

/** The names of the events that wait, the oldest first. */
export async function spooled(context: Context): Promise<string[]> {
  const folder = spoolFolder(context);
  const names = (await orNull(context.fs.readdir(folder))) ?? [];
  const found: Array<{ name: string; at: bigint }> = [];
  for (const name of names.filter(isEvent).slice(0, MOST_EVENTS)) {
    const stat = await context.fs.lstat(`${folder}/${name}`);
    if (stat?.type === 'file' && stat.size <= LONGEST) found.push({ name, at: stat.ctimeNs });
  }
  const inOrder = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);
  return found.sort((a, b) => inOrder(a.at, b.at) || (a.name < b.name ? -1 : 1)).map(({ name }) => name);
}

/** `<agent>.<number>`; what is being written has another name. */
function isEvent(name: string): boolean {
  return /^[a-z-]{1,20}\.[\w-]{1,64}$/.test(name);
}

/** False where it has to wait. */
async function takeOne(taker: Taker, name: string, rest: Rest): Promise<boolean> {
  const { fs, codec } = taker.context;
  const path = `${spoolFolder(taker.context)}/${name}`;
  const bytes = await orNull(fs.readFile(path));
  if (!bytes) return true;
  const id = await codec.hash('blob', bytes);
  const outcome = await takeSpooled(taker, bytes, {
    named: name.split('.')[0]!,
    id: `hook-${id.slice(0, 12)}`,
    rest,
  });
  if (outcome === 'waits') return false;
  if (outcome === 'unreadable') await setAside(taker.context, name);
  else await removeIfThere(fs, path);
  return true;
}

async function setAside(context: Context, name: string): Promise<void> {
  const { fs } = context;
  const folder = spoolFolder(context);
  const bad = (await fs.readdir(folder)).filter(one => one.endsWith(BAD));
  if (bad.length >= MOST_BAD) await removeIfThere(fs, `${folder}/${name}`);
  else await fs.rename(`${folder}/${name}`, `${folder}/${name}${BAD}`);
}
