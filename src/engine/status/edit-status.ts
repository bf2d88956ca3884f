/**
 * Tells what became of edits, from the files, HEAD and the recorded versions (trail/history/status.ts): the one place
 * that log, status, sessions, trails, land, review and the page ask.
 */

import { isAncestor } from '../../git/rev-list.ts';
import { isMerge, isOutside, isWayBack, isWork } from '../../operations.ts';
import { namedFiles } from '../../trail/history/read-steps.ts';
import { withoutMarks } from '../../trail/history/rejected.ts';
import {
  type EditStatus,
  fatesIn,
  hasOpen,
  type Present,
  type RowFate,
  statusOf,
} from '../../trail/history/status.ts';
import { type FileHistory, fileHistories, type HistoryQuery } from '../../trail/history/versions.ts';
import type { WovenRow } from '../../trail/history/weave.ts';
import { sameRecorded } from '../../trail/steps.ts';
import { type TrailEntry, type TrailRow, walkRows } from '../../trail/walk.ts';
import type { Context } from '../context.ts';
import type { Snapshot } from '../files/snapshot.ts';
import {
  historyQuery,
  marksOf,
  type OpenRejection,
  openRejections,
  type ReturnedText,
  returnedTexts,
  sinceRejections,
} from '../rejections/open-rejections.ts';
import { type FileKeys, KeptStatuses, type Window } from './kept-statuses.ts';
import { firstWith, landedOnBranches } from './landed-on-branches.ts';
import { TextsElsewhere } from './other-texts.ts';
import { type PresentOptions, PresentRows, type PresentTexts, type TakenNames } from './present-rows.ts';
import type { KeptEdit, KeptEdits } from './status-index.ts';
import { OPEN } from './status-words.ts';

export type { EditStatus, StatusMark, StatusWord } from '../../trail/history/status.ts';

/**
 * Returns the status of an edit that no file's history has. A merge brings what others did, and each of their edits has
 * a status of its own; another edit changed nothing, or was not read.
 */
async function outsideHistories({ objects }: Context, entry: TrailEntry): Promise<EditStatus> {
  if (isMerge(entry.meta?.op)) return OPEN;
  const files = await namedFiles(objects, entry);
  if (files === null) return { ...OPEN, now: 'unknown', by: 'below the end of a shallow clone' };
  if (files.every(({ before, after }) => sameRecorded(before, after)))
    return { ...OPEN, now: 'nothing left' };
  return { ...OPEN, now: 'unknown', by: 'older than the commits that were read' };
}

export interface JudgedFile {
  history: FileHistory;
  texts: PresentTexts;
  head: ReadonlySet<WovenRow>;
  fates: ReadonlyMap<string, RowFate[]>;
  /** Where people rejected text, and what of it the file holds again. */
  rejected: readonly OpenRejection[];
  returned: readonly ReturnedText[];
}

function sinceIn(window: Window): Pick<HistoryQuery, 'since'> {
  return window ? { since: new Set(window.map(({ commit }) => commit)) } : {};
}

/** False where other places were looked at, too, or nobody can tell. */
function isToldByTexts({ rejected, fates }: JudgedFile): boolean {
  const all = [...fates.values()].flat();
  return rejected.length === 0 && !all.some(({ word }) => ELSEWHERE.has(word));
}

const ELSEWHERE: ReadonlySet<string> = new Set(['taken back by hand', 'not here', 'unknown']);

/** The number of commits that are read where nothing older is asked for. */
export const COUNTED = 1_000;

async function newestOf({ context, trail }: Snapshot): Promise<{ rows: readonly TrailRow[]; more: boolean }> {
  const found: TrailRow[] = [];
  const options = { ownOnly: !trail.checkedOut, joined: 'shared', limit: COUNTED + 1 } as const;
  for await (const rows of walkRows(context.objects, trail.tip && trail.parent, options)) found.push(...rows);
  return { rows: found.slice(0, COUNTED), more: found.length > COUNTED };
}

export class EditStatuses {
  readonly #snapshot: Snapshot;
  readonly #rows: PresentRows;
  /** By every name that a file had; a name may have been that of several files. */
  readonly #files = new Map<string, JudgedFile[]>();
  /** By a file's name, how far back its histories were read. */
  readonly #read = new Map<string, 'newest' | 'all'>();
  /** By name, the edits of files that never had another one, as they were kept or are to be. */
  readonly #edits = new Map<string, ReadonlyMap<string, KeptEdit>>();
  readonly #kept: KeptStatuses | null;
  readonly #elsewhere: TextsElsewhere;
  readonly #onBranch: ReturnType<typeof landedOnBranches>;
  /** True where what a landing says of itself counts, because no text here can tell. */
  readonly #isDeclared: boolean;
  /** Commits that the trail saw as HEAD, and whether HEAD's history still has them. */
  readonly #inHead = new Map<string, Promise<boolean>>();
  #newest: ReturnType<typeof newestOf> | null = null;
  /** The ways back among the newest commits. */
  #back: ReadonlySet<string> | null = null;

  /**
   * `snapshot`: with HEAD joined, where it moved (`syncedSnapshot`). `files`: whether they tell; default: unless they are those of another trail.
   * `target`: the tree of another branch that counts in place of HEAD.
   */
  constructor(snapshot: Snapshot, options: PresentOptions = {}) {
    this.#rows = new PresentRows(snapshot, options);
    this.#snapshot = snapshot;
    const { checkedOut, mirror } = snapshot.trail;
    this.#isDeclared = options.files === false || checkedOut || mirror === true;
    const isPlain = !this.#isDeclared && options.target === undefined;
    this.#kept = isPlain ? new KeptStatuses(snapshot, this.#rows) : null;
    this.#elsewhere = new TextsElsewhere(snapshot);
    this.#onBranch = landedOnBranches(snapshot);
  }

  /**
   * Tells of these commits of the trail, by their ids; of what is no edit or way back, that it is open, and whether rejected
   * text came back with it.
   */
  async of(entries: readonly TrailEntry[]): Promise<Map<string, EditStatus>> {
    const work = entries.filter(({ meta }) => isWork(meta?.op));
    const known = await this.#snapshot.context.rejections.all();
    const outside = known.length > 0 ? entries.filter(({ meta }) => isOutside(meta?.op)) : [];
    await this.#loadFor([...work, ...outside]);
    const found = new Map(entries.map(({ commit }) => [commit, OPEN]));
    for (const entry of outside)
      found.set(entry.commit, { ...OPEN, ...marksOf(entry, this.#filesAt(entry.meta!.paths)) });
    for (const entry of work) found.set(entry.commit, await this.#statusOf(entry));
    return found;
  }

  /** Returns those of the newest COUNTED commits that have lines in these files. */
  async inFiles(paths: readonly string[]): Promise<Set<string>> {
    await this.#load(paths, await this.#windowFor([]));
    const kept = paths.flatMap(path => [...(this.#edits.get(path)?.keys() ?? [])]);
    return new Set([...kept, ...this.#filesAt(paths).flatMap(({ fates }) => [...fates.keys()])]);
  }

  /** Returns the newest COUNTED commits of the trail, newest first, and whether there are older ones. */
  newest(): ReturnType<typeof newestOf> {
    this.#newest ??= newestOf(this.#snapshot);
    return this.#newest;
  }

  /**
   * Reads the histories of the paths: where all commits are among the newest ones, as far back as those go, and else
   * from the first edit on. So the status of an edit does not depend on how far back somebody asked.
   */
  async #loadFor(entries: readonly TrailEntry[]): Promise<void> {
    const window = await this.#windowFor(entries.map(({ commit }) => commit));
    const pathsOf = (some: readonly TrailEntry[]): string[] => some.flatMap(({ meta }) => meta!.paths);
    await this.#load(pathsOf(entries), window);
    // What became of an edit of several files is told of the lines of all.
    await this.#judgeKept(pathsOf(entries.filter(entry => !this.#keptOf(entry))));
  }

  async #windowFor(commits: readonly string[]): Promise<Window> {
    const { rows, more } = await this.newest();
    const newest = new Set(rows.map(({ commit }) => commit));
    return more && commits.every(commit => newest.has(commit)) ? rows : null;
  }

  /** Returns the files that have one of these names, or had it, with all of their histories. */
  async files(paths: readonly string[]): Promise<readonly JudgedFile[]> {
    await this.#load(paths, null, false);
    await this.#judgeKept(paths);
    return this.#filesAt(paths);
  }

  /**
   * Finds what is kept of files under a name, each under all that its edits are judged from: what became of the newest of
   * those is known then. Whoever judges the other files saves by `keep` what shall be found of them.
   */
  async kept<T extends { edits: KeptEdits }>(
    what: string,
    paths: readonly string[],
  ): Promise<{ found: Map<string, T>; keep(files: ReadonlyMap<string, Omit<T, 'edits'>>): Promise<void> }> {
    const { rows } = await this.newest();
    const keys = (await this.#kept?.keys(paths, rows)) ?? new Map<string, string>();
    const found = keys.size === 0 ? new Map<string, T>() : await this.#kept!.find<T>(what, keys);
    for (const [path, { edits }] of found) {
      this.#read.set(path, 'all');
      this.#files.set(path, []);
      this.#edits.set(path, new Map(edits));
    }
    const newest = new Set(rows.map(({ commit }) => commit));
    const keep = async (files: ReadonlyMap<string, Omit<T, 'edits'>>): Promise<void> => {
      const fresh = new Map<string, unknown>();
      for (const [path, value] of files) {
        const file = keys.has(path) ? this.#toldAt(path) : null;
        if (file) fresh.set(path, { ...value, edits: await this.#editsOf(file, newest) });
      }
      await this.#kept?.save(what, keys, fresh);
    };
    return { found, keep };
  }

  /** True where something of the edit is open that no edit before it did likewise, as one that is put back. */
  async isOpen(entry: TrailEntry): Promise<boolean> {
    const { commit, meta } = entry;
    const kept = this.#keptOf(entry);
    if (kept?.open !== undefined) return kept.open;
    if (kept) await this.#judgeKept(meta!.paths);
    const isBack = await this.#isWayBack();
    return this.#filesAt(meta!.paths).some(({ history: { weave }, fates }) =>
      hasOpen(weave, commit, fates.get(commit) ?? [], isBack),
    );
  }

  async #isWayBack(): Promise<(commit: string) => boolean> {
    const { rows } = await this.newest();
    this.#back ??= new Set(rows.filter(({ op }) => isWayBack(op)).map(row => row.commit));
    return commit => this.#back!.has(commit);
  }

  #keptOf({ commit, meta }: TrailEntry): KeptEdit | undefined {
    const [path, other] = meta!.paths;
    return other === undefined ? this.#edits.get(path!)?.get(commit) : undefined;
  }

  #filesAt(paths: readonly string[]): readonly JudgedFile[] {
    if (paths.length === 1) return this.#files.get(paths[0]!) ?? [];
    return [...new Set(paths.flatMap(path => this.#files.get(path) ?? []))];
  }

  async #statusOf(entry: TrailEntry): Promise<EditStatus> {
    const { commit, meta } = entry;
    const kept = this.#keptOf(entry);
    if (kept) return { now: kept.now, by: kept.by, lines: kept.lines, marks: [], landed_in: kept.landed_in };
    const about = this.#filesAt(meta!.paths).filter(({ fates }) => fates.has(commit));
    if (about.length === 0) return outsideHistories(this.#snapshot.context, entry);
    const marked = marksOf(entry, about);
    const status = { ...statusOf(about.flatMap(({ fates }) => fates.get(commit)!)), ...marked };
    if (this.#isDeclared) {
      const branch = status.now === 'open' ? await this.#onBranch(commit) : null;
      if (branch !== null) return { ...OPEN, ...marked, now: 'landed', landed_in: branch };
      if (this.#snapshot.trail.checkedOut) return { ...status, landed_in: null };
    }
    return { ...status, landed_in: await this.#landedIn(commit, meta!.head, about) };
  }

  /**
   * Reads the histories of files as far back as the window goes, or all; of files of which as much was read, nothing.
   * `mayKeep`: not where it is kept what became of their edits.
   */
  async #load(paths: readonly string[], window: Window, mayKeep = true): Promise<void> {
    const isRead = (path: string): boolean => {
      const read = this.#read.get(path);
      return read === 'all' || (read !== undefined && window !== null);
    };
    const fresh = [...new Set(paths)].filter(path => !isRead(path));
    if (fresh.length === 0) return;
    const asked = sinceIn(window);
    const back = await sinceRejections(this.#snapshot, fresh, asked);
    for (const path of fresh) {
      this.#read.set(path, back.since ? 'newest' : 'all');
      this.#files.set(path, []);
      this.#edits.delete(path);
    }
    const isPlain = mayKeep && (back === asked || !window) && (await this.#rows.doFilesTell());
    const keys = isPlain ? await this.#kept?.keys(fresh, window) : undefined;
    if (!keys) return this.#judgeFiles(fresh, back);
    const what = window ? 'newest' : 'all';
    for (const [path, edits] of await this.#kept!.find<KeptEdits>(what, keys))
      this.#edits.set(path, new Map(edits));
    const left = fresh.filter(path => !this.#edits.has(path));
    await this.#judgeFiles(left, back);
    await this.#keep(left, keys, window);
  }

  /** Judges the files of which only that is known which is kept, as far back as they were read. */
  async #judgeKept(paths: readonly string[]): Promise<void> {
    const known = [...new Set(paths)].filter(path => this.#edits.has(path) && !this.#files.get(path)![0]);
    const { rows } = await this.newest();
    for (const window of [rows, null]) {
      const read = window ? 'newest' : 'all';
      const some = known.filter(path => this.#read.get(path) === read);
      await this.#judgeFiles(some, sinceIn(window));
    }
  }

  async #judgeFiles(paths: readonly string[], back: Pick<HistoryQuery, 'since'>): Promise<void> {
    if (paths.length === 0) return;
    const query = { ...historyQuery(this.#snapshot), ...back };
    const histories = await fileHistories(this.#snapshot.context.objects, query, paths);
    const taken = new Set(histories.map(({ names }) => names.at(-1)!));
    // Files of one folder are read one after the other, while it is open.
    const byName = (a: FileHistory, b: FileHistory): number => (a.names.at(-1)! < b.names.at(-1)! ? -1 : 1);
    // These are all files that ever had one of the names: they take the place of what was read of them before.
    const found = new Map<string, JudgedFile[]>();
    for (const history of histories.sort(byName)) {
      const judged = await this.#judge(history, taken);
      for (const name of history.names) found.set(name, [...(found.get(name) ?? []), judged]);
    }
    for (const [name, files] of found) {
      this.#files.set(name, files);
      if (this.#read.has(name)) this.#read.set(name, back.since ? 'newest' : 'all');
    }
  }

  /** Keeps what became of the edits of files that were judged, where there are many and it is their texts alone that tell. */
  async #keep(paths: readonly string[], keys: FileKeys, window: Window): Promise<void> {
    const many = paths.filter(path => keys.has(path));
    if (many.length < this.#kept!.least) return;
    const found = new Map<string, KeptEdits>();
    const isKnown = window !== null || !(await this.newest()).more;
    for (const path of many) {
      const file = this.#toldAt(path);
      if (!file) continue;
      const edits = await this.#editsOf(file, file.fates, isKnown);
      found.set(path, edits);
      this.#edits.set(path, new Map(edits));
    }
    await this.#kept!.save(window ? 'newest' : 'all', keys, found);
  }

  /** Returns the judged file of a name, where it is the only one that ever had it, never had another one, and its texts alone tell. */
  #toldAt(path: string): JudgedFile | null {
    const [file, other] = this.#files.get(path) ?? [];
    return file && !other && file.history.names.length === 1 && isToldByTexts(file) ? file : null;
  }

  /** `isKnown`: whether it is known which are ways back. */
  async #editsOf(
    file: JudgedFile,
    commits: { has(commit: string): boolean },
    isKnown = true,
  ): Promise<KeptEdits> {
    const { history, fates } = file;
    const isBack = await this.#isWayBack();
    const edits: Array<[string, KeptEdit]> = [];
    for (const [commit, done] of fates) {
      if (!commits.has(commit)) continue;
      const status = statusOf(done);
      const landed_in = await this.#landedIn(commit, history.heads.get(commit), [file]);
      const open = isKnown ? { open: hasOpen(history.weave, commit, done, isBack) } : {};
      edits.push([commit, { ...status, landed_in, ...open }]);
    }
    return edits;
  }

  async #judge(history: FileHistory, taken: TakenNames): Promise<JudgedFile> {
    const { weave, seen } = history;
    const texts = await this.#rows.of(history, taken);
    const file = weave.place(texts.file);
    const head = weave.place(texts.head).held;
    const present: Present = { file, head, seen, elsewhere: [] };
    const fates = fatesIn(weave, present);
    const rejected = await openRejections(this.#snapshot, history);
    const text = rejected.length === 0 ? null : withoutMarks({ lines: texts.file, rows: file.rows });
    const returned = text ? await returnedTexts(this.#snapshot.context, weave, rejected, text) : [];
    const judged = { history, texts, head, rejected, returned };
    const isLost = [...fates.values()].some(some => some.some(({ word }) => word === 'taken back by hand'));
    if (!isLost || !(await this.#rows.doFilesTell())) return { ...judged, fates };
    const elsewhere = await this.#elsewhere.of(history);
    return { ...judged, fates: fatesIn(weave, { ...present, elsewhere }) };
  }

  /** Finds the oldest commit of HEAD's history that has what the edit did, after the trail saw a HEAD without it. `then`: HEAD when it was made. */
  async #landedIn(
    commit: string,
    then: string | undefined,
    files: readonly JudgedFile[],
  ): Promise<string | null> {
    const { trail, context } = this.#snapshot;
    const { objects } = context;
    // A commit that was there before the edit did not bring it.
    const isOlder = async (seen: string | null): Promise<boolean> =>
      seen === null || (then !== undefined && (await isAncestor(objects, seen, then)));
    for (const { history, head, fates } of files) {
      const mine = fates.get(commit)!.filter(({ word }) => word !== 'nothing left' && word !== 'unknown');
      if (mine.length === 0) continue;
      const [{ step }] = mine as [RowFate];
      const has = (held: ReadonlySet<WovenRow>): boolean =>
        mine.some(({ row, effect }) => held.has(row) === (effect === 'put in'));
      // Where hosts share the trail, what one of them saw before says nothing of the edit of another: only HEAD's history does.
      const isForked = history.weave.steps[step]!.head !== undefined;
      let without: string | null = null;
      let found: string | null = null;
      for (const seen of history.seen) {
        const isIn = has(seen.held) && (isForked ? !(await isOlder(seen.commit)) : seen.step > step);
        if (isIn && seen.commit !== null && (await this.#isInHead(seen.commit))) found = seen.commit;
        if (found !== null) break;
        if (!isIn) without = seen.commit;
      }
      if (found === null && has(head)) found = trail.head;
      if (isForked) without = then ?? null;
      if (found !== null && !(await isOlder(found)))
        return firstWith(context, history, has, { newest: found, without });
    }
    return null;
  }

  /** False for what was amended, rebased or reset away. */
  async #isInHead(commit: string): Promise<boolean> {
    const { context, trail } = this.#snapshot;
    if (trail.head === null) return false;
    if (!this.#inHead.has(commit)) this.#inHead.set(commit, isAncestor(context.objects, commit, trail.head));
    return this.#inHead.get(commit)!;
  }
}
