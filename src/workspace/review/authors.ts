/**
 * Who is behind a hunk: for each line that it put in the commit that wrote it, and for each that it took out the commit
 * that did. A line that was written before the review, and is back again, is the work of who brought it back. What the files
 * hold and the trail does not is a person's, and in no commit yet.
 */

import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import type { LineChange } from '../../text/diff/line-diff.ts';
import { type BlameRequest, blameLines } from '../../trail/blame/blame.ts';
import { walkRows } from '../../trail/rows.ts';
import { fileAt, type Recorded, sameRecorded } from '../../trail/steps.ts';
import { readEntry, type TrailEntry, type TrailRow, treeOf } from '../../trail/walk.ts';
import type { Context } from '../context.ts';
import type { Snapshot } from '../files/snapshot.ts';
import { type Compared, compare } from './hunks.ts';
import { knownAuthors } from './known-authors.ts';
import { type Author, type AuthorSet, commitsSince, isPersons, type Reviewed } from './people.ts';
import { type ReviewedFile, recordedSide, same } from './reviewed.ts';

/** A file with its differences; `null` where it can only be taken as a whole. */
export interface ComparedFile extends ReviewedFile {
  compared: Compared | null;
}

/** The authors of each change of each file, in their order; of a file as a whole, those of the whole. */
export async function authorsOf(review: Reviewed, files: readonly ComparedFile[]): Promise<AuthorSet[][]> {
  const { snapshot, newest } = review;
  const base = newest?.meta?.base ?? null;
  const known = knownAuthors(snapshot.context);
  await known.follow(snapshot);
  const before = files.map(file => known.get(file, base));
  const all = files.filter((_, at) => before[at] === null).map(file => new Authors(file));
  await blameAll(review, all);
  await findRemovers(snapshot, all);
  for (const { file, authors, usesBase } of all)
    known.add(file, { authors, usesBase }, base, snapshot.trail.parent);
  const fresh = all[Symbol.iterator]();
  return before.map(authors => authors ?? (fresh.next().value as Authors).authors);
}

/** What is still to be found out of one file. */
class Authors {
  readonly file: ComparedFile;
  /** By commit; '' for what is in none. */
  readonly found: Array<Map<string, Author>>;
  /** Lines that were taken out, 0-based in the accepted text, with the change that did it. */
  readonly removed = new Map<number, number>();
  /** Old lines that are back, 0-based in the present text, with the change that they are in. */
  readonly brought = new Map<number, number>();
  /** True until it is known who changed the file as a whole. */
  whole: boolean;
  /** So many versions of the file were looked at. */
  looked = 0;
  /** What the file was where history is looked at; `undefined`: not known yet. */
  at: Recorded | undefined;
  /** True where it makes a difference what was made since the review. */
  usesBase = false;

  constructor(file: ComparedFile) {
    this.file = file;
    this.found = (file.compared?.changes ?? [null]).map(() => new Map());
    this.whole = file.compared === null;
    for (const [at, { oldStart, oldEnd }] of (file.compared?.changes ?? []).entries())
      for (let line = oldStart; line < oldEnd; line++) this.removed.set(line, at);
  }

  /** `at`: the number of the change. */
  add(at: number, author: Author): void {
    this.found[at]!.set(author?.commit ?? '', author);
  }

  get authors(): AuthorSet[] {
    return this.found.map(authors => new Set(authors.values()));
  }

  get isOpen(): boolean {
    const left = this.removed.size + this.brought.size;
    return (this.whole || left > 0) && this.looked < MOST_VERSIONS;
  }

  /**
   * Before `author` made a newer version, the file was this. Lines of the accepted text that it has were taken out by
   * `author`; lines of the present one that it has not were brought back by them.
   */
  note(text: string, author: Author): void {
    const { accepted, present } = this.file;
    if (this.removed.size > 0) {
      const gone = linesOf(compare(accepted.text!, text).changes);
      this.#settle(this.removed, author, line => !gone.has(line));
    }
    if (this.brought.size > 0) {
      const lacking = linesOf(compare(present.text!, text).changes);
      this.#settle(this.brought, author, line => lacking.has(line));
    }
  }

  #settle(lines: Map<number, number>, author: Author, isTheirs: (line: number) => boolean): void {
    for (const [line, at] of lines) {
      if (!isTheirs(line)) continue;
      this.add(at, author);
      lines.delete(line);
    }
  }
}

/** The lines of the older text that were replaced or taken out, 0-based. */
function linesOf(changes: readonly LineChange[]): Set<number> {
  const lines = new Set<number>();
  for (const { oldStart, oldEnd } of changes)
    for (let line = oldStart; line < oldEnd; line++) lines.add(line);
  return lines;
}

/** Of one file so many versions are looked at for who took lines out; what is older is not known then. */
const MOST_VERSIONS = 2_000;

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
        of.add(at, null);
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

/** From the present text back through history: the first version that has a line was the last one before it went. */
async function findRemovers(snapshot: Snapshot, all: readonly Authors[]): Promise<void> {
  const { objects } = snapshot.context;
  const { trail } = snapshot;
  for (const one of all) noteOutside(one);
  let open = all.filter(one => one.isOpen);
  const options = { ownOnly: !trail.checkedOut };
  for await (const rows of walkRows(objects, trail.parent, options)) {
    for (const [at, row] of rows.entries()) {
      if (open.length === 0) return;
      const about = open.filter(({ file }) => !row.isPlain || row.paths.includes(file.path));
      if (about.length === 0) continue;
      await noteCommit(snapshot, row, rows[at + 1], about);
      open = open.filter(one => one.isOpen);
    }
  }
}

function noteOutside(one: Authors): void {
  const { recorded, present } = one.file;
  if (same(recorded, present)) return;
  if (one.whole) one.add(0, null);
  else if (recorded.text !== null) one.note(recorded.text, null);
}

/** `below`: the row that follows, where it is known; most often the parent's. */
async function noteCommit(
  { context }: Snapshot,
  row: TrailRow,
  below: TrailRow | undefined,
  about: readonly Authors[],
): Promise<void> {
  const { objects } = context;
  const entry = await row.entry();
  // What a rejection took out, and what puts that back, leads on to the edits.
  const leadsOn = entry.meta?.rejects || entry.meta?.unrejects;
  const before = await treeBefore(objects, row, below);
  for (const one of about) {
    const { path } = one.file;
    const then = before === null ? null : await fileAt(objects, before, path);
    const now = one.at === undefined ? await fileAt(objects, entry.tree, path) : one.at;
    one.at = then;
    if (leadsOn || sameRecorded(then, now)) continue;
    one.looked++;
    if (one.whole) noteWhole(one, entry, then);
    else await noteLines(context, one, entry, then);
  }
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
