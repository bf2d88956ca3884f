/**
 * Checks that a commit that takes back, puts back or restores is what it says. Of an undo or a redo it looks at the lines of
 * the commits alone, and knows no weave: a line that went was put in by what is named, and a line that came was taken out by
 * it. Which of two equal lines it was, that cannot tell.
 */

import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { isOutside, isRestore, isRollback } from '../../operations.ts';
import { align, changesOf } from '../../text/diff/alignment.ts';
import { isLine, recordedRows } from '../history/file-rows.ts';
import { blobsOf, mergeSteps } from '../history/merge-steps.ts';
import { planRollback } from '../history/rollback.ts';
import { type FileStep, fileAt, type Recorded, type Step, sameRecorded } from '../steps.ts';
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

/** The paths whose content is not what the commit's own words make of the commit before it. */
export async function wrongBack(objects: ObjectDatabase, entry: TrailEntry): Promise<string[]> {
  const [parent] = entry.parents;
  if (entry.meta!.restores === undefined) return wrongLines(objects, entry);
  if (!parent) return wrongOn(objects, entry, entry);
  return wrongFrom(objects, parent, base => wrongOn(objects, entry, base));
}

/** Lines that may go, and those that may come. */
interface May {
  go: Lines;
  come: Lines;
}

/** The paths in which a line went or came that nothing of what the commit names explains. */
async function wrongLines(objects: ObjectDatabase, entry: TrailEntry): Promise<string[]> {
  const wrong = await unexplained(objects, entry, null);
  return wrong.length === 0 ? wrong : unexplained(objects, entry, await meanwhile(objects, entry));
}

async function unexplained(
  objects: ObjectDatabase,
  entry: TrailEntry,
  later: readonly TrailEntry[] | null,
): Promise<string[]> {
  const may = { go: new Lines(), come: new Lines() };
  for (const one of [entry, ...(later ?? [])]) await allow(objects, one, may);
  if (later !== null) await allowHead(objects, entry, may);
  const changes = await lineChanges(objects, entry);
  // What only moved from file to file has neither come nor gone.
  const [took, put] = [new Lines(), new Lines()];
  for (const one of changes) for (const line of one.took) took.add(line);
  for (const one of changes) for (const line of one.put) put.add(line);
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
async function allow(objects: ObjectDatabase, { meta }: TrailEntry, may: May): Promise<void> {
  const { undoes = [], redoes = [] } = meta!;
  for (const [ids, out, back] of [
    [undoes, may.go, may.come],
    [redoes, may.come, may.go],
  ] as const)
    for (const id of ids)
      for (const { put, took } of await lineChanges(objects, await readEntry(objects, id))) {
        for (const line of put) out.add(line);
        for (const line of took) back.add(line);
      }
}

/** Lets come what HEAD has: where the files lacked the place, what it brought there is seen only now. */
async function allowHead(objects: ObjectDatabase, { meta }: TrailEntry, { come }: May): Promise<void> {
  if (meta!.head === undefined) return;
  const tree = await treeOf(objects, meta!.head);
  for (const path of meta!.paths)
    for (const line of await recordedRows(objects, path, await fileAt(objects, tree, path))) come.add(line);
}

/** Reads the ways back since the oldest commit that is named: what they did to lines that were away then is seen only now. */
async function meanwhile(objects: ObjectDatabase, { meta, parents }: TrailEntry): Promise<TrailEntry[]> {
  const open = new Set([...(meta!.undoes ?? []), ...(meta!.redoes ?? [])]);
  const found: TrailEntry[] = [];
  for (let next = parents[0]; next !== undefined && open.size > 0; ) {
    const entry = await readEntry(objects, next);
    open.delete(next);
    if (takesBack(entry) && entry.meta!.restores === undefined) found.push(entry);
    next = entry.parents[0];
  }
  return found;
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
): Promise<LineChanges[]> {
  const [parent] = parents;
  const below = parent === undefined ? null : await treeOf(objects, parent);
  const found: LineChanges[] = [];
  for (const path of meta?.paths ?? []) {
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

/**
 * Returns what is wrong on whichever commit something was planned on. Outside changes are recorded after the planning, right
 * before the commit; rejections, and what a look recorded, may have been there then.
 */
async function wrongFrom(
  objects: ObjectDatabase,
  parent: string,
  wrongOn: (base: TrailEntry) => Promise<string[]>,
): Promise<string[]> {
  const below = await outsideBelow(objects, parent);
  let wrong: string[] = [];
  for (const base of [below.at(-1)!, ...below.slice(0, -1)]) {
    wrong = await wrongOn(base);
    if (wrong.length === 0) break;
  }
  return wrong;
}

/** `base`: the commit on which a restore was planned. */
async function wrongOn(objects: ObjectDatabase, entry: TrailEntry, base: TrailEntry): Promise<string[]> {
  const steps = await stepsOf(objects, entry, base);
  const before = entry.parents[0] ? await treeOf(objects, entry.parents[0]) : null;
  const wrong: string[] = [];
  for (const path of entry.meta!.paths) {
    const own = steps.filter(step => step.path === path);
    const expected = await follow(objects, own, before ? await fileAt(objects, before, path) : null);
    const found = await fileAt(objects, entry.tree, path);
    if (isRestore(entry.meta!.op) && own.some(step => sameRecorded(step.to, found))) continue;
    if (own.length === 0 || expected === undefined || !sameRecorded(found, expected)) wrong.push(path);
  }
  return wrong;
}

/** The steps of a rollback or a restore that was planned on `base`. */
async function stepsOf(objects: ObjectDatabase, entry: TrailEntry, base: TrailEntry): Promise<Step[]> {
  const { op, restores, paths } = entry.meta!;
  const { commit, tree } = base;
  if (isRollback(op)) {
    const head = { ref: '', checkedOut: true, tip: commit, parent: commit, tree };
    return (await planRollback(objects, head, restores!, paths)).steps;
  }
  const then = await treeOf(objects, restores!);
  const steps: Step[] = [];
  for (const path of paths) {
    const [from, to] = [await fileAt(objects, tree, path), await fileAt(objects, then, path)];
    steps.push({ path, from, to, commit: restores! });
  }
  return steps;
}

/** Reads a commit, and while they are changes from outside, those below it, with the first that is none. */
async function outsideBelow(objects: ObjectDatabase, commit: string): Promise<TrailEntry[]> {
  let last = await readEntry(objects, commit);
  const found = [last];
  for (let next = last.parents[0]; isOutside(last.meta?.op) && next; next = last.parents[0]) {
    last = await readEntry(objects, next);
    found.push(last);
  }
  return found;
}

/** True when the step, made on what is recorded, ends there. */
export async function leadsTo(
  objects: ObjectDatabase,
  start: Recorded,
  step: FileStep,
  end: Recorded,
): Promise<boolean> {
  const reached = await follow(objects, [step], start);
  return reached !== undefined && sameRecorded(reached, end);
}

/** Returns where the steps lead; `undefined` when they cannot be joined. */
async function follow(
  objects: ObjectDatabase,
  steps: ReadonlyArray<FileStep>,
  start: Recorded,
): Promise<Recorded | undefined> {
  const merged = await mergeSteps(blobsOf(objects), start, steps);
  return 'conflict' in merged ? undefined : merged.recorded;
}
