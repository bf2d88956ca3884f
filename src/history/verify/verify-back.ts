/**
 * Checks that a commit that takes back, puts back or restores is what it says. Of an undo or a redo it looks at the lines of
 * the commits alone, and knows no weave: a line that went was put in by what is named, and a line that came was taken out by
 * it. Which of two equal lines it was, that cannot tell.
 */

import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { isRollback, isWork } from '../../operations.ts';
import { align } from '../../text/diff/alignment.ts';
import { changesOf } from '../../text/diff/line-diff.ts';
import { isLine, recordedRows } from '../file-rows.ts';
import { fileAt, type Recorded, sameRecorded } from '../steps.ts';
import { readEntry, type TrailEntry, treeOf } from '../walk.ts';

export function takesBack({ meta }: TrailEntry): boolean {
  return meta !== null && Boolean(meta.undoes?.length || meta.redoes?.length || meta.restores);
}

/** The trailer that a way back must have to be one. */
const NAMES: Readonly<Record<string, 'undoes' | 'redoes' | 'restores'>> = {
  undo: 'undoes',
  revert: 'undoes',
  redo: 'redoes',
  rollback: 'restores',
  restore: 'restores',
};

/** True for a way back that does not say from what. */
export function namesNothing({ meta }: TrailEntry): boolean {
  const field = meta && Object.hasOwn(NAMES, meta.op) ? NAMES[meta.op] : undefined;
  return field !== undefined && !meta![field]?.length;
}

/** The paths in which a line went or came that nothing of what the commit names explains. */
export async function wrongBack(objects: ObjectDatabase, entry: TrailEntry): Promise<string[]> {
  if (entry.meta!.restores !== undefined) {
    const moved = await unexplained(objects, entry, await mayRestore(objects, entry));
    const left = isRollback(entry.meta!.op) ? await leftStanding(objects, entry) : [];
    return [...new Set([...moved, ...left])];
  }
  const named = { go: new Lines(), come: new Lines() };
  await allow(objects, entry, named);
  const wrong = await unexplained(objects, entry, named);
  return wrong.length === 0 ? wrong : unexplained(objects, entry, await mayBack(objects, entry));
}

/** Allows what was there at the commit that is restored, and of a rollback what edits since then put in to go. */
async function mayRestore(objects: ObjectDatabase, entry: TrailEntry): Promise<May> {
  const { paths, restores, op } = entry.meta!;
  const may = { go: new Lines(), come: new Lines() };
  await allowIn(objects, may.come, restores!, paths);
  await allowHead(objects, entry, may);
  if (!isRollback(op)) {
    for (const { took } of await lineChanges(objects, entry)) for (const line of took) may.go.add(line);
    return may;
  }
  for (const one of await rolledBack(objects, entry))
    if (isWork(one.meta?.op)) allowBack(may, await lineChanges(objects, one, paths));
  return may;
}

/** Reads the commits that a rollback is about, newest first. */
async function rolledBack(objects: ObjectDatabase, { parents, meta }: TrailEntry): Promise<TrailEntry[]> {
  const since: TrailEntry[] = [];
  for (let next = parents[0]; next !== undefined && next !== meta!.restores; next = since.at(-1)!.parents[0])
    since.push(await readEntry(objects, next));
  return since;
}

/** The files of a rollback with a line that was neither there at its commit nor came since from HEAD or by hand. */
async function leftStanding(objects: ObjectDatabase, entry: TrailEntry): Promise<string[]> {
  const { paths, restores } = entry.meta!;
  const since = await rolledBack(objects, entry);
  const names = [...new Set([...paths, ...since.flatMap(({ meta }) => meta?.paths ?? [])])];
  const may = { go: new Lines(), come: new Lines() };
  await allowIn(objects, may.come, restores!, names);
  await allowHead(objects, entry, may);
  for (const one of since.filter(({ meta }) => !isWork(meta?.op)))
    for (const { put } of await lineChanges(objects, one, names)) for (const line of put) may.come.add(line);
  const left: string[] = [];
  for (const path of paths) {
    const lines = await recordedRows(objects, path, await fileAt(objects, entry.tree, path));
    if (!lines.filter(isLine).every(line => may.come.take(line))) left.push(path);
  }
  return left;
}

/** True where each line of a file is one of two texts, and a file is gone that one of them lacks. */
export async function isOfBoth(
  objects: ObjectDatabase,
  path: string,
  after: Recorded,
  sides: readonly [Recorded, Recorded],
): Promise<boolean> {
  if (after === null) return sides.includes(null);
  const may = new Lines();
  for (const side of sides) for (const line of await recordedRows(objects, path, side)) may.add(line);
  return (await recordedRows(objects, path, after)).every(line => may.take(line));
}

/** Lines that may go, and those that may come. */
interface May {
  go: Lines;
  come: Lines;
}

async function unexplained(objects: ObjectDatabase, entry: TrailEntry, may: May): Promise<string[]> {
  const changes = await lineChanges(objects, entry);
  // What only moved from file to file has neither come nor gone.
  const [took, put] = [
    new Lines(changes.flatMap(one => one.took)),
    new Lines(changes.flatMap(one => one.put)),
  ];
  const isMoved = (other: Lines, line: string): boolean => isLine(line) && other.take(line);
  return changes
    .filter(one => {
      const gone = one.took.filter(line => !isMoved(put, line));
      const come = one.put.filter(line => !isMoved(took, line));
      return !gone.every(line => may.go.take(line)) || !come.every(line => may.come.take(line));
    })
    .map(({ path }) => path);
}

/** Allows what a way back names: that what was put goes, and that what was taken comes; of a redo, the other way round. */
async function allow(objects: ObjectDatabase, { meta }: TrailEntry, { go, come }: May): Promise<void> {
  const { undoes = [], redoes = [] } = meta!;
  for (const id of undoes) allowBack({ go, come }, await lineChanges(objects, await readEntry(objects, id)));
  for (const id of redoes)
    allowBack({ go: come, come: go }, await lineChanges(objects, await readEntry(objects, id)));
}

function allowBack({ go, come }: May, changes: readonly LineChanges[]): void {
  for (const { put, took } of changes) {
    for (const line of put) go.add(line);
    for (const line of took) come.add(line);
  }
}

/** Lets come what HEAD has: where the files lacked the place, what it brought there is seen only now. */
async function allowHead(objects: ObjectDatabase, { meta }: TrailEntry, { come }: May): Promise<void> {
  if (meta!.head !== undefined) await allowIn(objects, come, meta!.head, meta!.paths);
}

async function allowIn(
  objects: ObjectDatabase,
  lines: Lines,
  commit: string,
  paths: readonly string[],
): Promise<void> {
  const tree = await treeOf(objects, commit);
  for (const path of paths)
    for (const line of await recordedRows(objects, path, await fileAt(objects, tree, path))) lines.add(line);
}

/** Allows also what the ways back since the oldest commit that is named did to lines that were away then: that is seen only now. */
async function mayBack(objects: ObjectDatabase, entry: TrailEntry): Promise<May> {
  const { undoes = [], redoes = [] } = entry.meta!;
  const may = { go: new Lines(), come: new Lines() };
  await allow(objects, entry, may);
  const open = new Set([...undoes, ...redoes]);
  for (let next = entry.parents[0]; next !== undefined && open.size > 0; ) {
    const one = await readEntry(objects, next);
    open.delete(next);
    if (takesBack(one) && one.meta!.restores === undefined) await allow(objects, one, may);
    next = one.parents[0];
  }
  await allowHead(objects, entry, may);
  return may;
}

/** The lines of one file that a commit put in and took out, with its name and mode; of a file that is no text, all of it. */
interface LineChanges {
  path: string;
  put: string[];
  took: string[];
}

async function lineChanges(
  objects: ObjectDatabase,
  { meta, parents, tree }: TrailEntry,
  paths: readonly string[] = meta?.paths ?? [],
): Promise<LineChanges[]> {
  const [parent] = parents;
  const below = parent === undefined ? null : await treeOf(objects, parent);
  const found: LineChanges[] = [];
  for (const path of paths) {
    const before = below === null ? null : await fileAt(objects, below, path);
    const after = await fileAt(objects, tree, path);
    if (sameRecorded(before, after)) continue;
    const [old, fresh] = [
      await recordedRows(objects, path, before),
      await recordedRows(objects, path, after),
    ];
    const places = changesOf(align(old, fresh).to, fresh.length);
    const took = places.flatMap(({ oldStart, oldEnd }) => old.slice(oldStart, oldEnd));
    const put = places.flatMap(({ newStart, newEnd }) => fresh.slice(newStart, newEnd));
    found.push({ path, took, put });
  }
  return found;
}

/** Lines with how often each is there. What a formatter changed of one counts as the same. */
class Lines {
  readonly #counts = new Map<string, number>();

  constructor(lines: Iterable<string> = []) {
    for (const line of lines) this.add(line);
  }

  add(line: string): void {
    for (const text of [line, bare(line)]) this.#counts.set(text, (this.#counts.get(text) ?? 0) + 1);
  }

  /** Takes the line out; false where it is not there any more. */
  take(line: string): boolean {
    const known = [line, bare(line)].filter(text => (this.#counts.get(text) ?? 0) > 0);
    for (const text of known) this.#counts.set(text, this.#counts.get(text)! - 1);
    return known.length > 0;
  }
}

/** Returns what a formatter leaves of a line, marked as such. */
function bare(line: string): string {
  return `\0${line.replace(/[\s"'`,;]/g, '')}`;
}
