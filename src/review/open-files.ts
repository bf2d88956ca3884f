/**
 * The files of a review, with what the reviewer has not accepted of them: the places in which agents put or took lines. Text of
 * people counts as accepted.
 */

import { isReadable } from '../engine/admission/policy/readable.ts';
import { fromTrail } from '../engine/context.ts';
import { movedTo } from '../engine/files/outside.ts';
import type { Snapshot } from '../engine/files/snapshot.ts';
import { groupedByOrigin, unrecordedBy } from '../engine/origins/origins.ts';
import { type Side, same, side } from '../engine/rejections/compare.ts';
import { type Author, type AuthorSet, isPersons } from '../engine/rejections/people.ts';
import { standingRejections, type TextBack, textsBack } from '../engine/rejections/rejected-text.ts';
import { doFilesTell, presentAt, recordedAt } from '../engine/standing.ts';
import { isUnclaimed } from '../history/editors.ts';
import { marksOf } from '../history/file-rows.ts';
import { sameRecorded } from '../history/steps.ts';
import { readEntry, type TrailEntry } from '../history/walk.ts';
import { acceptedText, doerOf } from '../line/accepted.ts';
import { isPersons as isByHand, type LineEvent } from '../line/event.ts';
import { type LineFile, type LineFiles, lineFiles } from '../line/files.ts';
import { presentLines } from '../line/rejected.ts';
import { isIn, lastText, putBy, type Row, textOf } from '../line/row.ts';
import { Claims, readClaims } from './claims.ts';
import type { HunkLines } from './options.ts';
import { markOf, openPaths, type Review } from './review.ts';
import {
  differs,
  isTyped,
  NO_FILE,
  type ReviewedFile,
  reviewedFile,
  sideOfRows,
  spotOf,
} from './reviewed-file.ts';

export type HunkKind = 'lines' | 'create' | 'delete' | 'mode' | 'binary';

export interface UnreviewedHunk {
  kind: HunkKind;
  /** The lines in the present text. A file that is taken as a whole has none: 0 to 0. */
  lines: HunkLines;
  rows: readonly Row[];
  authors: AuthorSet;
  /** Those of the authors that are agents. */
  agents: AuthorSet;
  /** True when a person's text is in it, or text that nobody claims, beside an agent's. */
  mixed: boolean;
  /** Its authors that are changes from outside, made while an agent was at work, that nobody claims. */
  nobodys: TrailEntry[];
  /** True when no agent is known to have a line in it, but for those, and it is nothing that was rejected. */
  unclaimed: boolean;
}

/** A file as it is now, whether there is anything to review in it or not. */
export type FileNow = Pick<ReviewedFile, 'path' | 'name' | 'line' | 'present'>;

/** A file with hunks that are not reviewed. */
export interface UnreviewedFile extends ReviewedFile {
  hunks: UnreviewedHunk[];
}

/** The files of a review that were read: what is accepted may be changed in their rows, and their hunks asked for again. */
export class OpenFiles {
  readonly line: LineFiles;
  /** Rejected text that is there again. */
  readonly back: TextBack[] = [];
  readonly #review: Review;
  /** By path, the files as they are now; none of what no review shows. */
  readonly #present: ReadonlyMap<string, Side>;
  /** By path, who may have written what is not recorded; none where it is the person's. */
  readonly unrecorded: ReadonlyMap<string, TrailEntry>;
  readonly #claims: Claims;
  readonly #authors = new Map<string, Promise<Author>>();
  /** Rows of rejected text that is there again: whoever did that, they are to be reviewed. */
  readonly #returned = new Set<Row>();

  private constructor(review: Review, read: Awaited<ReturnType<typeof readFiles>>, claims: Claims) {
    this.#review = review;
    this.line = read.line;
    this.#present = read.present;
    this.unrecorded = read.unrecorded;
    this.#claims = claims;
  }

  /** Reads these files; default: those that may have something to review. */
  static async open(review: Review, paths?: readonly string[]): Promise<OpenFiles> {
    const read = await readFiles(review, paths ?? (await openPaths(review)));
    const isNobodys = ({ kind, byPerson }: LineEvent): boolean => kind === 'outside' && byPerson === false;
    const isAsked = read.unrecorded.size > 0 || [...read.line.named.values()].some(isNobodys);
    const claims = isAsked ? await readClaims(review.snapshot.context) : new Claims();
    const files = new OpenFiles(review, read, claims);
    for (const line of read.line.files) {
      await files.#leaveRejected(line);
      for (const file of await files.#filesOf(line)) await files.#acceptPeoples(file);
    }
    return files;
  }

  /** The files with hunks, in the order of their paths. */
  async unreviewed(): Promise<UnreviewedFile[]> {
    const found: UnreviewedFile[] = [];
    for (const line of this.line.files)
      for (const file of await this.#filesOf(line)) {
        const places = file.places ?? [file.line.weave.rows()];
        const hunks = await Promise.all(places.map(rows => this.hunk(file, rows)));
        const all = hunks.filter(hunk => hunk !== null);
        if (all.length > 0) found.push({ ...file, hunks: all });
      }
    return found.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** The file that has this path now; `null`: none that a review shows. */
  fileNow(path: string): FileNow | null {
    const line = this.line.files.find(({ names }) => names.at(-1) === path);
    const present = this.#present.get(path);
    const name = fromTrail(this.#review.snapshot.context, path);
    return line && present && name !== null ? { path, name, line, present } : null;
  }

  /** The hunk of these rows; `null` where all of it is people's. */
  async hunk(file: ReviewedFile, rows: readonly Row[]): Promise<UnreviewedHunk | null> {
    const { path } = file;
    const authors = await this.#authorsOf(rows, path);
    const isOurs = (one: Author): boolean => this.#isOurs(one, path);
    const all = [...authors];
    const rest = rows.filter(row => !this.#returned.has(row));
    const isBack = rest.length < rows.length;
    if (!isBack && all.every(isOurs)) return null;
    const nobodys = all.filter(one => one !== null && isUnclaimed(one) && !isOurs(one)) as TrailEntry[];
    const agents = new Set(all.filter(one => !isOurs(one) && !nobodys.includes(one!)));
    const unclaimed = agents.size === 0 && !isBack;
    // Rejected text goes with the rest of it, whoever put it there again.
    const others = isBack ? await this.#authorsOf(rest, path) : authors;
    const mixed = agents.size > 0 && [...others].some(one => !agents.has(one));
    return { ...placeOf(file, rows), rows, authors, agents, mixed, nobodys, unclaimed };
  }

  async #authorsOf(rows: readonly Row[], path: string): Promise<AuthorSet> {
    const doers = new Set(rows.flatMap(row => (differs(row) ? doerOf(row) : isTyped(row) ? putBy(row) : [])));
    const authors = await Promise.all([...doers].map(event => this.#whoMade(event, path)));
    return new Set(authors.filter(one => one !== undefined));
  }

  /** Says who made an event; `undefined` for HEAD's, which are nobody's here. */
  async #whoMade(event: LineEvent, path: string): Promise<Author | undefined> {
    if (event.kind === 'head' || event.at < 0) return undefined;
    if (event.id === '') return isByHand(event) ? null : (this.unrecorded.get(path) ?? null);
    const entry = this.#authors.get(event.id) ?? readEntry(this.#review.snapshot.context.objects, event.id);
    this.#authors.set(event.id, entry);
    return entry;
  }

  /** True for people's: their own, and what they claimed. */
  #isOurs(one: Author, path: string): boolean {
    return isPersons(one) || (one !== null && isUnclaimed(one) && !this.#claims.leavesOpen(one, path));
  }

  /** Rejected text that is in the files again is not accepted by that, whoever put it there. */
  async #leaveRejected(file: LineFile): Promise<void> {
    const places = await standingRejections(this.#review.snapshot.context, this.line, file);
    for (const one of textsBack(places, presentLines(file.weave))) {
      this.back.push(one);
      // What it took out again of what the rejection had left there is accepted still.
      const gone = one.place.brought.filter(row => !isIn(row));
      for (const row of one.place.took.length > 0 ? one.rows : []) row.accepted = null;
      for (const row of gone) row.accepted = lastText(row);
      for (const row of [...one.rows, ...gone]) this.#returned.add(row);
    }
  }

  /** Accepts what people alone did, whoever asks. What they typed amid an agent's lines is accepted with those. */
  async #acceptPeoples(file: ReviewedFile): Promise<void> {
    for (const rows of file.places ?? [file.line.weave.rows()]) {
      if (!(await this.hunk(file, rows))) acceptRows(rows);
      else if (file.places) for (const row of rows.filter(isTyped)) row.accepted = null;
    }
  }

  /**
   * A file of the history as it is reviewed; two where it was renamed since and no other has its old name, and none of what
   * no review shows.
   */
  async #filesOf(line: LineFile): Promise<ReviewedFile[]> {
    const { snapshot } = this.#review;
    const { context } = snapshot;
    const recorded = line.names.at(-1)!;
    const present = this.#present.get(recorded);
    const text = present && acceptedText(line.weave);
    // Objects of what was accepted may be gone: the file stands for itself then.
    const accepted = text && (await sideOfRows(context.objects, text).catch(() => null));
    if (!present || accepted?.side.file?.mode === LINK) return [];
    const path = present.file ? (marksOf(line.weave.text).path ?? recorded) : recorded;
    const isMoved = accepted && accepted.path !== path;
    const halves = [
      { path, accepted: isMoved ? NO_FILE : (accepted?.side ?? NO_FILE), present },
      ...(isMoved && !(await heldNow(snapshot, accepted.path))
        ? [{ path: accepted.path, accepted: accepted.side, present: NO_FILE }]
        : []),
    ];
    const files: ReviewedFile[] = [];
    for (const half of halves.filter(one => !same(one.accepted, one.present))) {
      const name = fromTrail(context, half.path);
      if (name === null) continue;
      const isShown = await isReadable(context, await snapshot.layers(), name);
      files.push(reviewedFile({ name, line, ...(isShown ? half : withoutText(half)) }));
    }
    return files;
  }
}

const LINK: string = '120000';

/** A file that may not be shown is one that is no text: it is accepted and rejected as a whole. */
function withoutText<Half extends Pick<ReviewedFile, 'accepted' | 'present'>>(half: Half): Half {
  const [accepted, present] = [half.accepted, half.present].map(one =>
    one.file ? { ...one, text: null } : one,
  );
  return { ...half, accepted: accepted!, present: present! };
}

export function acceptRows(rows: Iterable<Row>): void {
  for (const row of rows) row.accepted = textOf(row);
}

function placeOf(file: ReviewedFile, all: readonly Row[]): Pick<UnreviewedHunk, 'kind' | 'lines'> {
  const { start, rows } = spotOf(file, file.now, all);
  const isPart = file.places !== null;
  return {
    kind: kindOf(file, isPart),
    lines: isPart ? { start_line: start + 1, end_line: start + rows.length } : { start_line: 0, end_line: 0 },
  };
}

function kindOf({ accepted, present }: ReviewedFile, isPart: boolean): HunkKind {
  if (!present.file) return 'delete';
  if (!accepted.file) return 'create';
  if (isPart) return 'lines';
  return accepted.text !== null && accepted.text === present.text ? 'mode' : 'binary';
}

/** Reads files of the history, with the look taken. */
async function readFiles(
  review: Review,
  paths: readonly string[],
): Promise<{
  line: LineFiles;
  present: ReadonlyMap<string, Side>;
  unrecorded: ReadonlyMap<string, TrailEntry>;
}> {
  const { snapshot } = review;
  const { context, trail } = snapshot;
  const query = { tip: trail.tip && trail.parent, ownOnly: !trail.checkedOut, mark: markOf(review) };
  const line = await lineFiles(context.objects, query, paths);
  const [present, changed] = [new Map<string, Side>(), new Map<string, null>()];
  const held = async (path: string): ReturnType<typeof heldNow> => {
    const found = await heldNow(snapshot, path);
    // Of a link there is nothing to show.
    if (!found) present.set(path, NO_FILE);
    else if (found.content) present.set(path, sideOf(found, found.content));
    return found;
  };
  for (const { names, tip } of line.files)
    if (!sameRecorded(await held(names.at(-1)!), tip)) changed.set(names.at(-1)!, null);
  const unrecorded = await unrecordedAuthors(snapshot, changed);
  await line.look({
    head: trail.head,
    present: held,
    ...(doFilesTell(context, trail) && { movedTo: movedTo(snapshot) }),
    isNobodys: path => unrecorded.has(path),
  });
  return { line, present, unrecorded };
}

function heldNow(snapshot: Snapshot, path: string): ReturnType<typeof presentAt> {
  return (snapshot.context.store.separate ? presentAt : recordedAt)(snapshot, path);
}

function sideOf({ mode, oid }: { mode: string; oid: string }, bytes: Uint8Array): Side {
  return side({ bytes, mode: mode as '100644', version: oid });
}

/** Returns by path the authors of text that no commit holds yet; paths where it is a person's are left out. */
async function unrecordedAuthors(
  { context, trail }: Snapshot,
  changed: ReadonlyMap<string, null>,
): Promise<Map<string, TrailEntry>> {
  const origins = changed.size > 0 ? await groupedByOrigin(context, changed, { parent: trail.parent }) : [];
  const others = origins.filter(({ evidence }) => evidence.by !== 'person');
  return new Map(
    others.flatMap(({ evidence, changes }) =>
      [...changes.keys()].map(path => [path, unrecordedBy(path, evidence)] as const),
    ),
  );
}
