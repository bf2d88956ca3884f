/**
 * Finds where rejected text stands again. The place of a rejection is the gap between the nearest lines that it left and that
 * are still there; so it goes along with renames, and with whatever is written around it. A block of three lines or more that
 * moved exactly, to one place, takes it along. Blanks at the ends of lines, and empty lines, do not count.
 *
 * A text holds it again where the gap holds its run of lines more often than the rejection left it; however it came there.
 * Lines that were taken out, and put back by the rejection, are gone again where their gap holds nothing.
 */

import { isLine, isName } from '../history/file-rows.ts';
import type { Token } from '../text/diff/alignment.ts';
import type { LineEvent } from './event.ts';
import { lastText, type Row, runsBetween, textAfter, textOf } from './row.ts';
import { TextLines } from './text-lines.ts';
import type { Weave } from './weave.ts';

export interface RejectedPlace {
  readonly event: LineEvent;
  /** The rows that it took out, and those that it put in their place. None of the first: it put back what was taken out. */
  readonly took: readonly Row[];
  readonly brought: readonly Row[];
  /** Their lines. */
  readonly added: readonly string[];
  readonly now: readonly string[];
  /** True where a line of it says something of its own: only such text is known again. The agent is told in any case. */
  readonly isDistinct: boolean;
  /** The lines beside the place, none of them empty; `null` at an end. */
  readonly left: Row | null;
  readonly right: Row | null;
  /** Up to three lines above and below as the rejection left them, by which a block that moved is found. */
  readonly above: readonly Token[];
  readonly below: readonly Token[];
  /** The number of times that it was rejected text then already, and that the file held each line of `now`. */
  readonly times: number;
  readonly kept: ReadonlyMap<string, number>;
}

/** Lines of a text, 0-based; end exclusive. */
export interface LineSpan {
  start: number;
  end: number;
}

/** The runs and the gap that a text has at a place. */
interface AtPlace {
  gap: LineSpan;
  /**
   * `near`: between the lines that it stood between. `wide`: some of those are gone. `anew`: nothing around it is left, or
   * much stands there, so that nobody can say that it is the same place.
   */
  reach: 'near' | 'wide' | 'anew';
  /** Where the gap holds the run: what the rejection took out, or else what it put back. */
  runs: LineSpan[];
}

/** A block that moved is told by this many lines on each side, and by as many altogether. */
const BLOCK = 3;

/** With so many other lines in the gap it is another place. */
const MOST_BETWEEN = 20;

/** The lines of the file as it is. */
export function presentLines({ live }: Weave): TextLines {
  return new TextLines(live, textOf);
}

/** The places of a rejection in a file, in order. */
export function rejectedPlaces(weave: Weave, event: LineEvent): RejectedPlace[] {
  const all = weave.rows();
  const own = new Set(all.filter(({ log }) => log.some(flip => flip.event.id === event.id)));
  if (own.size === 0) return [];
  const rows = all.filter(row => isLine(lastText(row)));
  const then = new TextLines(rows, row => textAfter(row, event.at));
  const left = new Set(then.rows);
  const isOwn = (row: Row): boolean => own.has(row);
  const runs = runsBetween(rows, row => left.has(row) && !isOwn(row)).map(run => run.filter(isOwn));
  const places = runs.filter(run => run.length > 0).map(run => placeOf(event, run, then));
  // A file that was moved or deleted, and is back at its old name, stands there as a whole.
  const isBack = [...own].some(row => isName(textAfter(row, event.at) ?? ''));
  if (!isBack || then.rows.length === 0) return places;
  return [placeOf(event, then.rows, then), ...places.filter(({ took }) => took.length > 0)];
}

function placeOf(event: LineEvent, own: readonly Row[], then: TextLines): RejectedPlace {
  const { at } = event;
  const brought = own.filter(row => textAfter(row, at) !== null);
  const took = own.filter(row => textAfter(row, at) === null);
  const added = took.map(row => bare(textAfter(row, at - 1) ?? lastText(row)));
  const now = brought.map(row => bare(textAfter(row, at)!));
  const kept = new Map(now.map(line => [line, then.lines.filter(one => bare(one) === line).length]));
  const ownRows = new Set(own);
  const isBeside = (row: Row): boolean =>
    !ownRows.has(row) && isLine(lastText(row)) && !isBlank(textAfter(row, at) ?? '');
  const left = nearest(own[0]!, 'previous', isBeside);
  const right = nearest(own.at(-1)!, 'next', isBeside);
  const [from, to] = [
    left ? then.rows.indexOf(left) : -1,
    right ? then.rows.indexOf(right) : then.rows.length,
  ];
  const place: RejectedPlace = {
    ...{ event, took, brought, added, now, kept, left, right, times: 0 },
    isDistinct: (added.length > 0 ? added : now).some(saysSomething),
    above: then.lines.slice(Math.max(0, from + 1 - BLOCK), from + 1),
    below: then.lines.slice(to, to + BLOCK),
  };
  return { ...place, times: timesRejected(place, then) };
}

function nearest(from: Row | null, way: 'next' | 'previous', fits: (row: Row) => boolean): Row | null {
  let row = from;
  while (row && !fits(row)) row = row[way];
  return row;
}

export function lookAt(place: RejectedPlace, text: TextLines): AtPlace {
  const { rows, lines } = text;
  const at = new Map(rows.map((row, index) => [row, index]));
  const survives = (row: Row): boolean =>
    at.has(row) && !isBlank(lines[at.get(row)!]!) && textAfter(row, place.event.at) !== null;
  const left = nearest(place.left, 'previous', survives);
  const right = nearest(place.right, 'next', survives);
  const wide = { start: left ? at.get(left)! + 1 : 0, end: right ? at.get(right)! : lines.length };
  // An agent that writes the line beside it anew puts a row of its own there.
  const above = left === place.left ? wide.start - 1 : writtenAnew(place, place.left!, lines, wide);
  const below = right === place.right ? wide.end : writtenAnew(place, place.right!, lines, wide);
  const isNear = above !== null && below !== null && above < below;
  const moved = isNear ? null : movedTo(place, text);
  const between = isNear ? { start: above + 1, end: below } : wide;
  const gap = moved ?? between;
  const runs = runsIn(lines, gap, place.added.length > 0 ? place.added : place.now);
  const others = gap.end - gap.start - runs.reduce((sum, { start, end }) => sum + end - start, 0);
  const isOther = others > Math.max(MOST_BETWEEN, place.now.length);
  const isLost = !isNear && !moved && left === null && right === null;
  return { gap, reach: isLost || isOther ? 'anew' : isNear || moved ? 'near' : 'wide', runs };
}

/** Finds where a line stands again that is gone; `null` where it does not, or more than once. */
function writtenAnew(
  { event }: RejectedPlace,
  row: Row,
  lines: readonly string[],
  { start, end }: LineSpan,
): number | null {
  const text = bare(textAfter(row, event.at)!);
  const found = [...lines.slice(start, end).keys()].filter(at => bare(lines[start + at]!) === text);
  return found.length === 1 ? start + found[0]! : null;
}

/** Counts how often a text holds what the rejection took out, as far as that can be said for sure; 1 or 0 of a deletion. */
export function timesRejected(place: RejectedPlace, text: TextLines): number {
  const { reach, runs, gap } = lookAt(place, text);
  if (place.added.length === 0) return reach === 'near' && isTakenOut(place, text, gap) ? 1 : 0;
  const isLong = place.added.filter(line => !isBlank(line)).length > 1;
  return reach === 'near' || (reach === 'wide' && isLong) ? runs.length : 0;
}

/** True where nothing stands in the place of the lines that were put back, and they went nowhere else. */
function isTakenOut({ kept }: RejectedPlace, { lines }: TextLines, { start, end }: LineSpan): boolean {
  if (!lines.slice(start, end).every(isBlank)) return false;
  const left = lines.map(bare);
  return [...kept].every(([line, times]) => isBlank(line) || left.filter(one => one === line).length < times);
}

/** Finds the one place to which the lines around it moved; `null` where there is none, or more than one. */
function movedTo(
  { added, now, above, below, event }: RejectedPlace,
  { rows, lines }: TextLines,
): LineSpan | null {
  const isFresh = (at: number): boolean => textAfter(rows[at]!, event.at) === null;
  const places = [...lines.keys(), lines.length];
  const up = places.map(at =>
    at > 0 && isFresh(at - 1) ? alike(above.length, n => lines[at - n] === above.at(-n)) : 0,
  );
  const down = places.map(at =>
    at < lines.length && isFresh(at) ? alike(below.length, n => lines[at + n - 1] === below[n - 1]) : 0,
  );
  const found: LineSpan[] = [];
  for (const [start, many] of up.entries()) {
    if (many === 0) continue;
    const most = Math.min(lines.length, start + MOST_BETWEEN + added.length + now.length);
    const end = places.slice(start, most + 1).find(at => down[at]! > 0);
    if (end === undefined) continue;
    const block = [...lines.slice(start - many, start), ...lines.slice(end, end + down[end]!)];
    if (block.length >= BLOCK && block.some(saysSomething)) found.push({ start, end });
  }
  return found.length === 1 ? found[0]! : null;
}

function alike(most: number, isAlike: (n: number) => boolean): number {
  let count = 0;
  while (count < most && isAlike(count + 1)) count++;
  return count;
}

/** Finds a run of lines between two places, empty lines left out. */
export function runsIn(
  lines: readonly string[],
  { start, end }: LineSpan,
  wanted: readonly string[],
): LineSpan[] {
  const run = wanted.filter(line => !isBlank(line));
  if (run.length === 0) return [];
  const at = [...Array(Math.max(0, end - start)).keys()].map(n => start + n).filter(n => !isBlank(lines[n]!));
  const found: LineSpan[] = [];
  for (let from = 0; from + run.length <= at.length; from++) {
    if (!run.every((line, n) => bare(lines[at[from + n]!]!) === line)) continue;
    from += run.length - 1;
    found.push({ start: at[from + 1 - run.length]!, end: at[from]! + 1 });
  }
  return found;
}

export function bare(line: string): string {
  return line.trimEnd();
}

function isBlank(line: string): boolean {
  return line.trim() === '';
}

/** True for a line that says something of its own: brackets do not, nor do words that stand alone in every other function. */
export function saysSomething(line: string): boolean {
  const letters = line.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  return letters >= 3 && !COMMON.has(line.replace(/[^\p{L}\p{N}]+/gu, ' ').trim());
}

const COMMON: ReadonlySet<string> = new Set([
  ...['else', 'end', 'endif', 'fi', 'done', 'esac', 'return', 'return null', 'return true', 'return false'],
  ...['break', 'continue', 'pass', 'try', 'finally', 'begin', 'default', 'do', 'then', 'None', 'null'],
]);
