/**
 * Files with edits taken out, or put there again, one after the other: the one calculation by which undo, redo and revert
 * are made and checked. Nothing is written.
 */

import type { ConflictRegion } from '../../errors.ts';
import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import type { Recorded } from '../steps.ts';
import type { TrailEntry } from '../walk.ts';
import { bytesOfRows, fileOfRows, type RowsFile, rowsOf } from './file-rows.ts';
import { isMark } from './status.ts';
import { type Direction, type Holding, TakeOut } from './take-out.ts';
import { type FileHistory, fileHistories, type HistoryQuery } from './versions.ts';
import type { WeaveStep, WovenRow } from './weave.ts';

/** A file as git would record it. `content`: `null` for what is no regular file. */
export type FileContent = NonNullable<Recorded> & { content: Uint8Array | null };

/** Places of a file that later steps hold. Lines are 1-based, of the file as it now is. */
export interface BlockedFile {
  path: string;
  regions: ConflictRegion[];
  /** The newest step first, as they are to be taken back: commits of one second have no order by their times. */
  by: Array<{ line: number; step: WeaveStep }>;
}

/** The result of taking one edit out: by path, the files that it changes (`null`: none is left), or what holds them. */
export interface TakenFiles {
  files: Map<string, FileContent | null>;
  held: BlockedFile[];
}

/** Text that no commit has yet, as a step. */
export const UNRECORDED = '';

export interface TakenFrom {
  objects: ObjectDatabase;
  query: HistoryQuery;
  /** The file as git would record it now. */
  present(path: string): Promise<FileContent | null>;
}

interface OpenFile {
  history: FileHistory;
  takeOut: TakeOut;
  now: FileContent | null;
}

export class FilesTaken {
  readonly #from: TakenFrom;
  #open: OpenFile[] = [];
  readonly #taken: Array<{ entry: TrailEntry; direction: Direction }> = [];

  constructor(from: TakenFrom) {
    this.#from = from;
  }

  /** True where a file was looked at whose history has this path. */
  knows(path: string): boolean {
    return this.#open.some(({ history }) => history.names.includes(path));
  }

  /** True where the path is one that a file of the edit had: it is not another file. */
  isOf(path: string, paths: readonly string[]): boolean {
    return this.#open.some(
      ({ history: { names } }) => names.at(-1) === path && names.some(one => paths.includes(one)),
    );
  }

  /** Notes an edit that was taken as a whole, without a look at what is in its files. */
  note(entry: TrailEntry, direction: Direction): void {
    this.#taken.push({ entry, direction });
  }

  /** Takes an edit out of all its files, or puts it there again; `null` where their histories do not have it. */
  async take(entry: TrailEntry, direction: Direction): Promise<TakenFiles | null> {
    const files = await this.#filesOf(entry);
    const about = files.filter(({ history }) => history.weave.steps.some(({ id }) => id === entry.commit));
    if (about.length === 0) return null;
    const found: TakenFiles = { files: new Map(), held: [] };
    for (const file of about) await this.#takeOne(file, entry.commit, direction, found);
    this.note(entry, direction);
    return found;
  }

  async #takeOne(file: OpenFile, id: string, direction: Direction, found: TakenFiles): Promise<void> {
    const { takeOut } = file;
    const before = takeOut.rows;
    const { changed, held } = takeOut.take(id, direction)!;
    if (held.length > 0) found.held.push(blockedFile(takeOut, held, direction, file));
    if (!changed) return;
    const [old, made] = [before, takeOut.rows].map(rows => fileOfRows(rows.map(({ token }) => token)));
    if (old && old.path !== made?.path) found.files.set(old.path, null);
    file.now = made ? await this.#content(made) : null;
    if (made) found.files.set(made.path, file.now);
  }

  async #content(file: RowsFile): Promise<FileContent> {
    const { objects } = this.#from;
    const { mode } = file;
    if ('oid' in file) {
      const isRegular = mode.startsWith('100');
      const content = isRegular ? (await objects.read(file.oid, 'blob')).content : null;
      return { mode, oid: file.oid, content };
    }
    const content = await bytesOfRows(file);
    return { mode, oid: await objects.codec.hash('blob', content), content };
  }

  /** The files of an edit, with all that was taken of them so far taken. */
  async #filesOf({ commit, meta }: TrailEntry): Promise<OpenFile[]> {
    const { objects, query } = this.#from;
    const paths = meta?.paths ?? [];
    const isKnown = this.#open.some(({ history }) => history.weave.steps.some(({ id }) => id === commit));
    if (!isKnown || !paths.every(path => this.knows(path))) {
      const names = new Set([...paths, ...this.#open.flatMap(({ history }) => history.names)]);
      const range = this.#taken.length === 0 ? { ...query, since: new Set([commit]) } : query;
      const histories = await fileHistories(objects, range, names);
      this.#open = await Promise.all(histories.map(history => this.#opened(history)));
    }
    return this.#open.filter(({ history }) => history.names.some(name => paths.includes(name)));
  }

  async #opened(history: FileHistory): Promise<OpenFile> {
    const { weave } = history;
    const path = history.names.at(-1)!;
    const now = await this.#from.present(path);
    const rows = now ? rowsOf(path, now, now.content) : [];
    const isRecorded =
      rows.length === weave.live.length && rows.every((token, at) => token === weave.live[at]!.token);
    if (!isRecorded) weave.step({ id: UNRECORDED, kind: 'outside' }, rows);
    const takeOut = new TakeOut(weave);
    for (const { entry, direction } of this.#taken) takeOut.take(entry.commit, direction);
    return { history, takeOut, now };
  }
}

function blockedFile(
  takeOut: TakeOut,
  held: readonly Holding[],
  direction: Direction,
  { history }: OpenFile,
): BlockedFile {
  const rows = takeOut.rows;
  const lineAt = (index: number): number => rows.slice(0, index).filter(row => !isMark(row)).length + 1;
  const textOf = (some: readonly WovenRow[]): string =>
    some
      .filter(row => !isMark(row))
      .map(({ token }) => `${token}\n`)
      .join('');
  const places = [...new Set(held.map(({ hunk }) => hunk))].map(hunk => {
    const { start, end } = takeOut.placeOf(hunk, held);
    const lines = { start_line: lineAt(start), end_line: lineAt(end) - 1 };
    const wanted = textOf(takeOut.sides(hunk, direction).back);
    return { hunk, region: { ...lines, present: textOf(rows.slice(start, end)), wanted } };
  });
  const order = new Map(history.weave.steps.map((step, at) => [step, at]));
  const newest = [...held].sort((a, b) => order.get(b.step)! - order.get(a.step)!);
  const by = newest.map(({ hunk, step, rows: inWay }) => {
    const [first] = inWay;
    const { region } = places.find(one => one.hunk === hunk)!;
    return { line: first ? lineAt(rows.indexOf(first)) : region.start_line, step };
  });
  return { path: history.names.at(-1)!, regions: places.map(({ region }) => region), by };
}
