/**
 * Three-way merge by lines. Two sides changed the same base; what only one of them changed is taken from it. Where
 * both changed the same or touching lines to different text there is a conflict, as for git: nothing is guessed.
 */

import type { ConflictRegion } from '../../errors.ts';
import { encodeText, type TextFile, textFile } from '../document.ts';
import { lineBreakOf } from '../lines.ts';
import { type LineChange, type LineDiffLimits, lineDiff, splitLines } from './line-diff.ts';

/** Lines that both sides changed; each range is 0-based, end exclusive, with the text it holds. */
export interface MergeConflict {
  base: MergeSide;
  ours: MergeSide;
  theirs: MergeSide;
}

export interface MergeSide {
  start: number;
  end: number;
  text: string;
}

export type MergeResult = { clean: true; text: string } | { clean: false; conflicts: MergeConflict[] };

/** Joins `ours` and `theirs`, both made from `base`. Bounded in time: see LineDiffLimits. */
export function merge(base: string, ours: string, theirs: string, limits: LineDiffLimits = {}): MergeResult {
  const { text, conflicts } = mergeFavoringOurs(base, ours, theirs, limits);
  return conflicts.length > 0 ? { clean: false, conflicts } : { clean: true, text };
}

/** Merges as `merge`; where both changed a region, the text has what `ours` has (git's `-X ours`). */
export function mergeFavoringOurs(
  base: string,
  ours: string,
  theirs: string,
  limits: LineDiffLimits = {},
): { text: string; conflicts: MergeConflict[] } {
  const lineBreak = lineBreakOf(base);
  const lines = splitLines(base, lineBreak);
  const a = new Side(lines, ours, base, lineBreak, limits);
  const b = new Side(lines, theirs, base, lineBreak, limits);
  const parts: string[][] = [];
  const conflicts: MergeConflict[] = [];
  let done = 0;
  for (const region of regions(a.changes, b.changes)) {
    parts.push(lines.slice(done, region.start));
    const mine = a.over(region);
    const other = b.over(region);
    parts.push([region.sides === 'theirs' ? other.text : mine.text]);
    if (region.sides === 'both' && mine.text !== other.text)
      conflicts.push({ base: { ...region.base(lines) }, ours: mine, theirs: other });
    done = region.end;
  }
  return { text: [...parts, lines.slice(done)].flat().join(''), conflicts };
}

/** A content of a file; `version` is its blob id, or '' where that is not known. */
export interface FileContent {
  bytes: Uint8Array;
  version: string;
}

/**
 * Merges the bytes of a file: byte order mark and encoding are merged as a line of their own would be. Returns the
 * content, or the regions that both changed, by lines of `ours`. Throws BINARY_FILE, NOT_UTF8, ENCODING and TOO_LARGE.
 */
export function mergeFile(
  path: string,
  base: FileContent,
  ours: FileContent,
  theirs: FileContent,
): { content: Uint8Array } | { conflict: ConflictRegion[] } {
  const [was, now, next] = [base, ours, theirs].map(one => textFile(path, one.bytes, one.version));
  const merged = merge(was!.text, now!.text, next!.text);
  if (!merged.clean) return { conflict: merged.conflicts.map(regionOf) };
  const joined = <Key extends 'bom' | 'encoding'>(key: Key): TextFile[Key] =>
    now![key] === was![key] ? next![key] : now![key];
  return { content: encodeText(merged.text, joined('bom'), joined('encoding'), path) };
}

function regionOf({ ours, theirs }: MergeConflict): ConflictRegion {
  return { start_line: ours.start + 1, end_line: ours.end, present: ours.text, wanted: theirs.text };
}

/** One side of the merge: its changes of the base, and what it makes of any range of base lines. */
class Side {
  readonly changes: readonly LineChange[];
  readonly #lines: string[];

  constructor(
    base: string[],
    text: string,
    baseText: string,
    lineBreak: '\n' | '\r',
    limits: LineDiffLimits,
  ) {
    this.#lines = text === baseText ? base : splitLines(text, lineBreak);
    this.changes = text === baseText ? [] : lineDiff(baseText, text, lineBreak, limits).changes;
  }

  over(region: { start: number; end: number }): MergeSide {
    const start =
      region.start + this.#shift(change => change.oldEnd <= region.start && change.oldStart < region.start);
    const end = region.end + this.#shift(change => change.oldStart <= region.end);
    return { start, end, text: this.#lines.slice(start, end).join('') };
  }

  /** Returns how many lines longer the base is with the changes that `before` picks. */
  #shift(before: (change: LineChange) => boolean): number {
    return this.changes
      .filter(before)
      .reduce(
        (sum, { oldStart, oldEnd, newStart, newEnd }) => sum + (newEnd - newStart) - (oldEnd - oldStart),
        0,
      );
  }
}

class Region {
  start: number;
  end: number;
  sides: 'ours' | 'theirs' | 'both';

  constructor(change: LineChange, side: 'ours' | 'theirs') {
    this.start = change.oldStart;
    this.end = change.oldEnd;
    this.sides = side;
  }

  /** Touching counts: a change of line 5 and one of line 6 were each made in sight of the other's old line. */
  touches(change: LineChange): boolean {
    return change.oldStart <= this.end;
  }

  add(change: LineChange, side: 'ours' | 'theirs'): void {
    this.end = Math.max(this.end, change.oldEnd);
    if (this.sides !== side) this.sides = 'both';
  }

  base(lines: readonly string[]): MergeSide {
    return { start: this.start, end: this.end, text: lines.slice(this.start, this.end).join('') };
  }
}

/** The base ranges that were changed, in order; changes of the two sides that touch are one region. */
function regions(ours: readonly LineChange[], theirs: readonly LineChange[]): Region[] {
  const all = [
    ...ours.map(change => ({ change, side: 'ours' as const })),
    ...theirs.map(change => ({ change, side: 'theirs' as const })),
  ].sort((a, b) => a.change.oldStart - b.change.oldStart || a.change.oldEnd - b.change.oldEnd);
  const found: Region[] = [];
  for (const { change, side } of all) {
    const last = found.at(-1);
    if (last?.touches(change)) last.add(change, side);
    else found.push(new Region(change, side));
  }
  return found;
}
