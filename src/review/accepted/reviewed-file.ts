/** A file of a review: its accepted and its present text, with the rows of the weave behind the lines of both. */

import type { Compared } from '../../engine/rejections/compare.ts';
import { type Side, same, side } from '../../engine/rejections/side.ts';
import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { acceptedText } from '../../line/accepted.ts';
import type { LineEvent } from '../../line/event.ts';
import type { LineFile } from '../../line/files.ts';
import { type Row, textOf } from '../../line/row.ts';
import type { Token } from '../../text/diff/alignment.ts';
import { splitLines } from '../../text/diff/line-diff.ts';
import { lineBreakOf } from '../../text/lines.ts';
import { bytesOfRows, fileOfRows, isLine, marksOf } from '../../trail/history/file-rows.ts';
import { placesIn, type RowSpan } from '../hunks/parts.ts';

/** A file that was renamed since it was accepted is two: one that went, and one that came. */
export interface ReviewedFile {
  /** As the trail records it, and as the workspace names it. */
  path: string;
  name: string;
  line: LineFile;
  accepted: Side;
  present: Side;
  /** `null` where it can only be taken as a whole. */
  compared: Compared | null;
  /** The rows of each change of `compared`; of the file as a whole, all. */
  changed: Row[][];
  /** The rows of the lines of both texts, in order. */
  rows: { old: readonly Row[]; now: readonly Row[] };
}

export const NO_FILE: Side = { file: null, text: '' };

/** A text that rows tell, at the path that they tell; `null` for no file. */
export async function sideOfRows(
  objects: ObjectDatabase,
  rows: readonly Token[],
): Promise<{ path: string; side: Side } | null> {
  const made = fileOfRows(rows);
  if (!made) return null;
  const { path, mode } = made;
  if (!('oid' in made)) {
    const file = { bytes: await bytesOfRows(made), mode: mode as '100644', version: '' };
    return { path, side: { file, text: made.text } };
  }
  const { content } = await objects.read(made.oid, 'blob');
  return { path, side: side({ bytes: content, mode: mode as '100644', version: made.oid }) };
}

/** The text that a mark may hold: what nobody recorded yet is accepted when it is. */
export function recordedText({ weave }: LineFile): Token[] {
  return acceptedText(weave, isUnrecorded);
}

const isUnrecorded = ({ id, at }: LineEvent): boolean => id === '' && at >= 0;

/** `path`: of the present file, or of the one that went. */
export async function reviewedFiles(
  objects: ObjectDatabase,
  line: LineFile,
  present: { path: string; side: Side },
  nameOf: (path: string) => string | null,
): Promise<ReviewedFile[]> {
  const accepted = await sideOfRows(objects, acceptedText(line.weave)).catch(ifLost);
  // No review shows a link.
  if (accepted?.side.file?.mode === LINK) return [];
  const { path } = present;
  const isMoved = accepted !== null && accepted.path !== path && present.side.file !== null;
  const files = [
    fileAt(
      line,
      path,
      accepted && !isMoved && accepted.path === path ? accepted.side : NO_FILE,
      present.side,
    ),
    ...(accepted && accepted.path !== path ? [fileAt(line, accepted.path, accepted.side, NO_FILE)] : []),
  ];
  return files.flatMap(file => {
    const name = nameOf(file.path);
    return name === null || same(file.accepted, file.present) ? [] : [{ ...file, name }];
  });
}

const LINK: string = '120000';

/** Objects of what was accepted may be gone: the file stands for itself then. */
function ifLost(): null {
  return null;
}

function fileAt(line: LineFile, path: string, accepted: Side, present: Side): Omit<ReviewedFile, 'name'> {
  const all = line.weave.rows();
  const old = accepted.file ? linesOf(all, ({ accepted: text }) => text) : [];
  const now = present.file ? linesOf(all, textOf) : [];
  const about = { path, line, accepted, present, rows: { old, now } };
  const found = isWhole(accepted, present) ? null : compared(all, about);
  return found ? { ...about, ...found } : { ...about, compared: null, changed: [all] };
}

const linesOf = (rows: readonly Row[], text: (row: Row) => Token | null): Row[] =>
  rows.filter(row => isLine(text(row) ?? '\0'));

/** A file that goes or is no text is reviewed as a whole; so is one of which the mode alone changed. */
function isWhole(accepted: Side, present: Side): boolean {
  if (accepted.text === null || present.text === null || !present.file) return true;
  return accepted.text === present.text;
}

/** Compares both texts by their rows; `null` where their lines end otherwise. */
function compared(
  all: readonly Row[],
  { accepted, present, rows }: Pick<ReviewedFile, 'accepted' | 'present' | 'rows'>,
): Pick<ReviewedFile, 'compared' | 'changed'> | null {
  const lineBreak = lineBreakOf(present.text!);
  const [old, now] = [splitLines(accepted.text!, lineBreak), splitLines(present.text!, lineBreak)];
  if (old.length !== rows.old.length || now.length !== rows.now.length) return null;
  const shown = all.filter(row => row.log.length > 0 && isText(row));
  if (!accepted.file) {
    const whole = { oldStart: 0, oldEnd: 0, newStart: 0, newEnd: now.length };
    return { compared: { old, now, changes: [whole], lineBreak }, changed: [[...all]] };
  }
  const [oldAt, nowAt] = [counts(shown, row => row.accepted), counts(shown, textOf)];
  const spans = placesIn(shown).map(span => withLine(shown, span));
  const changed = spans.map(({ from, to }) => shown.slice(from, to));
  const changes = spans.map(({ from, to }) => ({
    ...{ oldStart: oldAt[from]!, oldEnd: oldAt[to]! },
    ...{ newStart: nowAt[from]!, newEnd: nowAt[to]! },
  }));
  return { compared: { old, now, changes, lineBreak }, changed };
}

/** Lines, and what stands for a byte order mark or for a last line without its end. */
const isText = ({ log }: Row): boolean =>
  log.some(({ text }) => text !== null && (isLine(text) || text === '\0bom' || text === '\0\\'));

/** A mark is shown with the line that it is about. */
function withLine(rows: readonly Row[], { from, to }: RowSpan): RowSpan {
  const has = (row: Row): boolean => isLine(row.accepted ?? '\0') || isLine(textOf(row) ?? '\0');
  if (rows.slice(from, to).some(has)) return { from, to };
  const before = rows.slice(0, from).findLastIndex(row => isLine(textOf(row) ?? '\0'));
  const after = rows.findIndex((row, at) => at >= to && isLine(textOf(row) ?? '\0'));
  return before >= 0 ? { from: before, to } : { from, to: after < 0 ? to : after + 1 };
}

/** For each row the number of lines before it in a text. */
function counts(rows: readonly Row[], text: (row: Row) => Token | null): number[] {
  let count = 0;
  return [0, ...rows.map(row => (isLine(text(row) ?? '\0') ? ++count : count))];
}

/** The path that rows say the file has now, or had. */
export function pathOf({ weave, names }: LineFile): string {
  return marksOf(weave.text).path ?? names.at(-1)!;
}
