/** Checks that a commit that takes back, puts back or restores is what it says: the same is worked out again. */

import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { isOutside, isRestore, isRollback } from '../../operations.ts';
import { blobsOf, mergeSteps } from '../history/merge-steps.ts';
import { planRollback } from '../history/rollback.ts';
import { type FileContent, FilesTaken } from '../history/taken-files.ts';
import {
  type FileStep,
  fileAt,
  type Recorded,
  redoSteps,
  type Step,
  sameRecorded,
  undoSteps,
} from '../steps.ts';
import { readEntry, type TrailEntry } from '../walk.ts';

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
  if (entry.meta!.restores === undefined || !parent) return wrongOn(objects, entry, entry);
  return wrongFrom(objects, parent, base => wrongOn(objects, entry, base));
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
  const before = entry.parents[0] ? (await readEntry(objects, entry.parents[0])).tree : null;
  const wrong: string[] = [];
  for (const path of entry.meta!.paths) {
    const own = steps.filter(step => step.path === path);
    const expected = await follow(objects, own, before ? await fileAt(objects, before, path) : null);
    const found = await fileAt(objects, entry.tree, path);
    if (isRestore(entry.meta!.op) && own.some(step => sameRecorded(step.to, found))) continue;
    if (own.length === 0 || expected === undefined || !sameRecorded(found, expected)) wrong.push(path);
  }
  return wrong.length > 0 && (await isByLines(objects, entry, wrong)) ? [] : wrong;
}

/** Outside changes right below it may have been one text when it was planned; of more than these, all are one. */
const MOST_OUTSIDE = 3;

/** True where these paths are what taking the edits back, and putting them back, by their lines makes of them. */
async function isByLines(
  objects: ObjectDatabase,
  entry: TrailEntry,
  paths: readonly string[],
): Promise<boolean> {
  const { undoes = [], redoes = [] } = entry.meta!;
  const [parent] = entry.parents;
  if (undoes.length + redoes.length === 0 || parent === undefined) return false;
  const { tree } = await readEntry(objects, parent);
  let tip = await readEntry(objects, parent);
  for (let n = 0; n < MOST_OUTSIDE; n++) {
    const made = new FilesTaken({
      objects,
      query: { tip: tip.commit, ownOnly: tip.meta !== null },
      present: path => contentAt(objects, tree, path),
    });
    const all = [
      ...undoes.map(id => ({ id, direction: 'out' as const })),
      ...redoes.map(id => ({ id, direction: 'again' as const })),
    ];
    const files = new Map<string, Recorded>();
    for (const { id, direction } of all) {
      const taken = await made.take(await readEntry(objects, id), direction);
      for (const [path, file] of taken?.files ?? []) files.set(path, file);
    }
    const isMade = async (path: string): Promise<boolean> =>
      files.has(path) && sameRecorded(files.get(path)!, await fileAt(objects, entry.tree, path));
    if ((await Promise.all(paths.map(isMade))).every(Boolean)) return true;
    if (!isOutside(tip.meta?.op) || tip.parents[0] === undefined) return false;
    tip = await readEntry(objects, tip.parents[0]);
  }
  return false;
}

async function contentAt(objects: ObjectDatabase, tree: string, path: string): Promise<FileContent | null> {
  const held = await fileAt(objects, tree, path);
  if (!held) return null;
  const isRegular = held.mode.startsWith('100');
  return { ...held, content: isRegular ? await objects.file(path, held.oid) : null };
}

async function stepsOf(objects: ObjectDatabase, entry: TrailEntry, base: TrailEntry): Promise<Step[]> {
  const { undoes = [], redoes = [], restores, paths } = entry.meta!;
  const steps: Step[] = [];
  for (const oid of undoes) steps.push(...(await undoSteps(objects, await readEntry(objects, oid))));
  for (const oid of redoes) steps.push(...(await redoSteps(objects, await readEntry(objects, oid))));
  if (restores === undefined) return steps;
  if (isRollback(entry.meta!.op)) {
    const { commit, tree } = base;
    const head = { ref: '', checkedOut: true, tip: commit, parent: commit, tree };
    return (await planRollback(objects, head, restores, paths)).steps;
  }
  const then = (await readEntry(objects, restores)).tree;
  for (const path of paths) {
    const [from, to] = [await fileAt(objects, base.tree, path), await fileAt(objects, then, path)];
    steps.push({ path, from, to, commit: restores });
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
