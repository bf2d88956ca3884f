/** Finds who put each line of a file in, as the weaves of a history say at any of its commits. */

import type { ObjectDatabase } from '../git/objects/object-database.ts';
import { isLine, marksOf, recordedRows } from '../history/file-rows.ts';
import { isAgents } from './event.ts';
import { type LineFile, type LineFiles, lineFiles } from './files.ts';
import { type FirstPlace, type LinePlace, lastText, putBy, type Row, textAfter, wasInHead } from './row.ts';
import type { Weave } from './weave.ts';

/** A commit that has a line. */
export interface Writer extends LinePlace {
  /** True for the event that put it in; false for a commit of HEAD's, or one below all that was read, which may have it from others. */
  isEvent: boolean;
  /** The first HEAD that had the line, where nobody edited it in: somebody typed it, or a command brought it. */
  head?: LinePlace | undefined;
}

interface FilesRead extends Pick<LineFiles, 'files' | 'named' | 'inHistory' | 'heads'> {
  paths: ReadonlySet<string>;
}

/** The most texts of one file whose lines are held with their numbers. */
const MOST_NUMBERED = 32;

export class LineWriters {
  readonly #objects: ObjectDatabase;
  readonly #tip: string | null;
  readonly #ownOnly: boolean;
  readonly #paths: readonly string[];
  readonly #read: FilesRead[] = [];
  readonly #marks = new Map<LineFile, readonly Row[]>();
  readonly #numbers = new Map<LineFile, Map<number, ReadonlyMap<Row, number>>>();

  /** `tip`: the newest commit of the history; `paths`: those that will be asked for at first. */
  constructor(objects: ObjectDatabase, tip: string | null, ownOnly: boolean, paths: readonly string[]) {
    this.#objects = objects;
    this.#tip = tip;
    this.#ownOnly = ownOnly;
    this.#paths = paths;
  }

  /** The writers of the lines that a commit of a history has in a file, in order; `null` where its weave is not about that. */
  async of(commit: string, { path, blob }: { path: string; blob: string }): Promise<Writer[] | null> {
    const read = await this.#filesOf(commit, path);
    const at = read.named.get(commit)?.at;
    const file = read.files.find(one => at !== undefined && this.#nameAt(one, at) === path);
    if (!file) return null;
    const rows = [...this.#numbersAt(file, at!).keys()];
    const held = await recordedRows(this.#objects, path, { mode: '100644', oid: blob });
    const lines = held.filter(isLine);
    const isSame = rows.length === lines.length && rows.every((row, n) => textAfter(row, at!) === lines[n]);
    return isSame ? rows.map(row => this.#writerOf(read, file, row)) : null;
  }

  /**
   * The edits that put lines in which a commit of HEAD's has in a file, by the line (1-based): a person may have committed what
   * was open, and the file may stand under another name since.
   */
  async ofHead(commit: string, { path, blob }: { path: string; blob: string }): Promise<Map<number, Writer>> {
    const found = new Map<number, Writer>();
    const read = this.#read[0] ?? (this.#tip === null ? null : await this.#filesOf(this.#tip, path));
    const at = read?.heads.find(head => head.commit === commit)?.at;
    if (!read || at === undefined) return found;
    const lines = (await recordedRows(this.#objects, path, { mode: '100644', oid: blob })).filter(isLine);
    for (const file of read.files) {
      if (this.#nameAt(file, at) !== path) continue;
      const rows = file.weave.rows().filter(row => wasInHead(row, at) && isLine(lastText(row)));
      if (rows.length !== lines.length) continue;
      for (const [n, row] of rows.entries())
        if (isAgents(putBy(row)) && putBy(row).at <= at) found.set(n + 1, this.#writerOf(read, file, row));
    }
    return found;
  }

  async #filesOf(commit: string, path: string): Promise<FilesRead> {
    const known = this.#read.find(({ named, paths }) => named.has(commit) && paths.has(path));
    if (known) return known;
    const paths = new Set(this.#read.length === 0 ? [path, ...this.#paths] : [path]);
    const query = { tip: commit, ownOnly: this.#ownOnly };
    const { files, named, inHistory, heads } = await lineFiles(this.#objects, query, paths);
    const read = { files, named, inHistory, heads, paths };
    this.#read.push(read);
    return read;
  }

  #writerOf({ inHistory }: FilesRead, file: LineFile, row: Row): Writer {
    const event = putBy(row);
    const isHead = event.kind === 'head' || event.at < 0;
    const place = isHead ? placeOf(row, inHistory) : inHistory.get(row);
    // What a step of HEAD brought, and HEAD got only later, is of what that step joined.
    if (isHead && place && place.at <= event.at) return { ...place, isEvent: false };
    const numberIn = (): number => this.#numbersAt(file, event.at).get(row) ?? 1;
    return {
      commit: event.id,
      path: this.#nameAt(file, event.at) ?? file.names.at(-1)!,
      get line() {
        return numberIn();
      },
      isEvent: true,
      ...(event.kind === 'outside' && { head: place }),
    };
  }

  /** The path of a file after an event. */
  #nameAt(file: LineFile, at: number): string | undefined {
    const marks = this.#marks.get(file) ?? file.weave.rows().filter(row => !isLine(lastText(row)));
    this.#marks.set(file, marks);
    return marksOf(marks.map(row => textAfter(row, at)).filter(text => text !== null)).path;
  }

  /** The rows of the lines that a file had after an event, in order, each with its number from 1. */
  #numbersAt(file: LineFile, at: number): ReadonlyMap<Row, number> {
    const known = this.#numbers.get(file) ?? new Map<number, ReadonlyMap<Row, number>>();
    this.#numbers.set(file, known);
    const numbers = known.get(at) ?? new Map(linesAt(file.weave, at).map((row, n) => [row, n + 1]));
    if (known.size >= MOST_NUMBERED) known.clear();
    known.set(at, numbers);
    return numbers;
  }
}

/** Finds the place of a row; of one that a formatter split off another one, that one's. */
function placeOf(row: Row, places: ReadonlyMap<Row, FirstPlace>): FirstPlace | undefined {
  for (let one: Row | null = row; one && putBy(one) === putBy(row); one = one.previous) {
    const place = places.get(one);
    if (place) return place;
  }
  return undefined;
}

function linesAt(weave: Weave, at: number): Row[] {
  return weave.rows().filter(row => {
    const text = textAfter(row, at);
    return text !== null && isLine(text);
  });
}
