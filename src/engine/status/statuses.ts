/**
 * Tells what became of edits, as the line says (src/line/words.ts): the one place that log, status, sessions, trails, why and
 * the page ask.
 */

import { isAncestor } from '../../git/rev-list.ts';
import type { LineEvent } from '../../line/event.ts';
import type { LineFile, LineFiles } from '../../line/files.ts';
import { type EditStatus, statusOf, type ToldFate } from '../../line/standing.ts';
import { BEFORE_ALL, type Fate, fatesIn } from '../../line/words.ts';
import { isWork } from '../../operations.ts';
import { namedFiles } from '../../trail/history/read-steps.ts';
import { sameRecorded } from '../../trail/steps.ts';
import type { TrailEntry } from '../../trail/walk.ts';
import type { Snapshot } from '../files/snapshot.ts';
import { doFilesTell, type StandingOptions, standing } from '../standing.ts';
import { Elsewhere, type RowsElsewhere } from './elsewhere.ts';
import { type DoneTo, LandedIn } from './landed-in.ts';
import { landedOnBranches } from './landed-on-branches.ts';
import { OPEN } from './status-words.ts';

/** Tells of these commits of the history, by their ids; of what is no edit or way back, that it is open. */
export async function editStatuses(
  snapshot: Snapshot,
  entries: readonly TrailEntry[],
  options: Pick<StandingOptions, 'files'> = {},
): Promise<Map<string, EditStatus>> {
  const found = new Map(entries.map(({ commit }) => [commit, OPEN]));
  const work = entries.filter(({ meta }) => isWork(meta?.op));
  if (work.length === 0) return found;
  const paths = work.flatMap(({ meta }) => meta!.paths);
  const since = new Set(work.map(({ commit }) => commit));
  const statuses = await Statuses.read(snapshot, paths, { ...options, since });
  for (const entry of work) found.set(entry.commit, await statuses.of(entry));
  return found;
}

export class Statuses {
  readonly #snapshot: Snapshot;
  readonly #read: LineFiles;
  readonly #elsewhere: Elsewhere | null;
  readonly #landedIn: LandedIn;
  readonly #onBranch: ReturnType<typeof landedOnBranches>;
  /** True where what a landing says of itself counts, because no text here can tell. */
  readonly #isDeclared: boolean;
  /** By commit, what it did to each file. */
  readonly #done = new Map<string, DoneTo[]>();
  readonly #places = new Map<LineFile, Promise<RowsElsewhere[]>>();

  /** `isTold`: whether the folder told what files hold. */
  private constructor(snapshot: Snapshot, read: LineFiles, isTold: boolean, isDeclared: boolean) {
    this.#snapshot = snapshot;
    this.#read = read;
    this.#elsewhere = isTold ? new Elsewhere(snapshot) : null;
    this.#landedIn = new LandedIn(snapshot, read);
    this.#onBranch = landedOnBranches(snapshot);
    this.#isDeclared = isDeclared;
    for (const file of read.files) this.#note(file);
  }

  /** Reads what became of edits of the files that have one of these names, or had it. */
  static async read(
    snapshot: Snapshot,
    paths: Iterable<string>,
    options: StandingOptions = {},
  ): Promise<Statuses> {
    const { context, trail } = snapshot;
    const files = options.files ?? (await doFilesTell(context, trail));
    const read = await standing(snapshot, paths, { ...options, files });
    const isDeclared = options.files === false || trail.checkedOut || trail.mirror === true;
    return new Statuses(snapshot, read, files, isDeclared);
  }

  #note(file: LineFile): void {
    const head = this.#snapshot.trail.checkedOut ? BEFORE_ALL : undefined;
    for (const [{ id }, fates] of fatesIn(file.weave.rows(), head)) {
      const known = this.#done.get(id);
      if (known) known.push({ file, fates });
      else this.#done.set(id, [{ file, fates }]);
    }
  }

  /** The commits that did something to the files that were read. */
  get commits(): ReadonlySet<string> {
    return new Set(this.#done.keys());
  }

  /** All names of these files. */
  get paths(): ReadonlySet<string> {
    return new Set(this.#read.files.flatMap(({ names }) => names));
  }

  /** Tells of an edit or a way back whose files were read. */
  async of(entry: TrailEntry): Promise<EditStatus> {
    const { commit, meta } = entry;
    const event = this.#read.named.get(commit);
    const done = this.#done.get(commit) ?? [];
    if (!event || (done.length === 0 && !event.redoes?.size)) return outsideHistories(this.#snapshot, entry);
    const told: ToldFate[] = [];
    for (const { file, fates } of done) for (const fate of fates) told.push(await this.#told(file, fate));
    const status = statusOf(told);
    if (this.#isDeclared) {
      const branch = status.now === 'open' ? await this.#onBranch(commit) : null;
      if (branch !== null) return { ...OPEN, now: 'landed', landed_in: branch };
      if (this.#snapshot.trail.checkedOut) return { ...status, landed_in: null };
    }
    return { ...status, landed_in: await this.#landedIn.of(event.at, meta!.head, done) };
  }

  /** Says who undid what an edit did to a row; of a row that vanished, where it is. */
  async #told(file: LineFile, fate: Fate): Promise<ToldFate> {
    const { row, isPut, word, by } = fate;
    const isGone = word === 'away' || word === 'taken out by hand';
    const where = isGone ? await this.#whereIs(file, fate) : undefined;
    if (where !== undefined) return { row, isPut, word: 'away', by: where };
    if (word !== 'away') return { row, isPut, word, by: by && doerOf(by) };
    const had = this.#headBefore(by!);
    return { row, isPut, ...(had ? { word, by: had } : { word: 'taken out by hand', by: 'hand' }) };
  }

  /**
   * A text that lacks a row need not have taken it out: an older branch never had it. So of what was taken out, only places
   * count that say what they were made from.
   */
  async #whereIs(file: LineFile, { row, isPut }: Fate): Promise<string | undefined> {
    const places = this.#places.get(file) ?? this.#elsewhere?.of(file) ?? Promise.resolve([]);
    this.#places.set(file, places);
    const hasIt = ({ held, from }: RowsElsewhere): boolean =>
      isPut ? held.has(row) : from?.has(row) === true && !held.has(row);
    return (await places).find(hasIt)?.where;
  }

  /** The commit that was HEAD before one that came. */
  #headBefore({ at }: LineEvent): string | null {
    return this.#read.heads.findLast(seen => seen.at < at)?.commit ?? null;
  }
}

/** The commit of an event; where nobody recorded that somebody did it, or HEAD came without what the file lacks, `hand`. */
function doerOf({ id, kind }: LineEvent): string {
  return kind === 'head' || id === '' ? 'hand' : id;
}

/**
 * Returns the status of an edit that no file's history has: it changed nothing, was not read, or is of another history, as
 * one that blame finds by the commit that landed it.
 */
async function outsideHistories({ context, trail }: Snapshot, entry: TrailEntry): Promise<EditStatus> {
  const { objects } = context;
  const files = await namedFiles(objects, entry);
  if (files === null) return { ...OPEN, now: 'unknown', by: 'below the end of a shallow clone' };
  if (files.every(({ before, after }) => sameRecorded(before, after)))
    return { ...OPEN, now: 'nothing left' };
  const isOurs = trail.tip !== null && (await isAncestor(objects, entry.commit, trail.tip));
  return {
    ...OPEN,
    now: 'unknown',
    by: isOurs ? 'older than the commits that were read' : 'of another history',
  };
}
