/** Finds the lines of one text that another replaced, in bounded time. */

import { countLines } from '../lines.ts';
import { numberRows } from './shortest-edit.ts';
import { boundedRuns } from './unique-anchors.ts';

/**
 * Lines `oldStart` to `oldEnd` (0-based, end exclusive) of the old text became lines `newStart` to `newEnd` of the new.
 */
export interface LineChange {
  oldStart: number;
  oldEnd: number;
  newStart: number;
  newEnd: number;
}

export interface LineDiff {
  /** In order, apart from each other by at least one common line. Empty for equal texts. */
  changes: LineChange[];
  /** True when the work was cut short: a change then covers lines of which some may be common. */
  coarse: boolean;
}

export interface LineDiffLimits {
  /**
   * Limits the search for the shortest edit to so many added and removed lines, of those that both texts have. Beyond it the
   * texts are divided at lines that both have once, and each part is searched.
   */
  maxEditLength?: number;
  /** Milliseconds after which no part is searched any more, on a machine that is very slow. */
  timeout?: number;
}

/** Lines of both sides between the first and the last difference; of more, none is looked for on the other side. */
const MOST_LINES = 4_000_000;

/** Myers' algorithm takes time and memory with the square of the edit length: 500 is about a millisecond. */
const DEFAULT_LIMITS = { maxEditLength: 500, timeout: 3000 };

/** Compares two texts by lines, each ended by `lineBreak` alone, which is part of the line. */
export function lineDiff(
  oldText: string,
  newText: string,
  lineBreak: '\n' | '\r' = '\n',
  limits: LineDiffLimits = {},
): LineDiff {
  if (oldText === newText) return { changes: [], coarse: false };
  const lead = commonLead(oldText, newText, lineBreak);
  const tail = commonTail(oldText, newText, lineBreak, lead);
  const old = oldText.slice(lead, oldText.length - tail);
  const fresh = newText.slice(lead, newText.length - tail);
  const above = countLines(oldText.slice(0, lead), lineBreak);
  const found =
    wholeChange(old, fresh, lineBreak) ??
    changesBetween(old, fresh, lineBreak, { ...DEFAULT_LIMITS, ...limits });
  return {
    changes: found.changes.map(change => ({
      oldStart: change.oldStart + above,
      oldEnd: change.oldEnd + above,
      newStart: change.newStart + above,
      newEnd: change.newEnd + above,
    })),
    coarse: found.coarse,
  };
}

/** One change of all lines, where only one side has any, or they are too many to be compared; else `null`. */
function wholeChange(old: string, fresh: string, lineBreak: string): LineDiff | null {
  const isOneSided = old === '' || fresh === '';
  if (!isOneSided && old.length + fresh.length <= MOST_LINES) return null;
  const [oldEnd, newEnd] = [countLines(old, lineBreak), countLines(fresh, lineBreak)];
  const coarse = oldEnd + newEnd > MOST_LINES;
  return isOneSided || coarse ? { changes: [{ oldStart: 0, oldEnd, newStart: 0, newEnd }], coarse } : null;
}

/** The lines of a text with their ends, each ended by `lineBreak` alone; an unended last one counts. */
export function splitLines(text: string, lineBreak: '\n' | '\r' = '\n'): string[] {
  const lines: string[] = [];
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf(lineBreak, at);
    const end = next < 0 ? text.length : next + 1;
    lines.push(text.slice(at, end));
    at = end;
  }
  return lines;
}

/** Units that are compared at once, which is thirty times as fast as one by one. */
const BLOCK = 512;

/** The length of the common beginning, in whole lines. */
function commonLead(a: string, b: string, lineBreak: string): number {
  const most = Math.min(a.length, b.length);
  let same = 0;
  while (same < most && a.slice(same, same + BLOCK) === b.slice(same, same + BLOCK)) same += BLOCK;
  same = Math.min(same, most);
  while (same < most && a.charCodeAt(same) === b.charCodeAt(same)) same++;
  return same === 0 ? 0 : a.lastIndexOf(lineBreak, same - 1) + 1;
}

/** The length of the common end, in whole lines, that does not reach into the common beginning. */
function commonTail(a: string, b: string, lineBreak: string, lead: number): number {
  const most = Math.min(a.length, b.length) - lead;
  const isSame = (from: number, to: number): boolean =>
    a.slice(a.length - to, a.length - from) === b.slice(b.length - to, b.length - from);
  let same = 0;
  for (let end = BLOCK; end <= most && isSame(same, end); end += BLOCK) same = end;
  while (same < most && a.charCodeAt(a.length - 1 - same) === b.charCodeAt(b.length - 1 - same)) same++;
  if (same === most && startsLine(a, a.length - same, lineBreak) && startsLine(b, b.length - same, lineBreak))
    return same;
  const at = a.indexOf(lineBreak, a.length - same);
  return at < 0 ? 0 : a.length - at - 1;
}

function startsLine(text: string, at: number, lineBreak: string): boolean {
  return at === 0 || text[at - 1] === lineBreak;
}

/**
 * Finds the changes, with as many lines common as possible within the limits. Lines that only one side has can never be
 * paired: leaving them out first makes most rewrites cheap.
 */
function changesBetween(
  oldPart: string,
  newPart: string,
  lineBreak: '\n' | '\r',
  { maxEditLength, timeout }: Required<LineDiffLimits>,
): LineDiff {
  const numbers = numberRows(splitLines(oldPart, lineBreak), splitLines(newPart, lineBreak));
  const old = sharedWith(numbers.old, numbers.fresh, numbers.count);
  const [oldEnd, newEnd] = [numbers.old.length, numbers.fresh.length];
  if (old.lines.length === 0)
    return { changes: [{ oldStart: 0, oldEnd, newStart: 0, newEnd }], coarse: false };
  const fresh = sharedWith(numbers.fresh, numbers.old, numbers.count);
  const limits = { maxEditLength, until: performance.now() + timeout };
  const { runs, coarse } = boundedRuns(old.numbers, fresh.numbers, numbers.count, limits);
  const gaps = new Gaps();
  for (const { oldStart, newStart, count } of runs)
    for (let i = 0; i < count; i++) gaps.pair(old.lines[oldStart + i]!, fresh.lines[newStart + i]!);
  gaps.pair(oldEnd, newEnd);
  return { changes: gaps.changes, coarse };
}

/** The lines whose numbers the other side has too, and those numbers. */
function sharedWith(
  own: Uint32Array,
  others: Uint32Array,
  count: number,
): { numbers: Uint32Array; lines: Uint32Array } {
  const isShared = new Uint8Array(count);
  for (let n = 0; n < others.length; n++) isShared[others[n]!] = 1;
  const [numbers, lines] = [new Uint32Array(own.length), new Uint32Array(own.length)];
  let found = 0;
  for (let line = 0; line < own.length; line++) {
    if (isShared[own[line]!] === 0) continue;
    numbers[found] = own[line]!;
    lines[found++] = line;
  }
  return { numbers: numbers.subarray(0, found), lines: lines.subarray(0, found) };
}

/** Collects the gaps between pairs of equal lines, which come in order. */
class Gaps {
  readonly changes: LineChange[] = [];
  #oldStart = 0;
  #newStart = 0;

  pair(oldEnd: number, newEnd: number): void {
    const [oldStart, newStart] = [this.#oldStart, this.#newStart];
    if (oldEnd > oldStart || newEnd > newStart) this.changes.push({ oldStart, oldEnd, newStart, newEnd });
    this.#oldStart = oldEnd + 1;
    this.#newStart = newEnd + 1;
  }
}
