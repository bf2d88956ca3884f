/**
 * Events of agents that their hooks left in a folder, for whoever comes next: they become edits before anything is read or
 * edited. An event is a file that is put there whole; the moment of its rename is its place in the order.
 */

import { textsBefore } from '../engine/change/recorded-versions.ts';
import type { Context } from '../engine/context.ts';
import { lookFolder } from '../engine/origins/looked.ts';
import { removeIfThere } from '../fs/durable.ts';
import { orNull } from '../fs/fs.ts';
import { createOwn, filesIn, ifNot, millisecondsOf } from '../fs/own-files.ts';
import { resolvePath } from '../git/paths.ts';
import { inOrder } from '../sorted.ts';
import type { FileDeed, HookEvent } from './hooks/event.ts';
import { readHook } from './hooks/read.ts';
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

/** An event that waits; `null`: there is nothing to take of it. */
interface Waiting {
  name: string;
  event: HookEvent | null;
}

/**
 * Takes in the events that wait now, in their order, and none that come meanwhile: those are for who comes next. One that
 * cannot be recorded now stays, and those behind it.
 */
export async function recordSpooled(taker: Taker): Promise<void> {
  const { context } = taker;
  const rest: Rest = new Map();
  for (const names of await spooled(context)) {
    const events = inOrderOfTexts(await Promise.all(names.map(name => readSpooled(context, name))));
    dropRepeated(events);
    noteLeft(events);
    for (const one of events) if (!(await takeOne(taker, one, rest))) return;
  }
  // Whoever leaves an event names it there afterwards: so none is left behind.
  await removeIfThere(context.fs, pendingPath(context));
  if ((await spooled(context)).length > 0)
    await createOwn(context, pendingPath(context)).catch(ifNot('EEXIST'));
  for (const record of rest.values()) await record().catch(() => {});
  await sweep(context).catch(() => {});
}

/** Sorts events whose hooks overtook each other: one that made the text which another found was before it. */
function inOrderOfTexts(given: readonly Waiting[]): Waiting[] {
  const results = new Map<string, Waiting>();
  for (const one of given.toReversed()) {
    const texts = onlyFile(one);
    const result =
      texts &&
      textsBefore({ ...texts, left: 'unknown' }, { path: texts.path, recorded: null, present: null });
    if (result?.became) results.set(`${texts!.path}\0${result.became}`, one);
  }
  const sorted = new Set<Waiting>();
  const add = (one: Waiting, depth = 0): void => {
    const file = sorted.has(one) ? null : onlyFile(one);
    const before = file && results.get(`${file.path}\0${file.original}`);
    if (before && before !== one && depth < MOST_OVERTAKEN) add(before, depth + 1);
    sorted.add(one);
  };
  for (const one of given) add(one);
  return [...sorted];
}

const MOST_OVERTAKEN = 16;

/** Returns the only file of an edit of which the whole text before is told. */
function onlyFile({ event }: Waiting): FileDeed | null {
  const files = event?.deed?.kind === 'files' ? event.deed.files : [];
  return files.length === 1 && typeof files[0]!.original === 'string' ? files[0]! : null;
}

/** Drops what was told before: of the same call, or the same edit of the same text, under whatever name. */
function dropRepeated(events: readonly Waiting[]): void {
  const seen = new Set<string>();
  for (const one of events) {
    const { deed, call } = one.event ?? {};
    if (deed?.kind !== 'files') continue;
    const ids = deed.files.flatMap(file => [
      ...(call === undefined ? [] : [`${call} ${file.path}`]),
      ...(file.original === undefined ? [] : [JSON.stringify(file)]),
    ]);
    if (ids.some(id => seen.has(id))) one.event = null;
    for (const id of ids) seen.add(id);
  }
}

/** Says of each edit how it left its file, where one that follows tells what that found there. */
function noteLeft(events: readonly Waiting[]): void {
  const found = new Map<string, FileDeed['left']>();
  for (const { event } of events.toReversed()) {
    if (event?.deed?.kind !== 'files') continue;
    for (const file of event.deed.files) {
      const place = resolvePath(event.folders[0] ?? '/', file.path);
      const left = found.get(place);
      if (left) file.left = left;
      found.set(place, file.original === undefined ? 'unknown' : { text: file.original });
    }
  }
}

/** Files of fronts that were killed: no hook runs for an hour. */
const UNFINISHED = /^(\.\d+|event\.\d+|look\.\d+\.stamp)$/;
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

/** Lists the events that wait, the oldest first, in groups that can be held at once. */
async function spooled(context: Context): Promise<string[][]> {
  const files = await filesIn(context.fs, spoolFolder(context), isEvent);
  const sorted = files
    .filter(({ stat }) => stat.size <= LONGEST)
    .sort((a, b) => inOrder(a.stat.ctimeNs, b.stat.ctimeNs) || inOrder(a.name, b.name))
    .slice(0, MOST_EVENTS);
  const groups: string[][] = [];
  let size = LONGEST;
  for (const { name, stat } of sorted) {
    size += stat.size;
    if (size > LONGEST) {
      groups.push([]);
      size = stat.size;
    }
    groups.at(-1)!.push(name);
  }
  return groups;
}

/** `<agent>.<number>`; what is being written has another name. */
function isEvent(name: string): boolean {
  return /^[a-z-]{1,20}\.[\w-]{1,64}$/.test(name);
}

/** Reads an event; a call that has no id gets one by its bytes. One that is gone, or that nobody can read, says nothing. */
async function readSpooled(context: Context, name: string): Promise<Waiting> {
  const { fs, codec } = context;
  const bytes = await orNull(fs.readFile(`${spoolFolder(context)}/${name}`));
  try {
    const event = bytes && readHook(bytes, name.split('.')[0]!);
    if (!bytes || event?.deed?.kind !== 'files' || event.when !== 'after') return { name, event: null };
    const call = event.call ?? `hook-${(await codec.hash('blob', bytes)).slice(0, 12)}`;
    return { name, event: { ...event, call } };
  } catch {
    return { name, event: null };
  }
}

/** Takes one event in. False where it has to wait. */
async function takeOne(taker: Taker, { name, event }: Waiting, rest: Rest): Promise<boolean> {
  if (event && !(await takeSpooled(taker, event, rest))) return false;
  await removeIfThere(taker.context.fs, `${spoolFolder(taker.context)}/${name}`);
  return true;
}
