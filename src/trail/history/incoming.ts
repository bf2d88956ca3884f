/**
 * Works out what comes in with a merge, path by path: a whole trail, by three-way merge with what both have in common,
 * or some edits of it, one after the other. Nothing is written. Merging and its check by verify are this one
 * calculation.
 */

import { mergeBases } from '../../git/merge-base.ts';
import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { diffTrees } from '../../git/objects/tree-diff.ts';
import { isAncestor } from '../../git/rev-list.ts';
import { isSync } from '../../operations.ts';
import { fileAtCommit, type Recorded, redoSteps, type Step, sameRecorded, undoSteps } from '../steps.ts';
import { type TrailEntry, treeOf, walkTrail } from '../walk.ts';
import { entriesNotIn } from './entries-not-in.ts';
import { type Blobs, blobsOf, type Merged, mergeStep, mergeSteps } from './merge-steps.ts';

export interface Incoming {
  readonly paths: readonly string[];
  /** The commits before which all is common. */
  readonly bases: readonly string[];
  /** Returns what the path holds with it, where it now holds `now`. */
  merge(path: string, now: Recorded): Promise<Merged>;
  theirs(path: string): Promise<Recorded>;
  /** Returns what both sides have in common at the path; `null` for nothing, or where that is disputed. */
  common(path: string): Promise<Recorded>;
}

/** A trail up to `theirs`, for one that is at `ours` (`null`: it has not begun). `counts`: a commit whose text is in ours, though not in its history. */
export async function incomingTrail(
  objects: ObjectDatabase,
  ours: string | null,
  theirs: string,
  counts: string | null,
): Promise<Incoming> {
  const bases = ours === null ? [] : await basesOf(objects, ours, theirs, counts);
  const paths = new Set<string>();
  const tree = await treeOf(objects, theirs);
  for (const base of bases.length > 0 ? bases : [null])
    for (const { path } of await diffTrees(objects, base && (await treeOf(objects, base)), tree))
      paths.add(path);
  const contents: Contents = { blobs: blobsOf(objects) };
  const twice = ours === null ? [] : await repeatedEdits(objects, ours, theirs);
  return {
    paths: [...paths].sort(),
    bases,
    theirs: path => fileAtCommit(objects, theirs, path),
    async common(path) {
      const text = await commonText(objects, contents, bases, path);
      return text === 'disputed' ? null : text;
    },
    async merge(path, now) {
      const held = await fileAtCommit(objects, theirs, path);
      const to = await withoutEdits(objects, contents.blobs, { path, held }, twice);
      const from = await commonText(objects, contents, bases, path);
      if (from === 'disputed') return sameRecorded(now, to) ? { recorded: now } : { conflict: [] };
      return mergeStep(contents.blobs, now, { path, from, to });
    },
  };
}

/** The edits of theirs that are the same requests as edits of ours, newest first: each counts once. */
async function repeatedEdits(objects: ObjectDatabase, ours: string, theirs: string): Promise<TrailEntry[]> {
  const key = ({ meta }: TrailEntry): string | null =>
    meta?.editId !== undefined && meta.editHash !== undefined ? `${meta.editHash} ${meta.editId}` : null;
  const own = new Set((await entriesNotIn(objects, ours, theirs)).map(key));
  own.delete(null);
  if (own.size === 0) return [];
  return (await entriesNotIn(objects, theirs, ours)).filter(entry => own.has(key(entry))).reverse();
}

/** Returns what a path would hold without these edits, as far as others do not build on them. */
async function withoutEdits(
  objects: ObjectDatabase,
  blobs: Blobs,
  { path, held }: { path: string; held: Recorded },
  edits: readonly TrailEntry[],
): Promise<Recorded> {
  let now = held;
  for (const edit of edits) {
    const step = (await undoSteps(objects, edit)).find(one => one.path === path);
    const merged = step && (await mergeStep(blobs, now, step));
    if (merged && !('conflict' in merged)) now = merged.recorded;
  }
  return now;
}

/** The best common ancestors, where a commit counts as one of ours. */
async function basesOf(
  objects: ObjectDatabase,
  ours: string,
  theirs: string,
  counts: string | null,
): Promise<string[]> {
  const bases = await mergeBases(objects, ours, theirs);
  if (counts === null) return bases;
  const left: string[] = [];
  for (const base of bases) if (!(await isAncestor(objects, base, counts))) left.push(base);
  return [...left, counts].sort();
}

interface Contents {
  blobs: Blobs;
  /** The text that commits have in common at the path that was asked for last: histories may cross again and again. */
  common?: { path: string; texts: Map<string, Promise<Recorded | 'disputed'>> };
}

/**
 * Returns what the bases have at a path, several merged first as git's own does; `disputed` where they cannot be, so
 * that only two sides that agree now agree.
 */
function commonText(
  objects: ObjectDatabase,
  contents: Contents,
  bases: readonly string[],
  path: string,
): Promise<Recorded | 'disputed'> {
  if (contents.common?.path !== path) contents.common = { path, texts: new Map() };
  const { texts } = contents.common;
  const key = bases.join(' ');
  const text = texts.get(key) ?? findCommonText(objects, contents, bases, path);
  texts.set(key, text);
  return text;
}

async function findCommonText(
  objects: ObjectDatabase,
  contents: Contents,
  bases: readonly string[],
  path: string,
): Promise<Recorded | 'disputed'> {
  const [first, ...rest] = bases;
  let now = await fileAtCommit(objects, first ?? null, path);
  for (const base of rest) {
    const to = await fileAtCommit(objects, base, path);
    if (sameRecorded(now, to)) continue;
    const from = await commonText(objects, contents, await mergeBases(objects, first!, base), path);
    if (from === 'disputed') return 'disputed';
    const merged = await mergeStep(contents.blobs, now, { path, from, to });
    if ('conflict' in merged) return 'disputed';
    now = merged.recorded;
  }
  return now;
}

/** The edits after one commit of a trail, up to another one of it; what brings that trail up to its HEAD is left out. */
export async function incomingEdits(
  objects: ObjectDatabase,
  after: string,
  last: string,
): Promise<(Incoming & { entries: TrailEntry[] }) | null> {
  const entries: TrailEntry[] = [];
  let isFound = false;
  for await (const entry of walkTrail(objects, last, { ownOnly: false })) {
    isFound = entry.commit === after;
    if (isFound) break;
    if (entry.meta && !isSync(entry.meta.op)) entries.push(entry);
  }
  if (!isFound) return null;
  const steps: Step[] = [];
  for (const entry of entries.reverse()) steps.push(...(await redoSteps(objects, entry)));
  const blobs = blobsOf(objects);
  return {
    entries,
    paths: [...new Set(steps.map(({ path }) => path))].sort(),
    bases: [after],
    theirs: path => fileAtCommit(objects, last, path),
    common: path => fileAtCommit(objects, after, path),
    merge: (path, now) =>
      mergeSteps(
        blobs,
        now,
        steps.filter(one => one.path === path),
      ),
  };
}
