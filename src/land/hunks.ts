/** The places of a landing, one by one, so that somebody can choose among them (`land -p`), and what was accepted of a file. */

import { utf8 } from '../bytes.ts';
import type { Context } from '../engine/context.ts';
import type { Codec } from '../git/objects/object.ts';
import { isLine, rowsOf } from '../history/file-rows.ts';
import type { ChosenPart } from '../line/landing.ts';
import { lastText, type Row } from '../line/row.ts';
import type { HunkText } from '../review/listing.ts';
import { OpenFiles } from '../review/open-files.ts';
import { openReview } from '../review/review.ts';
import type { Token } from '../text/diff/alignment.ts';

export interface LandHunk {
  /** Names it, for as long as the branch and its text stay. */
  id: string;
  path: string;
  /** The change of the file itself, as `new file`; '' where only lines change. */
  about: string;
  /** The text that the branch has there, and the text that it would have. */
  before: HunkText;
  after: HunkText;
  /** Up to 3 common lines on each side. */
  context: { above: string[]; below: string[] };
}

const CONTEXT = 3;

/** The text of a row; `null`: it has none. */
type TextOf = (row: Row) => Token | null;

/** Shows the places of a file. `rows`: all of it, in order; `head` and `result`: the texts that they have on the branch, and would have. */
export class LandHunks {
  readonly #codec: Codec;
  readonly #path: string;
  readonly #head: TextOf;
  readonly #result: TextOf;
  readonly #lines: readonly Row[];
  readonly #places: ReadonlyMap<Row, number>;
  readonly #before: readonly number[];
  readonly #after: readonly number[];

  constructor(codec: Codec, path: string, rows: readonly Row[], head: TextOf, result: TextOf) {
    this.#codec = codec;
    this.#path = path;
    this.#head = head;
    this.#result = result;
    this.#lines = rows.filter(isOfLine);
    this.#places = new Map(this.#lines.map((row, at) => [row, at]));
    this.#before = numbersIn(this.#lines, head);
    this.#after = numbersIn(this.#lines, result);
  }

  /** Returns a place as it is shown; `null` where the branch has it so. */
  async hunkOf(own: Pick<ChosenPart, 'rows' | 'texts'>): Promise<LandHunk | null> {
    const [path, head, result] = [this.#path, this.#head, this.#result];
    const changed = own.rows.filter(row => head(row) !== own.texts.get(row));
    if (changed.length === 0) return null;
    const lines = changed.filter(isOfLine);
    const at = lines.map(row => this.#places.get(row)!).sort((a, b) => a - b);
    const before = { line: this.#before[at[0] ?? 0] ?? 1, lines: textsOf(lines, head) };
    const after = { line: this.#after[at[0] ?? 0] ?? 1, lines: textsOf(lines, result) };
    const context = { above: this.#beside(at[0], -1).reverse(), below: this.#beside(at.at(-1), 1) };
    const about = aboutOf(
      changed.filter(row => !isOfLine(row)),
      head,
    );
    const name = utf8(JSON.stringify([path, about, before, after.lines]));
    return { id: (await this.#codec.sha1(name)).slice(0, 12), path, about, before, after, context };
  }

  /** The lines above a place, the nearest first, or below it; none where only the file itself changes. */
  #beside(place: number | undefined, step: 1 | -1): string[] {
    const found: string[] = [];
    for (let at = (place ?? -2) + step; this.#lines[at] && found.length < CONTEXT; at += step)
      found.push(...textsOf([this.#lines[at]!], this.#result));
    return found;
  }
}

/** By row, the number that a line has there, from 1. */
function numbersIn(lines: readonly Row[], text: TextOf): number[] {
  let number = 1;
  return lines.map(row => (text(row) === null ? number : number++));
}

const isOfLine = (row: Row): boolean => isLine(lastText(row));

function textsOf(rows: readonly Row[], text: TextOf): string[] {
  return rows.flatMap(row => text(row) ?? []);
}

/** Tells what becomes of a file's name, mode and bytes. */
function aboutOf(marks: readonly Row[], head: TextOf): string {
  const told = (mark: string, isOld: boolean): string | undefined =>
    marks
      .filter(row => (head(row) !== null) === isOld)
      .map(lastText)
      .find(text => text.startsWith(`\0${mark} `))
      ?.slice(mark.length + 2);
  const [to, from] = [told('name', false), told('name', true)];
  const [mode, bytes] = [told('mode', false), told('blob', false)];
  if (to !== undefined)
    return from === undefined ? `new file${mode === '100755' ? ', executable' : ''}` : `renamed from ${from}`;
  if (from !== undefined) return 'deleted file';
  if (mode !== undefined) return `mode ${mode}`;
  return bytes === undefined ? '' : 'binary';
}

/** Returns the accepted text of each file of which something is not accepted, as rows, by its path in the trail. */
export async function acceptedRows(context: Context): Promise<Map<string, Token[]>> {
  const files = await (await OpenFiles.open(await openReview(context, undefined))).unreviewed();
  return new Map(
    files
      .filter(({ hunks }) => hunks.length > 0)
      .map(({ path, accepted: { file } }) => [
        path,
        file ? rowsOf(path, { mode: file.mode, oid: file.version }, file.bytes) : [],
      ]),
  );
}
