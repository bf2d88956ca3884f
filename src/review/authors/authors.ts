/**
 * Finds who is behind a hunk: for each line that it put in the commit that wrote it, and for each that it took out the
 * commit that did. A line that was written before the review, and is back again, is the work of who brought it back.
 * A line that is in the files and not in the trail is a person's, and in no commit yet.
 */

import { compare } from '../../engine/rejections/compare.ts';
import { type AuthorSet, commitsSince, isPersons, type Reviewed } from '../../engine/rejections/people.ts';
import type { LineChange } from '../../text/diff/line-diff.ts';
import { type BlameRequest, blameLines } from '../../trail/blame/blame.ts';
import { readEntry } from '../../trail/walk.ts';
import { Authors, type ComparedFile } from './file-authors.ts';
import { knownAuthors } from './known-authors.ts';
import { findRemovers } from './removers.ts';

/**
 * The authors of each change of each file, in their order; of a file as a whole, those of the whole. `parts`: the changes
 * are cut otherwise than the texts say, and nothing is remembered of them.
 */
export async function authorsOf(
  review: Reviewed,
  files: readonly ComparedFile[],
  { asked = 'all' }: { asked?: 'all' | 'parts' } = {},
): Promise<AuthorSet[][]> {
  const { snapshot, newest } = review;
  const base = newest?.meta?.base ?? null;
  const known = knownAuthors(snapshot.context);
  await known.follow(snapshot);
  const before = files.map(file => (asked === 'all' ? known.get(file, base) : null));
  const all = files.filter((_, at) => before[at] === null).map(file => new Authors(file));
  await blameAll(review, all);
  await findRemovers(snapshot, all);
  for (const { file, authors, usesBase } of asked === 'all' ? all : [])
    known.add(file, { authors, usesBase }, base, snapshot.trail.parent);
  const fresh = all[Symbol.iterator]();
  return before.map(authors => authors ?? (fresh.next().value as Authors).authors);
}

async function blameAll({ snapshot, newest }: Reviewed, all: readonly Authors[]): Promise<void> {
  const { objects } = snapshot.context;
  const { parent } = snapshot.trail;
  const requests: BlameRequest[] = [];
  const asked: Array<Put & { of: Authors }> = [];
  const entry = parent === null ? null : await readEntry(objects, parent);
  for (const of of all) {
    const put = recordedLines(of);
    if (put.lines.length === 0 || !entry) continue;
    requests.push({ entry, path: of.file.path, lines: put.lines });
    asked.push({ of, ...put });
  }
  if (requests.length === 0) return;
  const recent = await commitsSince(snapshot, newest?.meta?.base);
  for (const [at, blamed] of (await blameLines(objects, requests)).entries()) {
    const { lines } = requests[at]!;
    const { of, changes, present } = asked[at]!;
    const indexOf = new Map(lines.map((line, n) => [line, n]));
    for (const { line, entry: author } of blamed) {
      const n = indexOf.get(line)!;
      of.usesBase ||= isPersons(author);
      if (isPersons(author) && !recent.has(author.commit)) of.brought.set(present[n]!, changes[n]!);
      else of.add(changes[n]!, author);
    }
  }
}

interface Put {
  /** 1-based, as the trail has them. */
  lines: number[];
  /** For each the number of its change, and where it is in the present text, 0-based. */
  changes: number[];
  present: number[];
}

/** The lines that changes put in; one that the trail does not have is a person's. */
function recordedLines(of: Authors): Put {
  const { compared, recorded, present } = of.file;
  const put: Put = { lines: [], changes: [], present: [] };
  if (!compared || recorded.text === null) return put;
  const outside = compare(recorded.text, present.text!).changes;
  for (const [at, { newStart, newEnd }] of compared.changes.entries()) {
    for (let line = newStart; line < newEnd; line++) {
      const own = oldLine(outside, line);
      if (own === null) {
        of.add(at, of.file.unrecorded);
        continue;
      }
      put.lines.push(own + 1);
      put.changes.push(at);
      put.present.push(line);
    }
  }
  return put;
}

/** The line of the old text that a line of the new one is, 0-based; `null` for one that was put in. */
export function oldLine(changes: readonly LineChange[], line: number): number | null {
  let shift = 0;
  for (const { oldEnd, newStart, newEnd } of changes) {
    if (line < newStart) break;
    if (line < newEnd) return null;
    shift = oldEnd - newEnd;
  }
  return line + shift;
}
