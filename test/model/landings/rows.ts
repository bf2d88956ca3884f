/**
 * The files of the model as rows that stand once in a text at most: a name, a mode, and lines; or in place of lines one for
 * all of it, of a file that is no text. So that a row was in two texts is never guessed.
 */

import type { Held, Tree } from './place.ts';

export type Rows = readonly string[];

/** A file, by the names that it has in the course of a history; only one of them at a time. */
export const FILES = {
  a: ['a.txt', 'moved.txt'],
  crlf: ['b.txt'],
  made: ['n.txt'],
  binary: ['i.bin', 'j.bin'],
  other: ['z.txt'],
} as const;

export type FileName = keyof typeof FILES;

export const NAMES = Object.keys(FILES) as FileName[];

const [NAME, MODE, BLOB] = ['@name ', '@mode ', '@blob '] as const;

/** Stands for a last line without an end. */
export const NO_END = '@no line end';

export function rowsOf(path: string, held: Held): Rows {
  const marks = [NAME + path, MODE + held.mode];
  if (held.bytes.includes(0)) return [...marks, BLOB + Buffer.from(held.bytes).toString('hex')];
  const lines = Buffer.from(held.bytes).toString().split('\n');
  const last = lines.pop()!;
  return [...marks, ...lines, ...(last === '' ? [] : [last, NO_END])];
}

/** The path and what it holds; `null` for no file. */
export function fileOf(rows: Rows): [path: string, held: Held] | null {
  const told = (mark: string): string | undefined =>
    rows.find(row => row.startsWith(mark))?.slice(mark.length);
  const [path, mode, blob] = [told(NAME), told(MODE), told(BLOB)];
  if (path === undefined || mode === undefined) return null;
  if (blob !== undefined) return [path, { mode, bytes: Buffer.from(blob, 'hex') }];
  const lines = rows.filter(row => !row.startsWith('@'));
  const end = lines.length === 0 || rows.includes(NO_END) ? '' : '\n';
  return [path, { mode, bytes: Buffer.from(lines.join('\n') + end) }];
}

/** `null` where two of the names are there: then nobody can say which of them it is. */
export function rowsIn(tree: Tree, file: FileName): Rows | null {
  const there = FILES[file].filter(path => tree.has(path));
  if (there.length > 1) return null;
  return there.length === 0 ? [] : rowsOf(there[0]!, tree.get(there[0]!)!);
}

export const isMark = (row: string): boolean => row.startsWith('@');

export const isMode = (row: string): boolean => row.startsWith(MODE);

export const isLine = (row: string): boolean => !isMark(row);

/** Lines of a file, and what else it has. */
export function parted(rows: Rows): { marks: Rows; lines: Rows; open: boolean } {
  return {
    marks: rows.filter(row => row.startsWith(NAME) || row.startsWith(MODE)),
    lines: rows.filter(isLine),
    open: rows.includes(NO_END),
  };
}

export function joined({ marks, lines, open }: ReturnType<typeof parted>): Rows {
  return [...marks, ...lines, ...(open && lines.length > 0 ? [NO_END] : [])];
}

export function withMark(rows: Rows, kind: 'name' | 'mode', value: string): Rows {
  const mark = kind === 'name' ? NAME : MODE;
  return rows.map(row => (row.startsWith(mark) ? mark + value : row));
}
