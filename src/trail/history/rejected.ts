/**
 * Finds where rejected text stands again, from texts alone. The place of a rejection is the gap in the weave between the nearest
 * lines that survive; so it goes along with renames, and with whatever is written around it. A block of three lines or more
 * that moved exactly, to one place, takes it along. Blanks at the ends of lines, and empty lines, do not count.
 *
 * A version holds the text again where the gap holds its run of lines more often than the rejection left it; however it came
 * there. Lines that were taken out, and put back by the rejection, are gone again where their gap holds nothing.
 */

import type { Token } from '../../text/diff/alignment.ts';
import { isMark, isName } from './status.ts';
import { type Hunk, isLiveAfter, type Weave, type WovenRow } from './weave.ts';

export interface RejectedPlace {
  commit: string;
  /** The lines that it took out, and those that it put in their place. Empty `added`: it put back what was taken out. */
  added: readonly string[];
  now: readonly string[];
  /** True where a line of it says something of its own: only such text is known again. The agent is told in any case. */
  isDistinct: boolean;
  restored: readonly WovenRow[];
  /** Its index among the steps, and the lines beside the place, none of them empty; `null` at an end. */
  step: number;
  left: WovenRow | null;
  right: WovenRow | null;
  /** Up to three lines above and below as the rejection left them, by which a block that moved is found. */
  above: readonly Token[];
  below: readonly Token[];
  /** The number of times that it was rejected text then already, and that the file held each line of `now`. */
  times: number;
  kept: ReadonlyMap<string, number>;
}

/** The lines of a text, without marks, each with the woven one. */
export interface PlacedLines {
  lines: readonly string[];
  rows: ReadonlyArray<WovenRow | null>;
}

/** Lines of a text, 0-based; end exclusive. */
export interface LineSpan {
  start: number;
  end: number;
}

/** The runs and the gap that a text has at a place. */
export interface AtPlace {
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

export function rejectedPlaces(weave: Weave, commit: string): RejectedPlace[] {
  const step = weave.steps.findIndex(({ id }) => id === commit);
  const hunks = weave.hunks.filter(hunk => hunk.step === step);
  if (step < 0 || hunks.length === 0) return [];
  const live = weave.rows().filter(row => !isMark(row) && isLiveAfter(row, step));
  const then = { lines: live.map(({ token }) => token), rows: live };
  return hunks.flatMap(hunk => placeOf(weave, hunk, commit, then) ?? []);
}

function placeOf(weave: Weave, hunk: Hunk, commit: string, then: PlacedLines): RejectedPlace | null {
  const changed = [...hunk.fresh, ...hunk.returned, ...hunk.gone];
  const isLines = changed.some(row => !isMark(row));
  // A file that was moved, and is back at its old name, stands there as a whole.
  const own = new Set(isLines ? changed : changed.some(isName) ? then.rows.map(row => row!) : []);
  const order = weave.rows().filter(row => own.has(row) && !isMark(row));
  const gone = new Set(hunk.gone);
  const restored = order.filter(row => !gone.has(row));
  const added = order.filter(row => gone.has(row)).map(({ token }) => bare(token));
  const now = restored.map(({ token }) => bare(token));
  if (order.length === 0) return null;
  const isDistinct = (added.length > 0 ? added : now).some(saysSomething);
  const { step } = hunk;
  const isBeside = (row: WovenRow): boolean =>
    !own.has(row) && !isMark(row) && !isBlank(row.token) && isLiveAfter(row, step);
  const left = nearest(order[0]!, 'previous', isBeside);
  const right = nearest(order.at(-1)!, 'next', isBeside);
  const [from, to] = [
    left ? then.rows.indexOf(left) : -1,
    right ? then.rows.indexOf(right) : then.rows.length,
  ];
  const kept = new Map(now.map(line => [line, then.lines.filter(one => bare(one) === line).length]));
  const place: RejectedPlace = {
    ...{ commit, added, now, isDistinct, restored, step, left, right, kept, times: 0 },
    above: then.lines.slice(Math.max(0, from + 1 - BLOCK), from + 1),
    below: then.lines.slice(to, to + BLOCK),
  };
  return { ...place, times: timesRejected(place, then) };
}

function nearest(
  from: WovenRow | null,
  way: 'next' | 'previous',
  fits: (row: WovenRow) => boolean,
): WovenRow | null {
  let row = from;
  while (row && !fits(row)) row = row[way];
  return row;
}

/** Pairs the lines of a text with the woven ones, which stay as they are. */
export function placedLines(weave: Weave, text: readonly Token[]): PlacedLines {
  return withoutMarks({ lines: text, rows: weave.place(text).rows });
}

/** Leaves out what stands for a name, a mode or a missing line end. */
export function withoutMarks({ lines, rows }: PlacedLines): PlacedLines {
  const kept = [...lines.keys()].filter(at => !isMark({ token: lines[at]! }));
  return { lines: kept.map(at => lines[at]!), rows: kept.map(at => rows[at]!) };
}

export function lookAt(place: RejectedPlace, text: PlacedLines): AtPlace {
  const at = new Map(
    [...text.rows.entries()].flatMap(([index, row]) => (row ? [[row, index] as const] : [])),
  );
  const survives = (row: WovenRow): boolean =>
    at.has(row) && !isBlank(row.token) && isLiveAfter(row, place.step);
  const left = nearest(place.left, 'previous', survives);
  const right = nearest(place.right, 'next', survives);
  const isNear = left === place.left && right === place.right;
  const moved = isNear ? null : movedTo(place, text);
  const gap = moved ?? {
    start: left ? at.get(left)! + 1 : 0,
    end: right ? at.get(right)! : text.lines.length,
  };
  const run = place.added.length > 0 ? place.added : place.now;
  const runs = runsIn(text.lines, gap, run);
  const others = gap.end - gap.start - runs.reduce((sum, { start, end }) => sum + end - start, 0);
  const isOther = others > Math.max(MOST_BETWEEN, place.now.length);
  const isLost = !isNear && !moved && left === null && right === null;
  return { gap, reach: isLost || isOther ? 'anew' : isNear || moved ? 'near' : 'wide', runs };
}

/**
 * Counts how often a text holds what the rejection took out, as far as that can be said for sure; 1 or 0 of a deletion.
 */
export function timesRejected(place: RejectedPlace, text: PlacedLines): number {
  const { reach, runs, gap } = lookAt(place, text);
  if (place.added.length === 0) return reach === 'near' && isTakenOut(place, text, gap) ? 1 : 0;
  const isLong = place.added.filter(line => !isBlank(line)).length > 1;
  return reach === 'near' || (reach === 'wide' && isLong) ? runs.length : 0;
}

/** True where nothing stands in the place of the lines that were put back, and they went nowhere else. */
function isTakenOut({ kept }: RejectedPlace, { lines }: PlacedLines, { start, end }: LineSpan): boolean {
  if (!lines.slice(start, end).every(isBlank)) return false;
  const left = lines.map(bare);
  return [...kept].every(([line, times]) => isBlank(line) || left.filter(one => one === line).length < times);
}

/** Finds the one place to which the lines around it moved; `null` where there is none, or more than one. */
function movedTo(
  { added, now, above, below, step }: RejectedPlace,
  { lines, rows }: PlacedLines,
): LineSpan | null {
  const isFresh = (at: number): boolean => rows[at] === null || !isLiveAfter(rows[at]!, step);
  const up = [...lines.keys(), lines.length].map(at =>
    at > 0 && isFresh(at - 1) ? alike(above.length, n => lines[at - n] === above.at(-n)) : 0,
  );
  const down = [...lines.keys(), lines.length].map(at =>
    at < lines.length && isFresh(at) ? alike(below.length, n => lines[at + n - 1] === below[n - 1]) : 0,
  );
  const found: LineSpan[] = [];
  for (const [start, many] of up.entries()) {
    if (many === 0) continue;
    const most = Math.min(lines.length, start + MOST_BETWEEN + added.length + now.length);
    for (let end = start; end <= most; end++) {
      if (down[end]! === 0) continue;
      const block = [...lines.slice(start - many, start), ...lines.slice(end, end + down[end]!)];
      if (block.length >= BLOCK && block.some(saysSomething)) found.push({ start, end });
      break;
    }
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
