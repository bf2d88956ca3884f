/**
 * Tells what became of edits, from the files, HEAD and the recorded versions (trail/history/status.ts): the one place
 * that log, status, sessions, trails, land, review and the page ask.
 */

import { isAncestor } from '../../git/rev-list.ts';
import { isWork } from '../../operations.ts';
import { namedFiles } from '../../trail/history/read-steps.ts';
import { type EditStatus, hasOpen, statusOf } from '../../trail/history/status.ts';
import { sameRecorded } from '../../trail/steps.ts';
import type { TrailEntry } from '../../trail/walk.ts';
import type { Snapshot } from '../files/snapshot.ts';
import { FileJudge, type JudgedFile } from './file-judge.ts';
import { KnownFiles, type Window } from './known-files.ts';
import { landedOnBranches } from './landed-on-branches.ts';
import { type PresentOptions, PresentRows } from './present-rows.ts';

const OPEN: EditStatus = { now: 'open', by: null, landed_in: null, lines: {} };

export type { EditStatus, StatusWord } from '../../trail/history/status.ts';
export type { JudgedFile } from './file-judge.ts';
export { COUNTED } from './known-files.ts';

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

export class EditStatuses {
  readonly #snapshot: Snapshot;
  readonly #judge: FileJudge;
  readonly #known: KnownFiles;
  readonly #onBranch: ReturnType<typeof landedOnBranches>;
  /** True where what a landing says of itself counts, because no text here can tell. */
  readonly #isDeclared: boolean;

  /**
   * `snapshot`: with HEAD joined, where it moved (`syncedSnapshot`). `files`: whether they tell; default: unless they are those of another trail.
   * `target`: the tree of another branch that counts in place of HEAD.
   */
  constructor(snapshot: Snapshot, options: PresentOptions = {}) {
    const { checkedOut, mirror } = snapshot.trail;
    this.#snapshot = snapshot;
    this.#judge = new FileJudge(snapshot, new PresentRows(snapshot, options));
    this.#isDeclared = options.files === false || checkedOut || mirror === true;
    this.#known = new KnownFiles(snapshot, this.#judge);
    this.#onBranch = landedOnBranches(snapshot);
  }

  /** Tells of these commits of the trail, by their ids; of what is no edit or way back, that it is open. */
  async of(entries: readonly TrailEntry[]): Promise<Map<string, EditStatus>> {
    const work = entries.filter(({ meta }) => isWork(meta?.op));
    await this.#loadFor(work);
    const found = new Map(entries.map(({ commit }) => [commit, OPEN]));
    for (const entry of work) found.set(entry.commit, await this.#statusOf(entry));
    return found;
  }

  /** Returns those of the newest COUNTED commits that have lines in these files. */
  async inFiles(paths: readonly string[]): Promise<Set<string>> {
    await this.#known.load(paths, await this.#windowFor([]));
    return this.#known.commitsIn(paths);
  }

  /** Returns the newest COUNTED commits of the trail, newest first, and whether there are older ones. */
  newest(): ReturnType<KnownFiles['newest']> {
    return this.#known.newest();
  }

  /** Returns the files that have one of these names, or had it, with all of their histories. */
  files(paths: readonly string[]): Promise<readonly JudgedFile[]> {
    return this.#known.judged(paths);
  }

  /** True where something of the edit is open that no edit before it did likewise, as one that is put back. */
  async isOpen(entry: TrailEntry): Promise<boolean> {
    const { commit, meta } = entry;
    const isBack = await this.#known.isWayBack();
    return this.#known
      .at(meta!.paths)
      .some(({ history: { weave }, fates }) => hasOpen(weave, commit, fates.get(commit) ?? [], isBack));
  }

  /**
   * Reads the histories of the paths: where all commits are among the newest ones, as far back as those go, and else
   * from the first edit on. So the status of an edit does not depend on how far back somebody asked.
   */
  async #loadFor(entries: readonly TrailEntry[]): Promise<void> {
    const window = await this.#windowFor(entries.map(({ commit }) => commit));
    await this.#known.load(
      entries.flatMap(({ meta }) => meta!.paths),
      window,
    );
  }

  async #windowFor(commits: readonly string[]): Promise<Window> {
    const { rows, more } = await this.newest();
    const newest = new Set(rows.map(({ commit }) => commit));
    return more && commits.every(commit => newest.has(commit)) ? rows : null;
  }

  async #statusOf(entry: TrailEntry): Promise<EditStatus> {
    const { commit, meta } = entry;
    const about = this.#known.at(meta!.paths).filter(({ fates }) => fates.has(commit));
    if (about.length === 0) return outsideHistories(this.#snapshot, entry);
    const status = statusOf(about.flatMap(({ fates }) => fates.get(commit)!));
    if (this.#isDeclared) {
      const branch = status.now === 'open' ? await this.#onBranch(commit) : null;
      if (branch !== null) return { ...OPEN, now: 'landed', landed_in: branch };
      if (this.#snapshot.trail.checkedOut) return { ...status, landed_in: null };
    }
    return { ...status, landed_in: await this.#judge.landedIn(commit, meta!.head, about) };
  }
}
