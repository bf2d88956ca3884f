/** Which lines of a text were replaced by which of another, in bounded time. */

import { diffArrays } from 'diff';

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
  const oldPart = oldText.slice(lead, oldText.length - tail);
  const newPart = newText.slice(lead, newText.length - tail);
  const first = countBreaks(oldText, lineBreak, lead);
  const [oldCount, newCount] = [countLines(oldPart, lineBreak), countLines(newPart, lineBreak)];
  if (oldCount + newCount > MOST_LINES)
    return {
      changes: [shifted({ oldStart: 0, oldEnd: oldCount, newStart: 0, newEnd: newCount }, first)],
      coarse: true,
    };
  const oldLines = splitLines(oldPart, lineBreak);
  const newLines = splitLines(newPart, lineBreak);
  const pairs = commonPairs(oldLines, newLines, { ...DEFAULT_LIMITS, ...limits });
  const changes = changesBetween(pairs ?? [], oldLines.length, newLines.length);
  return { changes: changes.map(change => shifted(change, first)), coarse: pairs === null };
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

/** The length of the common beginning, in whole lines. */
function commonLead(a: string, b: string, lineBreak: string): number {
  const most = Math.min(a.length, b.length);
  let same = 0;
  while (same < most && a.charCodeAt(same) === b.charCodeAt(same)) same++;
  return same === 0 ? 0 : a.lastIndexOf(lineBreak, same - 1) + 1;
}

/** The length of the common end, in whole lines, that does not reach into the common beginning. */
function commonTail(a: string, b: string, lineBreak: string, lead: number): number {
  const most = Math.min(a.length, b.length) - lead;
  let same = 0;
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

/** As many as splitLines gives. */
function countLines(text: string, lineBreak: string): number {
  const breaks = countBreaks(text, lineBreak, text.length);
  return text === '' || text.endsWith(lineBreak) ? breaks : breaks + 1;
}

type Pair = readonly [oldLine: number, newLine: number];

/**
 * Pairs of equal lines in order, as many as possible, or `null` when the search went over its limits. Lines that only
 * one side has can never be paired: leaving them out first makes most rewrites cheap.
 */
function commonPairs(
  oldLines: string[],
  newLines: string[],
  limits: Required<LineDiffLimits>,
): Pair[] | null {
  const ids = new Map<string, number>();
  const oldIds = oldLines.map(line => idOf(ids, line));
  const newIds = newLines.map(line => idOf(ids, line));
  const oldKept = sharedWith(oldIds, newIds);
  const newKept = sharedWith(newIds, oldIds);
  const diff = diffArrays(
    oldKept.map(i => oldIds[i]!),
    newKept.map(i => newIds[i]!),
    limits,
  );
  if (diff === undefined) return null;
  const pairs: Pair[] = [];
  let at = 0;
  let to = 0;
  for (const { added, removed, count } of diff) {
    if (!added && !removed) for (let i = 0; i < count; i++) pairs.push([oldKept[at + i]!, newKept[to + i]!]);
    if (!added) at += count;
    if (!removed) to += count;
  }
  return pairs;
}

function idOf(ids: Map<string, number>, line: string): number {
  const known = ids.get(line);
  if (known !== undefined) return known;
  ids.set(line, ids.size);
  return ids.size - 1;
}

/** The indexes of the ids that the other list has too. */
function sharedWith(ids: number[], others: number[]): number[] {
  const other = new Set(others);
  const kept: number[] = [];
  for (const [i, id] of ids.entries()) if (other.has(id)) kept.push(i);
  return kept;
}

function changesBetween(pairs: Pair[], oldCount: number, newCount: number): LineChange[] {
  const changes: LineChange[] = [];
  let oldStart = 0;
  let newStart = 0;
  for (const [oldEnd, newEnd] of [...pairs, [oldCount, newCount] as const]) {
    if (oldEnd > oldStart || newEnd > newStart) changes.push({ oldStart, oldEnd, newStart, newEnd });
    oldStart = oldEnd + 1;
    newStart = newEnd + 1;
  }
  return changes;
}

function shifted(change: LineChange, by: number): LineChange {
  return {
    oldStart: change.oldStart + by,
    oldEnd: change.oldEnd + by,
    newStart: change.newStart + by,
    newEnd: change.newEnd + by,
  };
}
