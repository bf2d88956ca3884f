/**
 * Tells what became of edits, as the line says (src/line/words.ts): the one place that log, status, sessions, trails, why and
 * the page ask.
 */

import { isAncestor } from '../../git/rev-list.ts';
import { namedFiles } from '../../history/read-steps.ts';
import { sameRecorded } from '../../history/steps.ts';
import type { TrailEntry } from '../../history/walk.ts';
import { memo } from '../../lazy.ts';
import type { LineEvent } from '../../line/event.ts';
import type { LineFile, LineFiles } from '../../line/files.ts';
import {
  type EditStatus,
  isVanished,
  type RowsElsewhere,
  statusOf,
  type ToldFate,
  toldFate,
} from '../../line/standing.ts';
import { BEFORE_ALL, type Fate, fatesIn } from '../../line/words.ts';
import { isWork } from '../../operations.ts';
import type { Snapshot } from '../files/snapshot.ts';
import { doFilesTell, type StandingOptions, standing } from '../standing.ts';
import { elsewhere } from './elsewhere.ts';
import { type DoneTo, landedIn, landedOnBranches } from './landed-in.ts';
import { newestOf } from './newest.ts';
import { OPEN } from './status-words.ts';

export type { EditStatus } from '../../line/standing.ts';
export type { StatusWord } from '../../line/words.ts';

/** Tells of these commits of the history, by their ids; of what is no edit, way back or rejection, that it is open. */
export async function editStatuses(
  snapshot: Snapshot,
  entries: readonly TrailEntry[],
): Promise<Map<string, EditStatus>> {
  const found = new Map(entries.map(({ commit }) => [commit, OPEN]));
  const isAsked = ({ meta }: TrailEntry): boolean =>
    isWork(meta?.op) || meta?.rejects !== undefined || meta?.unrejects !== undefined;
  const work = entries.filter(isAsked);
  if (work.length === 0) return found;
  const paths = work.flatMap(({ meta }) => meta!.paths);
  const since = await sinceWhen(snapshot, work);
  const statuses = await Statuses.read(snapshot, paths, since ? { since } : {});
  for (const entry of work) found.set(entry.commit, await statuses.of(entry));
  return found;
}

/**
 * Tells how far back to read: where all edits are among the newest commits, as far as those go, and else all of the history.
 * What a file was called, and what a way back may bring back, is known from before them; so what is said of an edit does not
 * depend on which others were asked for.
 */
async function sinceWhen(
  snapshot: Snapshot,
  entries: readonly TrailEntry[],
): Promise<ReadonlySet<string> | null> {
  const { rows, more } = await newestOf(snapshot);
  const newest = new Set(rows.map(({ commit }) => commit));
  return more && entries.every(({ commit }) => newest.has(commit)) ? newest : null;
}

export class Statuses {
  readonly #snapshot: Snapshot;
  readonly #read: LineFiles;
  readonly #placesOf: (file: LineFile) => Promise<readonly RowsElsewhere[]>;
  readonly #landedIn: ReturnType<typeof landedIn>;
  /** Where what a landing says of itself counts, because no text here can tell: answers of a commit the one that holds it. */
  readonly #declared: ReturnType<typeof landedOnBranches> | null;
  /** By commit, what it did to each file. */
  readonly #done = new Map<string, DoneTo[]>();
  /** Commits that changed files of which nobody compares so many lines. */
  readonly #lost = new Set<string>();

  /** `isTold`: whether the folder told what files hold. */
  private constructor(snapshot: Snapshot, read: LineFiles, isTold: boolean, isDeclared: boolean) {
    this.#snapshot = snapshot;
    this.#read = read;
    this.#placesOf = isTold ? memo(elsewhere(snapshot)) : async () => [];
    this.#landedIn = landedIn(snapshot, read);
    this.#declared = isDeclared ? landedOnBranches(snapshot) : null;
    for (const file of read.files) this.#note(file);
  }

  /** Reads what became of edits of the files that have one of these names, or had it. */
  static async read(
    snapshot: Snapshot,
    paths: Iterable<string>,
    options: StandingOptions = {},
  ): Promise<Statuses> {
    const { context, trail } = snapshot;
    const files = options.files ?? doFilesTell(context, trail);
    const read = await standing(snapshot, paths, { ...options, files });
    const isDeclared = options.files === false || trail.checkedOut || trail.mirror === true;
    return new Statuses(snapshot, read, files, isDeclared);
  }

  #note(file: LineFile): void {
    for (const { id } of file.weave.lost ?? []) this.#lost.add(id);
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
    if (this.#lost.has(commit)) return { ...OPEN, now: 'unknown', by: 'too many changed lines to compare' };
    if (!event || done.length === 0) return withoutRows(this.#snapshot, entry, event !== undefined);
    let told: ToldFate[] = [];
    for (const { file, fates } of done) told = told.concat(await this.#told(file, fates));
    const status = statusOf(told);
    const branch = status.now === 'open' ? await this.#declared?.(commit) : undefined;
    if (branch != null) return { ...OPEN, now: 'landed', landed_in: branch };
    if (this.#snapshot.trail.checkedOut) return { ...status, landed_in: null };
    // What HEAD lost with the whole file, or otherwise, is no landing of the edit that took it out.
    if (status.now === 'open' && !status.lines.landed && !status.lines.changed)
      return { ...status, landed_in: null };
    return { ...status, landed_in: await this.#landedIn(event.at, meta!.head, done) };
  }

  async #told(file: LineFile, fates: readonly Fate[]): Promise<ToldFate[]> {
    const places = fates.some(isVanished) ? await this.#placesOf(file) : [];
    return fates.map(fate => toldFate(fate, places, by => this.#headBefore(by)));
  }

  /** The commit that was HEAD before one that came. */
  #headBefore({ at }: LineEvent): string | null {
    return this.#read.heads.findLast(seen => seen.at < at)?.commit ?? null;
  }
}

/**
 * Returns the status of an edit without rows of its own: what it did others did again since, it changed nothing, was not read,
 * or is of another history, as one that blame finds by the commit that landed it.
 */
async function withoutRows(
  { context, trail }: Snapshot,
  entry: TrailEntry,
  isRead: boolean,
): Promise<EditStatus> {
  const { objects } = context;
  const files = await namedFiles(objects, entry);
  if (files === null) return { ...OPEN, now: 'unknown', by: 'below the end of a shallow clone' };
  if (isRead || files.every(({ before, after }) => sameRecorded(before, after)))
    return { ...OPEN, now: 'nothing left' };
  const isOurs = trail.tip !== null && (await isAncestor(objects, entry.commit, trail.tip));
  return {
    ...OPEN,
    now: 'unknown',
    by: isOurs ? 'older than the commits that were read' : 'of another history',
  };
}
