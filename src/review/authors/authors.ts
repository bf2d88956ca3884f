/**
 * Finds who is behind a hunk: for each line that it put in the commit that wrote it, and for each that it took out the
 * commit that did. A line that was written before the review, and is back again, is the work of who brought it back.
 * A line that is in the files and not in the trail is a person's, and in no commit yet.
 */

import { compare, oldLine } from '../../engine/rejections/compare.ts';
import { commitsSince, isPersons, type Reviewed } from '../../engine/rejections/people.ts';
import { blameLines } from '../../trail/blame/blame.ts';
import { readEntry } from '../../trail/walk.ts';
import { Authors, type ComparedFile } from './file-authors.ts';
import { findRemovers } from './removers.ts';

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
  const requests = asked.map(({ of, put }) => ({ entry, path: of.file.path, lines: [...put.keys()] }));
  for (const [n, blamed] of (await blameLines(objects, requests)).entries()) {
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
