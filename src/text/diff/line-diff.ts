/** Finds the lines of one text that another replaced, in bounded time. */

import { countLines, lineStarts } from '../lines.ts';
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
  const old = { text: oldText, from: lead, to: oldText.length - tail };
  const fresh = { text: newText, from: lead, to: newText.length - tail };
  const first = countBreaks(oldText, lineBreak, lead);
  const counts = (): [number, number] => [linesOf(old, lineBreak), linesOf(fresh, lineBreak)];
  const tooMany = old.to + fresh.to - 2 * lead > MOST_LINES && counts()[0] + counts()[1] > MOST_LINES;
  const found = tooMany
    ? { changes: [whole(counts())], coarse: true }
    : (unlike(old, fresh, lineBreak) ??
      changesBetween(old, fresh, lineBreak, { ...DEFAULT_LIMITS, ...limits }));
  return { changes: found.changes.map(change => shifted(change, first)), coarse: found.coarse };
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

/** The parts of two texts, in whole lines, outside of which they are the same. */
export function differingParts(
  oldText: string,
  newText: string,
  lineBreak: '\n' | '\r' = '\n',
): [oldPart: string, newPart: string] {
  const lead = commonLead(oldText, newText, lineBreak);
  const tail = commonTail(oldText, newText, lineBreak, lead);
  return [oldText.slice(lead, oldText.length - tail), newText.slice(lead, newText.length - tail)];
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
 * Finds the changes, with as many lines common as possible within the limits. Lines that only one side has can never be
 * paired: leaving them out first makes most rewrites cheap.
 */
function changesBetween(
  oldPart: TextPart,
  newPart: TextPart,
  lineBreak: '\n' | '\r',
  { maxEditLength, timeout }: Required<LineDiffLimits>,
): LineDiff {
  const ids = lineIds(oldPart, newPart, lineBreak);
  const old = sharedWith(ids.old, ids.new, ids.count);
  const fresh = sharedWith(ids.new, ids.old, ids.count);
  const limits = { maxEditLength, until: performance.now() + timeout };
  const { runs, coarse } = boundedRuns(old.ids, fresh.ids, ids.count, limits);
  const gaps = new Gaps();
  for (const { oldStart, newStart, count } of runs)
    for (let i = 0; i < count; i++) gaps.pair(old.lines[oldStart + i]!, fresh.lines[newStart + i]!);
  gaps.pair(ids.old.length, ids.new.length);
  return { changes: gaps.changes, coarse };
}

/** UTF-16 units of parts that are compared as they are. */
const FEW = 2048;

/** One change, where small parts have no line in common, as those of most edits; else `null`. */
function unlike(old: TextPart, fresh: TextPart, lineBreak: '\n' | '\r'): LineDiff | null {
  if (old.to + fresh.to - 2 * old.from > FEW) return null;
  const was = splitLines(old.text.slice(old.from, old.to), lineBreak);
  const known = new Set(was);
  const lines = splitLines(fresh.text.slice(fresh.from, fresh.to), lineBreak);
  for (const line of lines) if (known.has(line)) return null;
  return { changes: [whole([was.length, lines.length])], coarse: false };
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

/** The change as it is under so many more lines. */
export function shifted(change: LineChange, by: number): LineChange {
  return {
    oldStart: change.oldStart + by,
    oldEnd: change.oldEnd + by,
    newStart: change.newStart + by,
    newEnd: change.newEnd + by,
  };
}

/** The numbers of the lines of two texts, in order. */
interface LineIds {
  old: Uint32Array;
  new: Uint32Array;
  /** Numbers are below this. */
  count: number;
}

/** Whole lines of a text, by offsets. Not a text of its own: V8 takes twice as long for the characters of a part. */
export interface TextPart {
  text: string;
  from: number;
  to: number;
}

/** Each line ended by `lineBreak` alone, which is part of the line; an unended last one counts. */
export function lineIds(old: TextPart, fresh: TextPart, lineBreak: '\n' | '\r'): LineIds {
  const starts = [old, fresh].map(({ text, from, to }) => lineStarts(text, lineBreak, from, to));
  const known = new KnownLines(starts[0]!.length + starts[1]!.length);
  const ids = known.idsOf(old, starts[0]!);
  return { old: ids, new: known.idsOf(fresh, starts[1]!), count: known.count };
}

/**
 * Hashes are seeded anew in each process: nobody can choose lines that make all of this quadratic. Numbers go by the
 * order in which lines come, so they do not depend on it.
 */
const SEED = Math.floor(Math.random() * 2 ** 31);

/** The lines seen so far, in a hash table with open addressing: a Map of strings takes ten times as long. */
class KnownLines {
  count = 0;
  /** A number plus one, or 0 for a free place; at most half of them are taken. */
  readonly #table: Uint32Array;
  readonly #hashes: Int32Array;
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;
  #text = '';
  /** The text before it, whose lines have the numbers below `#fromHere`. */
  #textBefore = '';
  #fromHere = 0;

  constructor(most: number) {
    this.#table = new Uint32Array(2 ** Math.ceil(Math.log2(2 * most + 2)));
    this.#hashes = new Int32Array(most);
    this.#starts = new Uint32Array(most);
    this.#ends = new Uint32Array(most);
  }

  /** Gives each line its id. Call it for the first text, and then for the second. */
  idsOf({ text, to }: TextPart, starts: Uint32Array): Uint32Array {
    [this.#textBefore, this.#text, this.#fromHere] = [this.#text, text, this.count];
    const ids = new Uint32Array(starts.length);
    for (let n = 0; n < ids.length; n++)
      ids[n] = this.#idOf(starts[n]!, n + 1 < ids.length ? starts[n + 1]! : to);
    return ids;
  }

  #idOf(start: number, end: number): number {
    const hash = hashOf(this.#text, start, end);
    const mask = this.#table.length - 1;
    let place = hash & mask;
    for (let taken = this.#table[place]!; taken > 0; taken = this.#table[place]!) {
      if (this.#hashes[taken - 1] === hash && this.#isSame(taken - 1, start, end)) return taken - 1;
      place = (place + 1) & mask;
    }
    this.#table[place] = this.count + 1;
    this.#hashes[this.count] = hash;
    this.#starts[this.count] = start;
    this.#ends[this.count] = end;
    return this.count++;
  }

  #isSame(id: number, start: number, end: number): boolean {
    const other = id < this.#fromHere ? this.#textBefore : this.#text;
    const text = this.#text;
    const shift = this.#starts[id]! - start;
    if (this.#ends[id]! !== end + shift) return false;
    for (let at = start; at < end; at++)
      if (text.charCodeAt(at) !== other.charCodeAt(at + shift)) return false;
    return true;
  }
}

/** FNV-1a over pairs of UTF-16 units, with the bits mixed once more (the end of MurmurHash3) since the low ones choose a place. */
function hashOf(text: string, start: number, end: number): number {
  let hash = SEED;
  let at = start;
  for (; at + 1 < end; at += 2)
    hash = Math.imul(hash ^ text.charCodeAt(at) ^ (text.charCodeAt(at + 1) << 16), 0x01000193);
  if (at < end) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
