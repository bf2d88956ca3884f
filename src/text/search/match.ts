/** Every exact occurrence of a text in a file, where a line end matches a line end, whichever kind. */

import { firstNotBefore } from '../../sorted.ts';
import { lineBreakOf } from '../lines.ts';

/** Part of a text: `start` to `end` (exclusive), in UTF-16 units. */
export interface TextRange {
  start: number;
  end: number;
}

export interface Occurrences {
  /** The number of places, counted exactly. */
  count: number;
  /** The first of them, up to the limit, in order. */
  places: TextRange[];
}

/** Up to this many comparisons the engine's own search is used, which is fastest and may be quadratic. */
const QUADRATIC_BUDGET = 100_000_000;
const SHORT = 32;

/**
 * Every occurrence of `old` in `text`, the first `limit` of them listed: overlapping ones too (`aa` occurs twice in `aaa`),
 * or those `apart` that replacing all replaces, from left to right. Places are those of `text` itself and never part a CRLF.
 * Linear in the lengths of both. RangeError for an empty `old`.
 */
export function occurrences(text: string, old: string, limit: number, apart?: 'apart'): Occurrences {
  if (old === '') throw new RangeError('nothing to search for');
  // Line ends are compared as LF, and places told by the offsets of the text itself.
  const ends = lineBreakOf(text) === '\r' ? /\r\n|\r/g : /\r\n/g;
  const needle = old.replace(ends, '\n');
  const breaks = crlfOffsets(text);
  const offset = (at: number): number => at + firstNotBefore(0, breaks.length, n => breaks[n]! < at);
  const found: Occurrences = { count: 0, places: [] };
  let free = 0;
  for (const start of starts(text.replace(ends, '\n'), needle)) {
    if (start < free && apart) continue;
    free = start + needle.length;
    if (found.count++ < limit) found.places.push({ start: offset(start), end: offset(free) });
  }
  return found;
}

/** Where the LF of each CRLF stands once every CR before an LF is gone. */
function crlfOffsets(text: string): number[] {
  const offsets: number[] = [];
  for (let at = text.indexOf('\r\n'); at >= 0; at = text.indexOf('\r\n', at + 2))
    offsets.push(at - offsets.length);
  return offsets;
}

function* starts(text: string, old: string): Generator<number> {
  const isCheap = old.length <= SHORT || old.length * text.length <= QUADRATIC_BUDGET;
  if (!isCheap) yield* linearPlaces(unitsOf(text), unitsOf(old));
  else for (let at = text.indexOf(old); at >= 0; at = text.indexOf(old, at + 1)) yield at;
}

function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  for (let at = 0; at < units.length; at++) units[at] = text.charCodeAt(at);
  return units;
}

/** Every place of `wanted`, which is not empty, in `row` from index `from` on, overlapping ones too. */
export function* linearPlaces<Item>(
  row: ArrayLike<Item>,
  wanted: ArrayLike<Item>,
  from = 0,
): Generator<number> {
  const borders = borderLengths(wanted);
  let matched = 0;
  for (let at = from; at < row.length; at++) {
    while (matched > 0 && wanted[matched] !== row[at]) matched = borders[matched - 1]!;
    if (wanted[matched] === row[at]) matched++;
    if (matched < wanted.length) continue;
    yield at - matched + 1;
    matched = borders[matched - 1]!;
  }
}

/** For each beginning of a row, the length of its longest proper beginning that is also its end. */
function borderLengths<Item>(row: ArrayLike<Item>): Int32Array {
  const borders = new Int32Array(row.length);
  for (let at = 1, matched = 0; at < row.length; at++) {
    while (matched > 0 && row[matched] !== row[at]) matched = borders[matched - 1]!;
    if (row[matched] === row[at]) matched++;
    borders[at] = matched;
  }
  return borders;
}

/** A file's path and text, of which `TextFile` is one. */
export interface Searched {
  readonly path: string;
  readonly text: string;
  /** The version that a call may cite which names lines; '' or absent for a text that is not written yet. */
  readonly version?: string;
}

/** Options of a search for the place of an old text that let a refusal speak the caller's words. */
export interface FindOptions {
  /** The caller's name for the text that is looked for; default `old_str`. */
  name?: string;
  /** The text that is to replace it, to see whether it is there already. */
  replacement?: string;
  /** The caller's name for the replacement; default `new_str`. */
  replacementName?: string;
  /** The field that allows several places, if there is one: `replace_all`. */
  allField?: string | undefined;
}
