/**
 * Finds rejected text that stands in a file again. Its place is the gap between the nearest lines that the rejection left and
 * that are still there; blanks at the ends of lines, and empty lines, do not count. Lines that the rejection put back are
 * gone again where their gap holds nothing.
 */

import type { Context } from '../engine/context.ts';
import { hearsOfAgents } from '../engine/origins/event-folder.ts';
import { isPersons } from '../engine/rejections/people.ts';
import { placeName, type Rejection } from '../engine/rejections/rejection-book.ts';
import type { LineFile } from '../line/files.ts';
import { placesIn } from '../line/places.ts';
import { isIn, lastText, type Row, textAfter, textOf } from '../line/row.ts';
import { isOutside } from '../operations.ts';
import { isLine } from '../trail/history/file-rows.ts';
import { readEntryOrNull } from '../trail/walk.ts';

export interface RejectedText {
  rejection: Rejection;
  /** The rows that the file has, or lacks, against the rejection. */
  rows: ReadonlySet<Row>;
  /** The first line of it in the file, 1-based, and the lines; none of lines that were taken out again. */
  line: number;
  lines: string[];
}

interface RejectedPlace {
  /** All rows of the file, and where the place begins and ends among them. */
  rows: readonly Row[];
  start: number;
  end: number;
  at: number;
  took: readonly Row[];
  brought: readonly Row[];
}

/** Finds what of these rejections is back, and nobody who may do so said that it may be there. */
export async function rejectedTexts(
  context: Context,
  { names, weave }: LineFile,
  rejections: readonly Rejection[],
): Promise<RejectedText[]> {
  if (rejections.length === 0) return [];
  const rows = weave.rows().filter(row => isLine(lastText(row)));
  const places = placesIn(rows);
  const found: RejectedText[] = [];
  for (const rejection of rejections) {
    const own = places.filter(({ event }) => event.id === rejection.commit);
    for (const [n, place] of own.entries()) {
      if (rejection.ended.has(placeName(names[0]!, n))) continue;
      const text = textBack(placed(rows, place.rows, place.event.at));
      if (text && !(await isConsented(context, text, place.event.at))) found.push({ rejection, ...text });
    }
  }
  return found;
}

function placed(rows: readonly Row[], own: readonly Row[], at: number): RejectedPlace {
  const isLeft = (row: Row | undefined): boolean =>
    row === undefined || (isIn(row) && textAfter(row, at) !== null && !isBlank(row) && !own.includes(row));
  let [start, end] = [rows.indexOf(own[0]!), rows.indexOf(own.at(-1)!) + 1];
  while (!isLeft(rows[start - 1])) start--;
  while (!isLeft(rows[end])) end++;
  const isTaken = (row: Row): boolean => textAfter(row, at) === null;
  return { rows, start, end, at, took: own.filter(isTaken), brought: own.filter(row => !isTaken(row)) };
}

type Back = Omit<RejectedText, 'rejection'>;

function textBack({ rows, start, end, at, took, brought }: RejectedPlace): Back | null {
  const wanted = took.filter(row => !isBlank(row)).map(row => bare(lastText(row)));
  const live = rows.slice(start, end).filter(row => isIn(row) && !isBlank(row));
  const before = rows.slice(0, start).filter(isIn).length;
  if (took.length === 0) {
    const isGone = brought.every(row => !isIn(row)) && live.length === 0;
    const isDistinct = brought.some(row => saysSomething(lastText(row)));
    const isBack = isGone && isDistinct && !isElsewhere(rows, brought, at);
    return isBack ? { rows: new Set(brought), line: before + 1, lines: [] } : null;
  }
  if (!wanted.some(saysSomething)) return null;
  for (let from = live.length - wanted.length; from >= 0; from--) {
    const run = live.slice(from, from + wanted.length);
    const isRun = run.every((row, n) => bare(textOf(row)!) === wanted[n]);
    if (!isRun || run.every(row => textAfter(row, at) !== null)) continue;
    const line = rows.slice(0, rows.indexOf(run[0]!)).filter(isIn).length + 1;
    return { rows: new Set(run), line, lines: run.map(row => textOf(row)!) };
  }
  return null;
}

/** True where the lines that are gone stand in another place: then they were moved. */
function isElsewhere(rows: readonly Row[], gone: readonly Row[], at: number): boolean {
  const count = (line: string, isThere: (row: Row) => boolean): number =>
    rows.filter(row => isThere(row) && bare(lastText(row)) === line).length;
  return gone
    .filter(row => !isBlank(row))
    .map(row => bare(lastText(row)))
    .every(line => count(line, isIn) >= count(line, row => textAfter(row, at) !== null));
}

function isBlank(row: Row): boolean {
  return lastText(row).trim() === '';
}

/**
 * True where a person put it there with the engine since, or committed it. A change from outside may be an agent's, unless it
 * is known here when agents are at work.
 */
async function isConsented(context: Context, { rows, lines }: Back, at: number): Promise<boolean> {
  const isPut = lines.length > 0;
  const flips = [...rows].flatMap(({ log }) => log.filter(({ text }) => (text !== null) === isPut));
  const ids = new Set(flips.flatMap(({ event }) => (event.at > at && event.id !== '' ? event.id : [])));
  const entries = await Promise.all([...ids].map(id => readEntryOrNull(context.objects, id)));
  const persons = entries.filter(entry => entry !== null).filter(isPersons);
  if (persons.some(({ meta }) => !isOutside(meta?.op))) return true;
  return persons.length > 0 && (await hearsOfAgents(context));
}

const bare = (line: string): string => line.trimEnd();

/** True for a line that says something of its own: brackets do not, nor do words that stand alone in every other function. */
function saysSomething(line: string): boolean {
  const letters = line.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  return letters >= 3 && !COMMON.has(line.replace(/[^\p{L}\p{N}]+/gu, ' ').trim());
}

const COMMON: ReadonlySet<string> = new Set([
  ...['else', 'end', 'endif', 'fi', 'done', 'esac', 'return', 'return null', 'return true', 'return false'],
  ...['break', 'continue', 'pass', 'try', 'finally', 'begin', 'default', 'do', 'then', 'None', 'null'],
]);
