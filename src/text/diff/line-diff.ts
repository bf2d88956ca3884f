/** Which lines of a text were replaced by which of another, in bounded time. */

import { countLines } from '../lines.ts';
import { lineIds, type TextPart } from './line-ids.ts';
import { commonRuns } from './shortest-edit.ts';

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
  /** True when the work was cut short: one change then covers everything between the first and the last difference. */
  coarse: boolean;
}

export interface LineDiffLimits {
  /** How many added and removed lines, among those that both texts have, the search may go through. */
  maxEditLength?: number;
  /** Milliseconds after which the search gives up. */
  timeout?: number;
}

/** Lines of both sides between the first and the last difference; of more, none is looked for on the other side. */
const MOST_LINES = 4_000_000;

/** Myers' algorithm takes time and memory with the square of the edit length: 2,000 is about half a second. */
const DEFAULT_LIMITS = { maxEditLength: 2000, timeout: 3000 };

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
  const old = { text: oldText, from: lead, to: oldText.length - tail };
  const fresh = { text: newText, from: lead, to: newText.length - tail };
  const first = countBreaks(oldText, lineBreak, lead);
  const counts = (): [number, number] => [linesOf(old, lineBreak), linesOf(fresh, lineBreak)];
  const tooMany = old.to + fresh.to - 2 * lead > MOST_LINES && counts()[0] + counts()[1] > MOST_LINES;
  const found = tooMany ? null : changesBetween(old, fresh, lineBreak, { ...DEFAULT_LIMITS, ...limits });
  const changes = found ?? [whole(counts())];
  return { changes: changes.map(change => shifted(change, first)), coarse: found === null };
}

function linesOf({ text, from, to }: TextPart, lineBreak: string): number {
  return countLines(text.slice(from, to), lineBreak);
}

function whole([oldEnd, newEnd]: [number, number]): LineChange {
  return { oldStart: 0, oldEnd, newStart: 0, newEnd };
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

function countBreaks(text: string, lineBreak: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf(lineBreak); at >= 0 && at < end; at = text.indexOf(lineBreak, at + 1)) count++;
  return count;
}

/**
 * What became what, with as many lines common as possible, or `null` when the search went over its limits. Lines that
 * only one side has can never be paired: leaving them out first makes most rewrites cheap.
 */
function changesBetween(
  oldPart: TextPart,
  newPart: TextPart,
  lineBreak: '\n' | '\r',
  limits: Required<LineDiffLimits>,
): LineChange[] | null {
  const ids = lineIds(oldPart, newPart, lineBreak);
  const old = sharedWith(ids.old, ids.new, ids.count);
  const fresh = sharedWith(ids.new, ids.old, ids.count);
  const runs = commonRuns(old.ids, fresh.ids, limits);
  if (runs === null) return null;
  const gaps = new Gaps();
  for (const { oldStart, newStart, count } of runs)
    for (let i = 0; i < count; i++) gaps.pair(old.lines[oldStart + i]!, fresh.lines[newStart + i]!);
  gaps.pair(ids.old.length, ids.new.length);
  return gaps.changes;
}

/** The lines whose ids the other side has too. */
function sharedWith(
  ids: Uint32Array,
  others: Uint32Array,
  count: number,
): { ids: Uint32Array; lines: Uint32Array } {
  const isShared = new Uint8Array(count);
  for (let n = 0; n < others.length; n++) isShared[others[n]!] = 1;
  const [kept, lines] = [new Uint32Array(ids.length), new Uint32Array(ids.length)];
  let shared = 0;
  for (let line = 0; line < ids.length; line++) {
    if (isShared[ids[line]!] === 0) continue;
    kept[shared] = ids[line]!;
    lines[shared++] = line;
  }
  return { ids: kept.subarray(0, shared), lines: lines.subarray(0, shared) };
}

/** What is between pairs of equal lines, which come in order. */
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

/** The change as it is under so many more lines. */
export function shifted(change: LineChange, by: number): LineChange {
  return {
    oldStart: change.oldStart + by,
    oldEnd: change.oldEnd + by,
    newStart: change.newStart + by,
    newEnd: change.newEnd + by,
  };
}
