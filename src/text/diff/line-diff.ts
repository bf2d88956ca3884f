/** Finds the lines of one text that another replaced, in bounded time. */

import { firstNotBefore } from '../../sorted.ts';
import { countLines, lineBreakOf, linesOf } from '../lines.ts';
import type { LineMap } from '../spans.ts';
import { pairRows } from './pairs.ts';

/**
 * Lines `oldStart` to `oldEnd` (0-based, end exclusive) of the old text became lines `newStart` to `newEnd` of the new.
 */
export interface LineChange {
  oldStart: number;
  oldEnd: number;
  newStart: number;
  newEnd: number;
}

/** Lines of both sides between the first and the last difference; of more, none is looked for on the other side. */
const MOST_LINES = 4_000_000;

/**
 * Compares two texts by lines, each ended by `lineBreak` alone, which is part of the line. The changes are in order, apart
 * from each other by at least one common line; where the texts differ in too much, some lines of a change may be common.
 */
export function lineDiff(oldText: string, newText: string, lineBreak: '\n' | '\r' = '\n'): LineChange[] {
  if (oldText === newText) return [];
  const lead = commonLead(oldText, newText, lineBreak);
  const tail = commonTail(oldText, newText, lineBreak, lead);
  const old = oldText.slice(lead, oldText.length - tail);
  const fresh = newText.slice(lead, newText.length - tail);
  const above = countLines(oldText.slice(0, lead), lineBreak);
  const [oldEnd, newEnd] = [countLines(old, lineBreak), countLines(fresh, lineBreak)];
  const isWhole = oldEnd === 0 || newEnd === 0 || oldEnd + newEnd > MOST_LINES;
  const changes = isWhole
    ? [{ oldStart: 0, oldEnd, newStart: 0, newEnd }]
    : changesOf(pairRows(splitLines(old, lineBreak), splitLines(fresh, lineBreak)).to, newEnd);
  return changes.map(change => ({
    oldStart: change.oldStart + above,
    oldEnd: change.oldEnd + above,
    newStart: change.newStart + above,
    newEnd: change.newEnd + above,
  }));
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

/** The places where two lists differ, by the partner in the second (of `length` rows) of each row of the first, or -1. */
export function changesOf(to: Int32Array, length: number): LineChange[] {
  const changes: LineChange[] = [];
  let [oldStart, newStart] = [0, 0];
  for (let at = 0; at <= to.length; at++) {
    const newEnd = at === to.length ? length : to[at]!;
    if (newEnd < 0) continue;
    if (at > oldStart || newEnd > newStart) changes.push({ oldStart, oldEnd: at, newStart, newEnd });
    [oldStart, newStart] = [at + 1, newEnd + 1];
  }
  return changes;
}

/** Maps line numbers of one text to those of another. A line keeps its identity where its characters and its end are the same. */
export function lineMap(was: string, now: string): LineMap {
  const lineBreak = lineBreakOf(was);
  const isComparable = lineBreakOf(now) === lineBreak;
  const changes = lineDiff(was, now, lineBreak);
  const [before, after] = [linesOf(was).count, linesOf(now).count];
  return line => {
    if (line === 0) return 0;
    if (line === before + 1) return after + 1;
    if (!isComparable || !Number.isInteger(line) || line < 0 || line > before) return null;
    const next = firstNotBefore(0, changes.length, at => changes[at]!.oldEnd < line);
    if ((changes[next]?.oldStart ?? line) < line) return null;
    const above = changes[next - 1];
    return above ? line + above.newEnd - above.oldEnd : line;
  };
}
