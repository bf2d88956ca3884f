/**
 * Finds who is behind a hunk: for each line that it put in the commit that wrote it, and for each that it took out the
 * commit that did. A line that was written before the review, and is back again, is the work of who brought it back.
 * A line that is in the files and not in the trail is a person's, and in no commit yet.
 */

import type { Context } from '../../engine/context.ts';
import type { Snapshot } from '../../engine/files/snapshot.ts';
import { compare, oldLine } from '../../engine/rejections/compare.ts';
import { commitsSince, isPersons, type Reviewed } from '../../engine/rejections/people.ts';
import { same } from '../../engine/rejections/side.ts';
import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { blameLines } from '../../line/blame.ts';
import { fileAt, type Recorded, sameRecorded } from '../../trail/steps.ts';
import { readEntry, type TrailEntry, type TrailRow, treeOf, walkRows } from '../../trail/walk.ts';
import { recordedSide } from '../accepted/accepted-text.ts';
import { Authors, type ComparedFile } from './file-authors.ts';

/** Finds the authors of each change of each file, in history. */
export async function findAuthors(review: Reviewed, files: readonly ComparedFile[]): Promise<Authors[]> {
  const all = files.map(file => new Authors(file));
  await blameAll(review, all);
  await findRemovers(review.snapshot, all);
  return all;
}

async function blameAll({ snapshot, newest }: Reviewed, all: readonly Authors[]): Promise<void> {
  const { objects } = snapshot.context;
  const { parent } = snapshot.trail;
  const entry = parent === null ? null : await readEntry(objects, parent);
  const asked = all.map(of => ({ of, put: recordedLines(of) })).filter(({ put }) => put.size > 0);
  if (!entry || asked.length === 0) return;
  const recent = await commitsSince(snapshot, newest?.meta?.base);
  const { user } = snapshot.context;
  const options = { ownOnly: !snapshot.trail.checkedOut, ...(user && { user }) };
  const requests = asked.map(({ of, put }) => ({ entry, path: of.file.path, lines: [...put.keys()] }));
  for (const [n, blamed] of (await blameLines(objects, requests, options)).entries()) {
    const { of, put } = asked[n]!;
    for (const { line, entry: author } of blamed) {
      const { change, present } = put.get(line)!;
      of.usesBase ||= isPersons(author);
      if (isPersons(author) && !recent.has(author.commit)) of.brought.set(present, change);
      else of.add(change, author);
    }
  }
}

/** A line that a change put in: the number of the change, and where it is in the present text, 0-based. */
interface PutLine {
  change: number;
  present: number;
}

/** Finds the lines that changes put in, by their numbers (from 1) in the trail; one that it does not have is not recorded. */
function recordedLines(of: Authors): Map<number, PutLine> {
  const { compared, recorded, present, unrecorded } = of.file;
  const put = new Map<number, PutLine>();
  if (!compared || recorded.text === null) return put;
  const outside = compare(recorded.text, present.text!).changes;
  for (const [change, { newStart, newEnd }] of compared.changes.entries()) {
    for (let line = newStart; line < newEnd; line++) {
      const own = oldLine(outside, line);
      if (own === null) of.add(change, unrecorded);
      else put.set(own + 1, { change, present: line });
    }
  }
  return put;
}

/** Lines that changed by a commit with a second parent, HEAD or another trail, which are asked of that. */
interface Joined {
  entry: TrailEntry;
  forks: Authors[];
}

/** Finds who removed lines, from the present text back through history: the first version that has a line was the last one before it went. */
async function findRemovers(snapshot: Snapshot, all: readonly Authors[]): Promise<void> {
  for (const one of all) noteOutside(one);
  const joined = await walkBack(snapshot, snapshot.trail.parent, all);
  // What is joined may have joined others.
  for (const { entry, forks } of joined) {
    const other = entry.parents[1]!;
    const tree = await treeOf(snapshot.context.objects, other);
    for (const fork of forks) {
      const then = await fileAt(snapshot.context.objects, tree, fork.file.path);
      await noteLines(snapshot.context, fork, entry, then);
    }
    joined.push(...(await walkBack(snapshot, other, forks)));
    for (const fork of forks) fork.assignRest(entry);
  }
}

/** Along the first parents. Answers the commits whose second parents lead on. */
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
  return open.length > 0 ? [{ entry, forks: open }] : [];
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
