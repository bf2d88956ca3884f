/** The nearest text in a file to one that does not occur in it, and what sets the two apart. It only explains. */

import type { Lines } from '../lines.ts';
import { align, closestAlignment, type Gap, linesGiven } from './align.ts';
import { divergences, similarWords } from './divergence.ts';
import { type Difference, type DifferenceKind, differences, outerBreaks } from './explain.ts';
import { interpretations, type Reading } from './interpretations.ts';
import { type LooseText, looseKey, looseText, originalPlace } from './loose.ts';
import { occurrences, type TextRange } from './match.ts';
import { likelyStarts, type Search, similarLine } from './similar.ts';

export interface Nearest {
  /** 1-based, inclusive. */
  startLine: number;
  endLine: number;
  /** The file's own text there, byte for byte (with the file's line ends). */
  text: string;
  /** The difference in words: one or more clauses without a final stop. */
  difference: string;
  kinds: DifferenceKind[];
  /** The line of the first difference, for showing a part of a long text. */
  differsAt: number;
  /** True when nothing else than `difference` sets it apart and `text` occurs exactly once: it is the text to use. */
  exactOnce: boolean;
  /** At how many places the text is the same but for such differences. */
  places: number;
  /** Where the two first part, when more sets them apart than a reader sees. */
  gap: Gap | null;
  /** First lines of other places that are as near, the nearest of them first. */
  others: number[];
}

export interface NearestSearch {
  nearest: Nearest | null;
  /** The number of lines searched for similar text: fewer than the file has when the file is large. */
  searchedLines: number;
}

/** Similar text is searched for in the beginning of a file up to so many units and lines. */
const SEARCHED_UNITS = 8_000_000;
const SEARCHED_LINES = 1_000_000;
/** The most places compared that are the same to a reader, to take the closest; of a long text the first is taken. */
const COMPARED_PLACES = 10;
const LONG_TEXT = 20_000;
/** The most lines of an old text that are laid beside those of the file. */
const ALIGNED_LINES = 50_000;

/** Finds the text nearest to `old`, which does not occur in the file and is called `name`. Bounded in time. */
export function nearestText(lines: Lines, old: string, name = 'old_str', search: Search = {}): NearestSearch {
  const all = interpretations(old, name);
  // Of a reading that occurs exactly only what it says is wrong.
  const copied = firstFound(all.slice(1), reading => {
    const { count, places } = occurrences(lines.text, reading.text, 1);
    return count === 0 ? null : nearestAt(lines, places[0]!, copiedIn(reading), count);
  });
  if (copied) return { nearest: copied, searchedLines: lines.count };
  const loose = looseText(lines, SEARCHED_UNITS, SEARCHED_LINES);
  const nearest =
    firstFound(all, reading => looseReading(lines, loose, reading, name)) ??
    // Of a text whose every line has a number, the reading without them.
    partlySame(lines, loose, all.find(({ kind }) => kind === 'line-number prefix') ?? all[0]!, {
      ...search,
      name,
    });
  return { nearest, searchedLines: loose.count };
}

/** Where a text is in the file already. */
export interface AlreadyThere {
  /** The first of `lines`. */
  line: number;
  count: number;
  /** The lines at which it begins, as far as they are looked for. */
  lines: number[];
}

/** The most places of a replacement that are looked at. */
const REPLACED_PLACES = 100;

/** Finds where a text is in the file already; `null` for one that is not, and for a blank one. */
export function alreadyThere(lines: Lines, wanted: string): AlreadyThere | null {
  if (wanted.trim() === '') return null;
  const { count, places } = occurrences(lines.text, wanted, REPLACED_PLACES);
  const at = places.map(({ start }) => lines.lineAt(start));
  return count === 0 ? null : { line: at[0]!, count, lines: [...new Set(at)] };
}

function firstFound<T, R>(list: readonly T[], find: (item: T) => R | null): R | null {
  for (const item of list) {
    const found = find(item);
    if (found !== null) return found;
  }
  return null;
}

/** Finds a reading that is the same to a reader as some part of the file: only what a reader does not see is wrong. */
function looseReading(lines: Lines, loose: LooseText, reading: Reading, name: string): Nearest | null {
  const key = looseKey(reading.text);
  if (key === '') return null;
  const { count, places } = occurrences(loose.text, key, key.length > LONG_TEXT ? 1 : COMPARED_PLACES);
  const found = places.map(place => looseCandidate(lines, loose, place, reading, name));
  const best = found.sort((a, b) => a.kinds.length - b.kinds.length)[0];
  return best === undefined ? null : { ...best, places: count };
}

function looseCandidate(
  lines: Lines,
  loose: LooseText,
  place: TextRange,
  reading: Reading,
  name: string,
): Nearest {
  const seen = originalPlace(lines, loose, place);
  const part = widened(lines, seen, reading.text);
  const found = differencesAt(lines, part, reading, name);
  if (!found.some(({ kind }) => kind === 'indentation')) return nearestAt(lines, part, found, 1);
  const whole = widened(lines, seen, reading.text, true);
  return nearestAt(lines, whole, differencesAt(lines, whole, reading, name), 1);
}

function differencesAt(
  lines: Lines,
  { start, end }: TextRange,
  reading: Reading,
  name: string,
): Difference[] {
  const rest = lines.text.slice(end, Math.max(end, lines.contentEnd(lines.lineAt(end - 1))));
  const exact = lines.text.slice(start, end);
  return [...copiedIn(reading), ...differences(reading.text, exact, lines.lineAt(start), rest, name)];
}

function nearestAt(lines: Lines, place: TextRange, found: Difference[], places: number): Nearest {
  const text = lines.text.slice(place.start, place.end);
  return {
    startLine: lines.lineAt(place.start),
    endLine: lines.lineAt(Math.max(place.start, place.end - 1)),
    differsAt: lines.lineAt(place.start),
    text,
    difference: found.map(({ words }) => words).join('; '),
    kinds: [...new Set(found.map(({ kind }) => kind))],
    exactOnce: occurrences(lines.text, text, 1).count === 1,
    places,
    gap: null,
    others: [],
  };
}

/** Finds a place that holds some of the old text's lines, or at least one that is much like its longest. */
function partlySame(
  lines: Lines,
  loose: LooseText,
  reading: Reading,
  search: Search & { name: string },
): Nearest | null {
  const { name } = search;
  const oldLines = linesGiven(reading.text).slice(0, ALIGNED_LINES);
  const oldKeys = oldLines.map(looseKey);
  const placed = closestAlignment(oldKeys, loose, likelyStarts(oldKeys, loose, search));
  const similar = placed ? null : similarLine(oldKeys, loose, search);
  const found = placed ?? similar;
  if (found === null) return null;
  const { others } = found;
  const alignment = placed?.alignment ?? align(oldKeys, loose, similar!.fileLine - similar!.oldLine);
  if (placed || alignment.same.length > 0) {
    const apart = [...copiedIn(reading), ...divergences(alignment, oldLines, lines, name)];
    return { ...linesNearest(lines, alignment, apart, alignment.gaps[0] ?? null), others };
  }
  const { fileLine, oldLine } = similar!;
  const words = similarWords(similar!, oldLines, lines, name);
  const gap = { oldStart: oldLine, oldEnd: oldLine + 1, fileStart: fileLine, fileEnd: fileLine + 1 };
  const apart: Difference[] = [...copiedIn(reading), { kind: 'text', words }];
  return { ...linesNearest(lines, { start: fileLine, end: fileLine }, apart, gap), others };
}

function linesNearest(
  lines: Lines,
  { start, end }: { start: number; end: number },
  found: Difference[],
  gap: Gap | null,
): Nearest {
  const place = { start: lines.start(start), end: lines.contentEnd(end) };
  const differsAt = Math.min(gap?.fileStart ?? start, lines.count);
  return { ...nearestAt(lines, place, found, 1), endLine: end, differsAt, gap, exactOnce: false };
}

function copiedIn({ kind, words }: Reading): Difference[] {
  return kind === null ? [] : [{ kind, words }];
}

/**
 * The place with the indentation before it, when the old text begins with a blank or `indented` is set; with the blanks
 * after it, when the old text has some; and with as many line ends around it as the old text has, if they are there.
 */
export function widened(lines: Lines, place: TextRange, old: string, indented = false): TextRange {
  const { lead, tail } = outerBreaks(old);
  return {
    start: indented || old.trimStart() !== old ? widerStart(lines, place.start, lead) : place.start,
    end: old.trimEnd() !== old ? widerEnd(lines, place.end, tail) : place.end,
  };
}

function widerStart(lines: Lines, start: number, breaks: number): number {
  const line = lines.lineAt(start);
  if (lines.text.slice(lines.start(line), start).trim() !== '') return start;
  let at = line;
  for (let left = breaks; left > 0 && at > 1; left--) {
    if (left === 1 || !isBlank(lines, at - 1)) return lines.contentEnd(at - 1);
    at--;
  }
  return lines.start(at);
}

function widerEnd(lines: Lines, end: number, breaks: number): number {
  const line = lines.lineAt(end - 1);
  if (lines.text.slice(end, lines.contentEnd(line)).trim() !== '') return end;
  if (breaks === 0) return lines.contentEnd(line);
  let at = line;
  for (let left = breaks - 1; left > 0 && at < lines.count && isBlank(lines, at + 1); left--) at++;
  return lines.end(at);
}

function isBlank(lines: Lines, line: number): boolean {
  return lines.content(line).trim() === '';
}
