/**
 * The files of a review, with what the reviewer has not accepted of them: the places in which agents put or took lines. Text of
 * people counts as accepted.
 */

import { isReadable } from '../engine/admission/policy/readable.ts';
import { fromTrail } from '../engine/context.ts';
import { movedTo } from '../engine/files/outside.ts';
import type { Snapshot } from '../engine/files/snapshot.ts';
import { groupedByOrigin, unrecordedBy } from '../engine/origins/origins.ts';
import type { Author } from '../engine/rejections/people.ts';
import { standingRejections, type TextBack, textsBack } from '../engine/rejections/rejected-text.ts';
import type { Rejection } from '../engine/rejections/rejection-book.ts';
import { doFilesTell, presentAt, recordedAt } from '../engine/standing.ts';
import { isUnclaimed } from '../history/editors.ts';
import { fileOfRows, type RowsFile } from '../history/file-rows.ts';
import { sameRecorded } from '../history/steps.ts';
import { readEntry, type TrailEntry } from '../history/walk.ts';
import { acceptedText, doerOf } from '../line/accepted.ts';
import { isPersons as isByHand, type LineEvent } from '../line/event.ts';
import { type LineFile, type LineFiles, lineFiles } from '../line/files.ts';
import { isIn, lastText, putBy, type Row, textOf } from '../line/row.ts';
import type { HunkLines } from '../line/text-lines.ts';
import { Claims, readClaims } from './claims.ts';
import { markOf, openPaths, type Review } from './review.ts';
import { differs, isTyped, type ReviewedFile, reviewedFile, textIn } from './reviewed-file.ts';

export type HunkKind = 'lines' | 'create' | 'delete' | 'mode' | 'binary';

export interface UnreviewedHunk {
  kind: HunkKind;
  /** The lines in the present text. A file that is taken as a whole has none: 0 to 0. */
  lines: HunkLines;
  rows: readonly Row[];
  /** The events that made it other than what is accepted, and those of them that are agents'. */
  doers: ReadonlySet<LineEvent>;
  agents: ReadonlySet<LineEvent>;
  /** True when a person's text is in it, or text that nobody claims, beside an agent's. */
  mixed: boolean;
  /** Its authors that are changes from outside, made while an agent was at work, that nobody claims. */
  nobodys: TrailEntry[];
  /** True when no agent is known to have a line in it, but for those, and it is nothing that was rejected. */
  unclaimed: boolean;
}

/** A file as it is now, whether there is anything to review in it or not. */
export type FileNow = Pick<ReviewedFile, 'path' | 'name' | 'line' | 'present' | 'version'>;

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
  /** By path, the versions of the files that are there. */
  readonly #versions: ReadonlyMap<string, string>;
  /** By path, who may have written what is not recorded; none where it is the person's. */
  readonly unrecorded: ReadonlyMap<string, TrailEntry>;
  readonly #claims: Claims;
  readonly #authors = new Map<LineEvent, TrailEntry>();
  /** Rows of rejected text that is there again: whoever did that, they are to be reviewed. */
  readonly #returned = new Set<Row>();

  private constructor(review: Review, read: Awaited<ReturnType<typeof readFiles>>, claims: Claims) {
    this.#review = review;
    this.line = read.line;
    this.#versions = read.versions;
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
    const { rejections } = await review.snapshot.context.rejections.read();
    for (const line of read.line.files) {
      await files.#leaveRejected(line, rejections);
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
    const name = fromTrail(this.#review.snapshot.context, path);
    const present = line ? fileNow(line) : undefined;
    if (!line || present === undefined || name === null) return null;
    return { path, name, line, present, version: this.#versions.get(path) ?? null };
  }

  /** The hunk of these rows; `null` where all of it is people's. */
  async hunk(file: ReviewedFile, rows: readonly Row[]): Promise<UnreviewedHunk | null> {
    const doers = doersOf(rows);
    const rest = rows.filter(row => !this.#returned.has(row));
    const isBack = rest.length < rows.length;
    const [agents, nobodys] = [new Set<LineEvent>(), new Map<LineEvent, TrailEntry>()];
    for (const event of doers) {
      const by = await this.#whose(event, file.path);
      if (by === 'agent') agents.add(event);
      else if (by !== 'person') nobodys.set(event, by);
    }
    if (!isBack && agents.size + nobodys.size === 0) return null;
    const unclaimed = agents.size === 0 && !isBack;
    // Rejected text goes with the rest of it, whoever put it there again.
    const others = isBack ? doersOf(rest) : doers;
    const mixed = agents.size > 0 && [...others].some(one => !agents.has(one));
    return { ...placeOf(file, rows), rows, doers, agents, mixed, nobodys: [...nobodys.values()], unclaimed };
  }

  /** Says whose an event is that came into a file; an entry is nobody's. An agent's edit is known without reading its commit. */
  async #whose(event: LineEvent, path: string): Promise<'agent' | 'person' | TrailEntry> {
    if (isByHand(event)) return 'person';
    if (event.kind !== 'outside') return 'agent';
    const entry = await this.#authorOf(event, path);
    if (!entry) return 'person';
    if (!isUnclaimed(entry)) return 'agent';
    return this.#claims.leavesOpen(entry, path) ? entry : 'person';
  }

  /** Returns the authors of events that came into a file, each once. */
  async authorsOf(path: string, events: Iterable<LineEvent>): Promise<Author[]> {
    const authors = new Set<Author>();
    for (const event of events) authors.add(await this.#authorOf(event, path));
    return [...authors];
  }

  /** Returns the authors of hunks of a file. */
  authorsIn(path: string, hunks: readonly UnreviewedHunk[]): Promise<Author[]> {
    return this.authorsOf(path, new Set(hunks.flatMap(({ doers }) => [...doers])));
  }

  /** Reads the authors of all hunks in the order of the history, in which their commits are stored: they are read at once. */
  async readAuthors(files: readonly UnreviewedFile[]): Promise<void> {
    const events = new Set(files.flatMap(({ hunks }) => hunks.flatMap(({ doers }) => [...doers])));
    for (const event of [...events].sort((a, b) => b.at - a.at)) await this.#authorOf(event, '');
  }

  async #authorOf(event: LineEvent, path: string): Promise<Author> {
    if (event.id === '') return isByHand(event) ? null : (this.unrecorded.get(path) ?? null);
    const known = this.#authors.get(event);
    if (known) return known;
    const entry = await readEntry(this.#review.snapshot.context.objects, event.id);
    this.#authors.set(event, entry);
    return entry;
  }

  /** Rejected text that is in the files again is not accepted by that, whoever put it there. */
  async #leaveRejected(file: LineFile, rejections: readonly Rejection[]): Promise<void> {
    const places = await standingRejections(this.#review.snapshot.context, this.line, file, rejections);
    for (const one of textsBack(places, file.weave)) {
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
    const present = fileNow(line);
    const accepted = fileOfRows(acceptedText(line.weave)) ?? null;
    if (present === undefined || accepted?.mode === LINK) return [];
    const version = this.#versions.get(recorded) ?? null;
    const path = present?.path ?? recorded;
    const isMoved = accepted !== null && accepted.path !== path;
    const halves = [
      { path, accepted: isMoved ? null : accepted, present, version },
      ...(isMoved && !(await heldNow(snapshot, accepted.path))
        ? [{ path: accepted.path, accepted, present: null, version: null }]
        : []),
    ];
    const files: ReviewedFile[] = [];
    for (const half of halves.filter(one => !isSame(one.accepted, one.present))) {
      const name = fromTrail(context, half.path);
      if (name === null) continue;
      const isShown = await isReadable(context, await snapshot.layers(), name);
      files.push(reviewedFile({ name, line, ...(isShown ? half : withoutText(half)) }));
    }
    return files;
  }
}

const LINK: string = '120000';

/** A file as it is now; `null`: it is gone. `undefined`: it is a link or the like, of which there is nothing to show. */
function fileNow({ weave }: LineFile): RowsFile | null | undefined {
  const file = fileOfRows(weave.text) ?? null;
  return file?.mode.startsWith('100') === false ? undefined : file;
}

/** True where two files are the same to whoever reads them. */
function isSame(one: RowsFile | null, other: RowsFile | null): boolean {
  if (!one || !other) return one === other;
  const told = (file: RowsFile): string => ('oid' in file ? `\0${file.oid}` : file.text);
  return one.mode === other.mode && told(one) === told(other);
}

/** A file that may not be shown is one that is no text: it is accepted and rejected as a whole. */
function withoutText<Half extends Pick<ReviewedFile, 'accepted' | 'present'>>(half: Half): Half {
  const hidden = (file: RowsFile | null): RowsFile | null =>
    file && { path: file.path, mode: file.mode, oid: '' };
  return { ...half, accepted: hidden(half.accepted), present: hidden(half.present) };
}

/** The events by which rows are not as they were accepted, and of what people typed among them; none of HEAD's. */
function doersOf(rows: readonly Row[]): Set<LineEvent> {
  const doers = rows.flatMap(row => (differs(row) ? doerOf(row) : isTyped(row) ? putBy(row) : []));
  return new Set(doers.filter(event => event.kind !== 'head' && event.at >= 0));
}

export function acceptRows(rows: Iterable<Row>): void {
  for (const row of rows) row.accepted = textOf(row);
}

function placeOf(file: ReviewedFile, all: readonly Row[]): Pick<UnreviewedHunk, 'kind' | 'lines'> {
  const isPart = file.places !== null;
  return {
    kind: kindOf(file, isPart),
    lines: isPart ? file.now.linesOf(all) : { start_line: 0, end_line: 0 },
  };
}

function kindOf({ accepted, present }: ReviewedFile, isPart: boolean): HunkKind {
  if (!present) return 'delete';
  if (!accepted) return 'create';
  if (isPart) return 'lines';
  return textIn(accepted) !== null && textIn(accepted) === textIn(present) ? 'mode' : 'binary';
}

/** Reads files of the history, with the look taken. */
async function readFiles(
  review: Review,
  paths: readonly string[],
): Promise<{
  line: LineFiles;
  versions: ReadonlyMap<string, string>;
  unrecorded: ReadonlyMap<string, TrailEntry>;
}> {
  const { snapshot } = review;
  const { context, trail } = snapshot;
  const query = { tip: trail.tip && trail.parent, ownOnly: !trail.checkedOut, mark: markOf(review) };
  const line = await lineFiles(context.objects, query, paths);
  const [versions, changed] = [new Map<string, string>(), new Map<string, null>()];
  const held = async (path: string): ReturnType<typeof heldNow> => {
    const found = await heldNow(snapshot, path);
    if (found) versions.set(path, found.oid);
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
  return { line, versions, unrecorded };
}

/** Reads a file as it is now: of the folder, or where files are elsewhere, of the history. */
export function heldNow(snapshot: Snapshot, path: string): ReturnType<typeof presentAt> {
  return (snapshot.context.store.separate ? presentAt : recordedAt)(snapshot, path);
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
