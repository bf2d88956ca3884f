/** Files of which it is known what became of their edits: each is judged by its history (file-judge.ts), once. */

import { isWayBack } from '../../operations.ts';
import type { HistoryQuery } from '../../trail/history/versions.ts';
import { type TrailRow, walkRows } from '../../trail/walk.ts';
import type { Snapshot } from '../files/snapshot.ts';
import { sinceRejections } from '../rejections/open-rejections.ts';
import type { FileJudge, JudgedFile } from './file-judge.ts';

/** The commits that are read, newest first; `null`: all. */
export type Window = readonly TrailRow[] | null;

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

export class KnownFiles {
  readonly #snapshot: Snapshot;
  readonly #judge: FileJudge;
  /** By every name that a file had; a name may have been that of several files. */
  readonly #files = new Map<string, readonly JudgedFile[]>();
  /** By a file's name, how far back its histories were read. */
  readonly #read = new Map<string, 'newest' | 'all'>();
  #newest: ReturnType<typeof newestOf> | null = null;
  /** The ways back among the newest commits. */
  #back: ReadonlySet<string> | null = null;

  constructor(snapshot: Snapshot, judge: FileJudge) {
    this.#snapshot = snapshot;
    this.#judge = judge;
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

  /** Returns the files that were judged, by any name that they had. */
  at(paths: readonly string[]): readonly JudgedFile[] {
    if (paths.length === 1) return this.#files.get(paths[0]!) ?? [];
    return [...new Set(paths.flatMap(path => this.#files.get(path) ?? []))];
  }

  /** Returns the commits that changed one of the files, as far as they were read. */
  commitsIn(paths: readonly string[]): Set<string> {
    return new Set(this.at(paths).flatMap(({ fates }) => [...fates.keys()]));
  }

  /** Reads files as far back as the window goes, or all; of files of which as much was read, nothing. */
  async load(paths: readonly string[], window: Window): Promise<void> {
    const fresh = this.#fresh(paths, window);
    if (fresh.length > 0) await this.#judgeFiles(fresh, await this.#begin(fresh, sinceIn(window)));
  }

  /** Returns the files that have one of these names, or had it, judged with all of their histories. */
  async judged(paths: readonly string[]): Promise<readonly JudgedFile[]> {
    await this.load(paths, null);
    return this.at(paths);
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
    const back = await sinceRejections(this.#snapshot, paths, asked);
    for (const path of paths) {
      this.#read.set(path, back.since ? 'newest' : 'all');
      this.#files.set(path, []);
    }
    return back;
  }

  async #judgeFiles(paths: readonly string[], back: Pick<HistoryQuery, 'since'>): Promise<void> {
    // These are all files that ever had one of the names: they take the place of what was read of them before.
    const found = new Map<string, JudgedFile[]>();
    for (const file of await this.#judge.filesOf(paths, back))
      for (const name of file.history.names) found.set(name, [...(found.get(name) ?? []), file]);
    for (const [name, files] of found) {
      this.#files.set(name, files);
      if (this.#read.has(name)) this.#read.set(name, back.since ? 'newest' : 'all');
    }
  }
}
