/** A file as rows of a weave: one for its name, one for its mode, and its lines; and a file told by such rows. */

import { LruCache } from '../../git/objects/lru.ts';
import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { lookup } from '../../git/objects/tree.ts';
import type { Token } from '../../text/diff/alignment.ts';
import { isText, textFile } from '../../text/document.ts';
import { lineBreakOf } from '../../text/lines.ts';
import type { Recorded } from '../steps.ts';

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
const HELD = 32 * 1024 * 1024;
const heldRows = new WeakMap<ObjectDatabase, LruCache<string, readonly Token[]>>();

/** As many characters as a row takes besides its own. */
const EACH = 32;
const sizeOf = (rows: readonly Token[]): number => rows.reduce((sum, row) => sum + row.length + EACH, EACH);

/** Reads a path's content as rows; none where nothing is there. Nobody may change the list. */
export async function recordedRows(
  objects: ObjectDatabase,
  path: string,
  held: Recorded,
): Promise<readonly Token[]> {
  if (held === null) return [];
  const all = heldRows.get(objects) ?? new LruCache<string, readonly Token[]>(HELD, sizeOf);
  heldRows.set(objects, all);
  const name = `${held.oid} ${held.mode} ${path}`;
  const known = all.get(name);
  if (known) return known;
  const content = held.mode.startsWith('100') ? (await objects.read(held.oid, 'blob')).content : null;
  const rows = rowsOf(path, held, content);
  all.set(name, rows);
  return rows;
}

/** Stands for a text whose last line has no end. No letters: it tells nothing of where a line came from. */
const NO_FINAL_END = '\0\\';

/** Other rows that stand for something else than a line. */
const [NAME, MODE, BLOB, BOM, CR] = ['\0name ', '\0mode ', '\0blob ', '\0bom', '\0cr'] as const;

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
  // A NUL begins a row that is no line.
  if (content === null || content.includes(0) || !isText(content, oid)) return [...marks, `${BLOB}${oid}`];
  const { text, bom } = textFile(path, content, oid);
  const lineBreak = lineBreakOf(text);
  if (bom) marks.push(BOM);
  if (text === '') return marks;
  if (lineBreak === '\r') marks.push(CR);
  const lines = text.split(lineBreak);
  if (lines.at(-1) === '') lines.pop();
  else lines.push(NO_FINAL_END);
  return [...marks, ...lines];
}

/** A file as its rows tell it: a text, or the id of a content that is none. */
export type ToldFile = { path: string; mode: string } & ({ text: string } | { oid: string });

/** The file with these rows; `null` for none. `undefined`: rows of a file that is not there, because nothing made it. */
export function fileOfRows(rows: readonly Token[]): ToldFile | null | undefined {
  if (rows.length === 0) return null;
  const path = markOf(rows, NAME);
  const mode = markOf(rows, MODE);
  if (path === undefined || mode === undefined) return undefined;
  const oid = markOf(rows, BLOB);
  if (oid !== undefined) return { path, mode, oid };
  const lines = rows.filter(row => !row.startsWith('\0'));
  const lineBreak = rows.includes(CR) ? '\r' : '\n';
  const end = rows.at(-1) === NO_FINAL_END || lines.length === 0 ? '' : lineBreak;
  return { path, mode, text: (rows.includes(BOM) ? '\ufeff' : '') + lines.join(lineBreak) + end };
}

function markOf(rows: readonly Token[], mark: string): string | undefined {
  return rows.find(row => row.startsWith(mark))?.slice(mark.length);
}
