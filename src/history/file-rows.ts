/** A file as rows of a weave: one for its name, one for its mode, and its lines; and a file told by such rows. */

import { LruCache } from '../git/objects/lru.ts';
import type { ObjectDatabase } from '../git/objects/object-database.ts';
import { lookup } from '../git/objects/tree.ts';
import type { Token } from '../text/diff/alignment.ts';
import { encodeText, encodingOf, textFile, textOrNull } from '../text/document.ts';
import { encodingNamed, UTF8 } from '../text/encodings.ts';
import { lineBreakOf } from '../text/lines.ts';
import type { Recorded } from './steps.ts';

/** The rows of the file in a tree, under the newest of its names that is there. */
export async function rowsInTree(
  objects: ObjectDatabase,
  tree: string | null,
  names: readonly string[],
): Promise<readonly Token[]> {
  for (const name of tree === null ? [] : [...names].reverse()) {
    const held = await lookup(objects, tree!, name);
    if (held && held.mode !== '40000') return recordedRows(objects, name, held);
  }
  return [];
}

/** Characters of texts that are held as rows: many questions about one file read the same versions. */
const CACHED = 32 * 1024 * 1024;
const NOTHING = new Uint8Array();
const cachedRows = new WeakMap<ObjectDatabase, LruCache<string, readonly Token[]>>();

/** The number of characters that a row takes besides its own. */
const EACH = 32;
const sizeOf = (rows: readonly Token[]): number => rows.reduce((sum, row) => sum + row.length + EACH, EACH);

/** Reads a path's content as rows; none where nothing is there. Nobody may change the list. */
export async function recordedRows(
  objects: ObjectDatabase,
  path: string,
  held: Recorded,
): Promise<readonly Token[]> {
  if (held === null) return [];
  const all = cachedRows.get(objects) ?? new LruCache<string, readonly Token[]>(CACHED, sizeOf);
  cachedRows.set(objects, all);
  // They are read otherwise where another encoding is declared meanwhile.
  const encoding = await encodingAt(objects, path);
  const name = `${held.oid} ${held.mode} ${encoding} ${path}`;
  const known = all.get(name);
  if (known) return known;
  const content = held.mode.startsWith('100') ? await objects.file(path, held.oid) : null;
  const rows = rowsOf(path, held, content);
  all.set(name, rows);
  return rows;
}

/** Returns the name of the encoding that is declared for a path now. */
async function encodingAt(objects: ObjectDatabase, path: string): Promise<string> {
  return encodingOf((await objects.ofPath?.(path, NOTHING)) ?? NOTHING).name;
}

/** Stands for a text whose last line has no end. No letters: it tells nothing of where a line came from. */
const NO_FINAL_END = '\0\\';

/** Other rows that stand for something else than a line. */
const [NAME, MODE, BLOB, BOM, CR, ENCODING] = [
  '\0name ',
  '\0mode ',
  '\0blob ',
  '\0bom',
  '\0cr',
  '\0encoding ',
] as const;

/**
 * A file as rows: one for its name, one for its mode, and its lines without their ends; or in place of lines one for all of
 * it, where it is no text, or no regular file (`content`: `null`).
 */
export function rowsOf(
  path: string,
  { mode, oid }: NonNullable<Recorded>,
  content: Uint8Array | null,
): Token[] {
  const marks = [`${NAME}${path}`, `${MODE}${mode}`];
  const blob = [...marks, `${BLOB}${oid}`];
  const file = content && textFile(path, content, oid);
  const text = file && textOrNull(file);
  // A NUL begins a row that is no line.
  if (text === null || text.includes('\0')) return blob;
  const { bom, encoding } = file!;
  if (encoding !== UTF8) marks.push(`${ENCODING}${encoding.name}`);
  const lineBreak = lineBreakOf(text);
  if (bom) marks.push(BOM);
  if (text === '') return marks;
  if (lineBreak === '\r') marks.push(CR);
  const lines = text.split(lineBreak);
  if (lines.at(-1) === '') lines.pop();
  else lines.push(NO_FINAL_END);
  return [...marks, ...lines];
}

/** True for the rows of a file that is UTF-8, whatever is declared; of a file that is no text, nobody can tell. */
export function isUtf8(rows: readonly Token[]): boolean {
  return !rows.slice(0, MARKS).some(row => row.startsWith(BLOB) || row.startsWith(ENCODING));
}

/** Returns what all lines of a text end with, as far as rows hold that: `\r` of CRLF; `null`: they differ, or there are none. */
export function endOf(rows: readonly Token[]): '' | '\r' | null {
  const lines = endedLines(rows);
  const withCr = lines.filter(isCrLf).length;
  return lines.length === 0 ? null : withCr === lines.length ? '\r' : withCr === 0 ? '' : null;
}

/** The rows with one end for all lines. */
export function withEnd(rows: readonly Token[], end: '' | '\r'): Token[] {
  const last = rows.at(-1) === NO_FINAL_END ? rows.length - 2 : rows.length;
  return rows.map((row, at) => (isLine(row) && at !== last ? row.replace(/\r?$/, end) : row));
}

const isCrLf = (row: Token): boolean => row.endsWith('\r');

function endedLines(rows: readonly Token[]): readonly Token[] {
  const lines = rows.filter(isLine);
  return rows.at(-1) === NO_FINAL_END ? lines.slice(0, -1) : lines;
}

/** No file begins with more rows that are no lines. */
export const MARKS = 5;

/** True for the row of a name. */
export const isName = (row: Token): boolean => row.startsWith(NAME);

/** True for a row that is a line, and no mark: of those a NUL is the first character. */
export const isLine = (row: Token): boolean => !row.startsWith('\0');

/** The path that rows tell, and the blob of a file that is no text, without its text. */
export function marksOf(rows: readonly Token[]): { path: string | undefined; blob: string | undefined } {
  const marks = rows.slice(0, MARKS);
  return { path: markOf(marks, NAME), blob: markOf(marks, BLOB) };
}

/** A file as its rows tell it: a text, or the id of a content that is none. */
export type RowsFile = RowsText | { path: string; mode: string; oid: string };

/** `encoding`: the name of one that is not UTF-8. */
interface RowsText {
  path: string;
  mode: string;
  text: string;
  encoding?: string;
}

/** The file with these rows; `null` for none. `undefined`: rows of a file that is not there, because nothing made it. */
export function fileOfRows(rows: readonly Token[]): RowsFile | null | undefined {
  if (rows.length === 0) return null;
  const path = markOf(rows, NAME);
  const mode = markOf(rows, MODE);
  if (path === undefined || mode === undefined) return undefined;
  const oid = markOf(rows, BLOB);
  if (oid !== undefined) return { path, mode, oid };
  const lines = rows.filter(isLine);
  const lineBreak = rows.includes(CR) ? '\r' : '\n';
  const end = rows.at(-1) === NO_FINAL_END || lines.length === 0 ? '' : lineBreak;
  const encoding = markOf(rows, ENCODING);
  const text = (rows.includes(BOM) ? '\ufeff' : '') + lines.join(lineBreak) + end;
  return { path, mode, text, ...(encoding === undefined ? {} : { encoding }) };
}

/** The bytes of a file that rows tell, as git would record them. Throws ENCODING. */
export async function bytesOfRows({ path, text, encoding }: RowsText): Promise<Uint8Array> {
  const named = encoding === undefined ? null : await encodingNamed(encoding);
  return encodeText(text, false, named?.encoding, path);
}

function markOf(rows: readonly Token[], mark: string): string | undefined {
  return rows.find(row => row.startsWith(mark))?.slice(mark.length);
}
