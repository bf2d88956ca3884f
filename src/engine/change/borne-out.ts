/**
 * Keeps of what a tool says that it wrote what the file bears out: an edit that was held for its owner, that another hook took
 * back or that never came about left the file as it was, whatever is told of it. Pure.
 */

import { type LineChange, lineDiff, splitLines } from '../../text/diff/line-diff.ts';
import { bare, bareRun } from '../../text/format.ts';

/** A file's text before an edit and after it; `null` is no file. */
export interface ToldTexts {
  was: string | null;
  became: string | null;
}

/**
 * Returns what the edit made of the text, without the places at which the file is as it was before. `seen`: what the file held
 * after it, at first and later; what either bears out was done.
 */
export function borneOut({ was, became }: ToldTexts, seen: ReadonlyArray<string | null>): string | null {
  if (seen.includes(became)) return became;
  const left = seen[0]!;
  if (seen.every(one => one === was)) return was;
  if (became === null) return was;
  if (was === null || seen.includes(null)) return left === was ? was : became;
  const old = splitLines(was);
  const done = seen.flatMap(one => (one === null ? [] : [differences(was, one)]));
  const told = differences(was, became);
  const kept = told.filter(change => done.some(one => isSeen(change, one)));
  if (kept.length === told.length) return became;
  if (kept.length === 0) return was;
  const lines: string[] = [];
  let from = 0;
  for (const { oldStart, oldEnd, put } of kept) {
    lines.push(...old.slice(from, oldStart), ...put);
    from = oldEnd;
  }
  return [...lines, ...old.slice(from)].join('');
}

/**
 * True where the text before the edit can be what others had made of the recorded one: what they put in and the edit left is
 * still there, formatted or not, and what they took out is still gone. Text of long ago, or an edit that is recorded already, is none.
 */
export function isBetween(recorded: string | null, { was, became }: ToldTexts, left: string | null): boolean {
  if (was === recorded || was === null || left === null) return true;
  const [before, then, kept, there] = [recorded ?? '', was, became ?? '', left].map(counted);
  const count = (lines: Map<string, number>, line: string): number => lines.get(line) ?? 0;
  const isPut = (line: string): boolean => count(then!, line) > count(before!, line);
  const isGone = (line: string): boolean => count(then!, line) < count(before!, line);
  return (
    [...then!.keys()].every(line => !isPut(line) || !kept!.has(line) || there!.has(line)) &&
    [...before!.keys()].every(line => !isGone(line) || count(there!, line) < count(before!, line))
  );
}

interface Difference extends LineChange {
  put: readonly string[];
}

function differences(before: string, after: string): Difference[] {
  const lines = splitLines(after);
  return lineDiff(before, after).map(change => {
    return { ...change, put: lines.slice(change.newStart, change.newEnd) };
  });
}

/** The characters of a line that is known again within a longer one, to which a formatter joined it. */
const TELLING = 8;

/** A trace of a change: one of its lines, formatted or not, at its place; or most of the lines that it took are gone. */
function isSeen({ oldStart, oldEnd, put }: Difference, done: readonly Difference[]): boolean {
  const near = done.filter(other => other.oldStart <= oldEnd && other.oldEnd >= oldStart);
  const there = near.flatMap(other => other.put);
  const run = bareRun(there);
  const lines = new Set(there.map(bare));
  const isThere = (line: string): boolean =>
    lines.has(line) || (line.length >= TELLING && run.includes(line));
  if (put.map(bare).some(line => line !== '' && isThere(line))) return true;
  const gone = near.reduce((sum, other) => {
    return sum + Math.max(0, Math.min(other.oldEnd, oldEnd) - Math.max(other.oldStart, oldStart));
  }, 0);
  return gone > 0 && gone * 2 >= oldEnd - oldStart;
}

/** Counts the lines, formatted or not. */
function counted(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of splitLines(text).map(bare)) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}
