/**
 * Files of which it is known what became of their edits: judged by their histories (file-judge.ts), or as that was kept
 * (kept-statuses.ts), which is judged only where somebody asks more of them.
 */

import { isWayBack } from '../../operations.ts';
import { hasOpen, statusOf } from '../../trail/history/status.ts';
import type { HistoryQuery } from '../../trail/history/versions.ts';
import { type TrailEntry, type TrailRow, walkRows } from '../../trail/walk.ts';
import type { Snapshot } from '../files/snapshot.ts';
import { sinceRejections } from '../rejections/open-rejections.ts';
import { type FileJudge, isToldByTexts, type JudgedFile } from './file-judge.ts';
import type { FileKeys, KeptStatuses, Window } from './kept-statuses.ts';
import type { PresentRows } from './present-rows.ts';
import type { KeptEdit, KeptEdits } from './status-index.ts';

/** The number of commits that are read where nothing older is asked for. */
export const COUNTED = 1_000;

async function newestOf({ context, trail }: Snapshot): Promise<{ rows: readonly TrailRow[]; more: boolean }> {
  const found: TrailRow[] = [];
  const options = { ownOnly: !trail.checkedOut, limit: COUNTED + 1 };
  for await (const rows of walkRows(context.objects, trail.tip && trail.parent, options)) found.push(...rows);
  return { rows: found.slice(0, COUNTED), more: found.length > COUNTED };
}

function sinceIn(window: Window): Pick<HistoryQuery, 'since'> {
  return window ? { since: new Set(window.map(({ commit }) => commit)) } : {};
}

/** Files as they are kept under a name, the others as they are judged, and how these are kept for the next time. */
export interface KeptFiles<T extends { edits: KeptEdits }> {
  found: ReadonlyMap<string, T>;
  judged: readonly JudgedFile[];
  keep(files: ReadonlyMap<string, Omit<T, 'edits'>>): Promise<void>;
}

export class KnownFiles {
  readonly #snapshot: Snapshot;
  readonly #rows: PresentRows;
  readonly #judge: FileJudge;
  readonly #kept: KeptStatuses | null;
  /** By every name that a file had; a name may have been that of several files. */
  readonly #files = new Map<string, readonly JudgedFile[]>();
  /** By a file's name, how far back its histories were read. */
  readonly #read = new Map<string, 'newest' | 'all'>();
  /** By name, the edits of files that never had another one, as they were kept or are to be. */
  readonly #edits = new Map<string, ReadonlyMap<string, KeptEdit>>();
  #newest: ReturnType<typeof newestOf> | null = null;
  /** The ways back among the newest commits. */
  #back: ReadonlySet<string> | null = null;

  /** `kept`: `null` where nothing may be kept. */
  constructor(snapshot: Snapshot, rows: PresentRows, judge: FileJudge, kept: KeptStatuses | null) {
    this.#snapshot = snapshot;
    this.#rows = rows;
    this.#judge = judge;
    this.#kept = kept;
  }

  /** Returns the newest COUNTED commits of the trail, newest first, and whether there are older ones. */
  newest(): ReturnType<typeof newestOf> {
    this.#newest ??= newestOf(this.#snapshot);
    return this.#newest;
  }

  /** Tells ways back among the newest commits. */
  async isWayBack(): Promise<(commit: string) => boolean> {
    const { rows } = await this.newest();
    this.#back ??= new Set(rows.filter(({ op }) => isWayBack(op)).map(row => row.commit));
    return commit => this.#back!.has(commit);
  }

  /** Returns what is kept of an edit of one file. */
  editOf({ commit, meta }: TrailEntry): KeptEdit | undefined {
    const [path, other] = meta!.paths;
    return other === undefined ? this.#edits.get(path!)?.get(commit) : undefined;
  }

  /** Returns the files that were judged, by any name that they had. */
  at(paths: readonly string[]): readonly JudgedFile[] {
    if (paths.length === 1) return this.#files.get(paths[0]!) ?? [];
    return [...new Set(paths.flatMap(path => this.#files.get(path) ?? []))];
  }

  /** Returns the commits that changed one of the files, as far as they were read. */
  commitsIn(paths: readonly string[]): Set<string> {
    const kept = paths.flatMap(path => [...(this.#edits.get(path)?.keys() ?? [])]);
    return new Set([...kept, ...this.at(paths).flatMap(({ fates }) => [...fates.keys()])]);
  }

  /** Reads files as far back as the window goes, or all; of files of which as much was read, nothing. */
  async load(paths: readonly string[], window: Window): Promise<void> {
    const fresh = this.#fresh(paths, window);
    if (fresh.length === 0) return;
    const asked = sinceIn(window);
    const back = await this.#begin(fresh, asked);
    const isPlain = back === asked || !window;
    const keys = isPlain ? await this.#keys(fresh, window) : undefined;
    if (!keys) return this.#judgeFiles(fresh, back);
    const what = window ? 'newest' : 'all';
    for (const [path, edits] of await this.#kept!.find<KeptEdits>(what, keys))
      this.#edits.set(path, new Map(edits));
    const left = fresh.filter(path => !this.#edits.has(path));
    await this.#judgeFiles(left, back);
    await this.#keep(left, keys, window);
  }

  /** Judges the files of which only that is known which is kept, as far back as they were read. */
  async judgeKept(paths: readonly string[]): Promise<void> {
    const known = [...new Set(paths)].filter(path => this.#edits.has(path) && !this.#files.get(path)![0]);
    const { rows } = await this.newest();
    for (const window of [rows, null]) {
      const read = window ? 'newest' : 'all';
      const some = known.filter(path => this.#read.get(path) === read);
      await this.#judgeFiles(some, sinceIn(window));
    }
  }

  /** Returns the files that have one of these names, or had it, judged with all of their histories. */
  async judged(paths: readonly string[]): Promise<readonly JudgedFile[]> {
    const fresh = this.#fresh(paths, null);
    await this.#judgeFiles(fresh, await this.#begin(fresh, {}));
    await this.judgeKept(paths);
    return this.at(paths);
  }

  /**
   * Finds what is kept of files under a name, each under all that its edits are judged from, and judges the others with all of
   * their histories.
   */
  async kept<T extends { edits: KeptEdits }>(what: string, paths: readonly string[]): Promise<KeptFiles<T>> {
    const { rows } = await this.newest();
    const keys = (await this.#keys(paths, rows)) ?? new Map<string, string>();
    const found = keys.size > 0 ? await this.#kept!.find<T>(what, keys) : new Map<string, T>();
    for (const [path, { edits }] of found) {
      this.#read.set(path, 'all');
      this.#files.set(path, []);
      this.#edits.set(path, new Map(edits));
    }
    const judged = await this.judged(paths.filter(path => !found.has(path)));
    const newest = new Set(rows.map(({ commit }) => commit));
    const fresh = await this.#editsAt(
      [...keys.keys()].filter(path => !found.has(path)),
      newest,
    );
    const keep = async (files: ReadonlyMap<string, Omit<T, 'edits'>>): Promise<void> => {
      const all = [...files].flatMap(([path, value]) => {
        const edits = fresh.get(path);
        return edits ? [[path, { ...value, edits }] as const] : [];
      });
      await this.#kept?.save(what, keys, new Map(all));
    };
    return { found, judged, keep };
  }

  async #keys(paths: readonly string[], window: Window): Promise<FileKeys | undefined> {
    return this.#kept && (await this.#rows.doFilesTell()) ? this.#kept.keys(paths, window) : undefined;
  }

  #fresh(paths: readonly string[], window: Window): string[] {
    const isRead = (path: string): boolean => {
      const read = this.#read.get(path);
      return read === 'all' || (read !== undefined && window !== null);
    };
    return [...new Set(paths)].filter(path => !isRead(path));
  }

  /** Forgets files that are to be read, and answers how far back that has to be. */
  async #begin(
    paths: readonly string[],
    asked: Pick<HistoryQuery, 'since'>,
  ): Promise<Pick<HistoryQuery, 'since'>> {
    if (paths.length === 0) return asked;
    const back = await sinceRejections(this.#snapshot, paths, asked);
    for (const path of paths) {
      this.#read.set(path, back.since ? 'newest' : 'all');
      this.#files.set(path, []);
      this.#edits.delete(path);
    }
    return back;
  }

  async #judgeFiles(paths: readonly string[], back: Pick<HistoryQuery, 'since'>): Promise<void> {
    if (paths.length === 0) return;
    // These are all files that ever had one of the names: they take the place of what was read of them before.
    const found = new Map<string, JudgedFile[]>();
    for (const file of await this.#judge.filesOf(paths, back))
      for (const name of file.history.names) found.set(name, [...(found.get(name) ?? []), file]);
    for (const [name, files] of found) {
      this.#files.set(name, files);
      if (this.#read.has(name)) this.#read.set(name, back.since ? 'newest' : 'all');
    }
  }

  /** Keeps what became of the edits of files that were judged, where there are many. */
  async #keep(paths: readonly string[], keys: FileKeys, window: Window): Promise<void> {
    const many = paths.filter(path => keys.has(path));
    if (many.length < this.#kept!.least) return;
    const isKnown = window !== null || !(await this.newest()).more;
    await this.#kept!.save(window ? 'newest' : 'all', keys, await this.#editsAt(many, null, isKnown));
  }

  /**
   * Tells what became of the edits of judged files, those of `commits` or all, where it is their texts alone that tell. A file
   * that ever had another name, or shared one, has none. `isKnown`: whether it is known which are ways back.
   */
  async #editsAt(
    paths: readonly string[],
    commits: ReadonlySet<string> | null,
    isKnown = true,
  ): Promise<Map<string, KeptEdits>> {
    const isBack = await this.isWayBack();
    const found = new Map<string, KeptEdits>();
    for (const path of paths) {
      const [file, other] = this.#files.get(path) ?? [];
      if (!file || other || file.history.names.length > 1 || !isToldByTexts(file)) continue;
      const edits: Array<[string, KeptEdit]> = [];
      for (const [commit, done] of file.fates) {
        if (commits && !commits.has(commit)) continue;
        const landed_in = await this.#judge.landedIn(commit, file.history.heads.get(commit), [file]);
        const open = isKnown ? { open: hasOpen(file.history.weave, commit, done, isBack) } : {};
        edits.push([commit, { ...statusOf(done), landed_in, ...open }]);
      }
      found.set(path, edits);
      this.#edits.set(path, new Map(edits));
    }
    return found;
  }
}
