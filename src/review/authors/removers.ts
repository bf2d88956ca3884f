/**
 * Finds who took lines out, or brought old ones back: asked of history, from the present text on, a commit for all
 * files at once.
 */

import type { Context } from '../../engine/context.ts';
import type { Snapshot } from '../../engine/files/snapshot.ts';
import { same } from '../../engine/rejections/side.ts';
import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { fileAt, type Recorded, sameRecorded } from '../../trail/steps.ts';
import { type TrailEntry, type TrailRow, treeOf, walkRows } from '../../trail/walk.ts';
import { recordedSide } from '../accepted/accepted-text.ts';
import type { Authors } from './file-authors.ts';

/** Lines that changed by a merge, which are asked of what it joined. */
interface Joined {
  merge: TrailEntry;
  forks: Authors[];
}

/** Finds who removed lines, from the present text back through history: the first version that has a line was the last one before it went. */
export async function findRemovers(snapshot: Snapshot, all: readonly Authors[]): Promise<void> {
  for (const one of all) noteOutside(one);
  const joined = await walkBack(snapshot, snapshot.trail.parent, all);
  // What is joined may have joined others.
  for (const { merge, forks } of joined) {
    const other = merge.parents[1]!;
    const tree = await treeOf(snapshot.context.objects, other);
    for (const fork of forks) {
      const then = await fileAt(snapshot.context.objects, tree, fork.file.path);
      await noteLines(snapshot.context, fork, merge, then);
    }
    joined.push(...(await walkBack(snapshot, other, forks)));
    for (const fork of forks) fork.assignRest(merge);
  }
}

/** Along the first parents. Answers the merges that lead on. */
async function walkBack(snapshot: Snapshot, from: string | null, all: readonly Authors[]): Promise<Joined[]> {
  const { context, trail } = snapshot;
  const joined: Joined[] = [];
  let open = all.filter(one => one.isOpen);
  for await (const rows of walkRows(context.objects, from, { ownOnly: !trail.checkedOut })) {
    for (const [at, row] of rows.entries()) {
      if (open.length === 0) return joined;
      const about = open.filter(({ file }) => !row.isPlain || row.paths.includes(file.path));
      if (about.length === 0) continue;
      joined.push(...(await noteCommit(context, row, rows[at + 1], about)));
      open = open.filter(one => one.isOpen);
    }
  }
  return joined;
}

function noteOutside(one: Authors): void {
  const { recorded, present, unrecorded } = one.file;
  if (same(recorded, present)) return;
  if (one.whole) one.add(0, unrecorded);
  else if (recorded.text !== null) one.note(recorded.text, unrecorded);
}

/** `below`: the row that follows, where it is known; most often the parent's. */
async function noteCommit(
  context: Context,
  row: TrailRow,
  below: TrailRow | undefined,
  about: readonly Authors[],
): Promise<Joined[]> {
  const { objects } = context;
  const entry = await row.entry();
  // What a rejection took out, and what puts that back, leads on to the edits.
  const leadsOn = entry.meta?.rejects || entry.meta?.unrejects;
  const before = await treeBefore(objects, row, below);
  const forks: Authors[] = [];
  for (const one of about) {
    const { path } = one.file;
    const then = before === null ? null : await fileAt(objects, before, path);
    const now = one.at === undefined ? await fileAt(objects, entry.tree, path) : one.at;
    one.at = then;
    if (leadsOn || sameRecorded(then, now)) continue;
    one.looked++;
    if (one.whole) noteWhole(one, entry, then);
    else if (!entry.meta || entry.parents.length < 2) await noteLines(context, one, entry, then);
    else forks.push(one.fork((await recordedSide(context, path, then)).text));
  }
  const open = forks.filter(one => one.isOpen);
  return open.length > 0 ? [{ merge: entry, forks: open }] : [];
}

/** The tree that a commit was made on. Of commits that are kept, the row below has it at hand. */
async function treeBefore(
  objects: ObjectDatabase,
  { parent }: TrailRow,
  below: TrailRow | undefined,
): Promise<string | null> {
  if (parent === null) return null;
  return below?.commit === parent ? (await below.entry()).tree : treeOf(objects, parent);
}

/** All that changed the file since it was as it was accepted. */
function noteWhole(one: Authors, entry: TrailEntry, then: Recorded): void {
  const { file } = one.file.accepted;
  one.add(0, entry);
  one.whole = !sameRecorded(then, file && { mode: file.mode, oid: file.version });
}

async function noteLines(context: Context, one: Authors, entry: TrailEntry, then: Recorded): Promise<void> {
  const { text } = await recordedSide(context, one.file.path, then);
  if (text !== null) one.note(text, entry);
}
