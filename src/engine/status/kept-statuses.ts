/**
 * Tells which files are as they were when their edits were judged last (status-index.ts). The key of a file names all that
 * its edits are judged from: the newest commit of the trail that is about it and with it all below, HEAD, the file, its
 * encodings, and the rejections that are known here.
 *
 * Keeps nothing of a file whose edits are judged from more than that: of one that was renamed or has rejected text, or whose
 * edits stashes or other branches may hold; and nothing where the files are elsewhere, or in a shallow clone.
 */

import { utf8 } from '../../bytes.ts';
import { isSync } from '../../operations.ts';
import { encodingOf } from '../../text/document.ts';
import { encodingAt } from '../../trail/history/file-rows.ts';
import type { HistoryQuery } from '../../trail/history/versions.ts';
import { type TrailRow, walkRows } from '../../trail/walk.ts';
import type { Snapshot } from '../files/snapshot.ts';
import { historyQuery } from '../rejections/open-rejections.ts';
import type { PresentRows } from './present-rows.ts';
import type { StatusIndex } from './status-index.ts';

/** By path. */
export type FileKeys = ReadonlyMap<string, string>;

/** The commits that are read, newest first; `null`: all. */
export type Window = readonly TrailRow[] | null;

export class KeptStatuses {
  readonly #snapshot: Snapshot;
  readonly #rows: PresentRows;
  readonly #index: StatusIndex | null;
  /** The number of files from which on it is worth to keep them. */
  readonly least: number;

  constructor(snapshot: Snapshot, rows: PresentRows) {
    this.#snapshot = snapshot;
    this.#index = snapshot.context.statuses;
    this.least = this.#index?.least ?? Number.POSITIVE_INFINITY;
    this.#rows = rows;
  }

  /** Returns the keys of the files that can be kept; of few files it is not worth it, and there are none. */
  async keys(paths: readonly string[], window: Window): Promise<FileKeys> {
    const { context, trail } = this.#snapshot;
    const { objects } = context;
    if (paths.length < this.least || (await objects.isShallow())) return NONE;
    const shared = await this.#shared(window);
    const newest = await newestAbout(objects, historyQuery(this.#snapshot), new Set(paths));
    const oldest = new Map<string, string>();
    for (const row of window ?? []) for (const path of aboutOf(row, newest)) oldest.set(path, row.commit);
    const keys = new Map<string, string>();
    for (const [path, commit] of newest) {
      const file = await this.#rows.held(path);
      if (file === undefined) continue;
      // A file that is not in the encoding that it is declared to have is recorded as it is, and read otherwise.
      const held = file && `${file.mode} ${file.version} ${encodingOf(file.bytes).name}`;
      // The commit that joins a HEAD that moved is made anew each time: its tree says what it holds.
      const about = commit === trail.tip || commit !== trail.parent ? commit : `${trail.tip} ${trail.tree}`;
      keys.set(path, [shared, about, oldest.get(path), held, await encodingAt(objects, path)].join(' '));
    }
    return keys;
  }

  /** `what`: a name for what is kept. */
  async find<T>(what: string, keys: FileKeys): Promise<Map<string, T>> {
    const found = new Map<string, T>();
    for (const [path, key] of keys) {
      const value = await this.#index!.find<T>(this.#view(what), path, key);
      if (value) found.set(path, value);
    }
    return found;
  }

  async save(what: string, keys: FileKeys, files: ReadonlyMap<string, unknown>): Promise<void> {
    if (files.size < this.least) return;
    const all = [...files].map(([path, value]) => [path, { key: keys.get(path)!, value }] as const);
    await this.#index!.save(this.#view(what), new Map(all));
  }

  /** Each work tree has files of its own. */
  #view(what: string): string {
    const { context, trail } = this.#snapshot;
    return `${context.repo.gitDir} ${trail.ref} ${what}`;
  }

  async #shared(window: Window): Promise<string> {
    const { context, trail } = this.#snapshot;
    const rejections = (await context.rejections.all()).map(({ commit, ended }) => [
      commit,
      ...[...ended].sort(),
    ]);
    const shared = [trail.head, window?.at(-1)?.head, rejections];
    return context.codec.hash('blob', utf8(JSON.stringify(shared)));
  }
}

const NONE: FileKeys = new Map();

/** The wanted paths that a commit is about: all, where it brings HEAD or is not the engine's. */
function aboutOf(
  row: TrailRow,
  wanted: { has(path: string): boolean; keys(): Iterable<string> },
): Iterable<string> {
  if (row.op === null || isSync(row.op)) return wanted.keys();
  return row.paths.filter(path => wanted.has(path));
}

/** Finds by path the newest commit that is about it. */
async function newestAbout(
  objects: Snapshot['context']['objects'],
  { tip, ownOnly }: HistoryQuery,
  wanted: ReadonlySet<string>,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for await (const rows of walkRows(objects, tip, { ownOnly })) {
    for (const row of rows)
      for (const path of aboutOf(row, wanted)) if (!found.has(path)) found.set(path, row.commit);
    if (found.size === wanted.size) break;
  }
  return found;
}
