/**
 * The one matcher: finds the place of every hunk of a patch in a file, or refuses the patch. All hunks are looked for
 * in the text as it is before any of them.
 */

import { type Anchor, type Format, type Hunk, type HunkLine, oldLines } from '../patch.ts';
import { addedBefore } from './already-applied.ts';
import { appliedWords, mismatch, missingAnchorWords } from './mismatch.ts';
import {
  type Limits,
  type PatchedFile,
  type PatchedHunk,
  type PatchTarget,
  type Placement,
  patchedFile,
  placeAtEnd,
} from './patched-file.ts';
import {
  ambiguousAnchor,
  ambiguousHunk,
  anchorPassed,
  anchorRemoved,
  failed,
  hasNewline,
  noEmptyLine,
  outOfOrder,
  placeless,
} from './refusals.ts';

/**
 * The places of all hunks, in the order of the file. Throws PATCH_FAILED for a hunk that fits nowhere, overlaps another
 * or is out of order, AMBIGUOUS for one that fits in several places, and PATCH_SYNTAX for one that names no place.
 */
export function placeHunks(target: PatchTarget, hunks: readonly Hunk[], format: Format): Placement[] {
  const file = patchedFile(target, hunks, format);
  const placed: Placement[] = [];
  for (const [i, hunk] of file.hunks.entries()) {
    const placement = placeHunk({ file, hunk, number: i + 1 }, placed);
    if (format.ordered) checkOrder(file, placement, placed.at(-1));
    placed.push(placement);
  }
  if (format.ordered) return placed;
  const sorted = placed.sort((a, b) => a.start - b.start || a.end - b.end);
  for (const [i, placement] of sorted.entries()) checkOrder(file, placement, sorted[i - 1]);
  return sorted;
}

function placeHunk(at: PatchedHunk, placed: readonly Placement[]): Placement {
  const { file, hunk, number } = at;
  const cursor = file.format.ordered ? (placed.at(-1)?.end ?? 1) : 1;
  const limits: Limits = { anchor: anchorLine(at, placed), cursor };
  const found = { hunk, number, unmarked: false, separated: false, dropsMark: false };
  const core = withoutSeparators(hunk, file.format);
  const bare: PatchedHunk = { file, hunk: core, number };
  for (const one of new Set([hunk, core])) {
    const place = placeOld({ file, hunk: one, number }, limits);
    // All that the hunk holds on to may be an empty line that the file has only behind its final line end.
    const isAtEnd = place && oldLines(core).length === 0 && place.start > file.lines.count;
    if (!place || (one !== core && isAtEnd)) continue;
    const before = addedBefore(bare, place.start, place.end);
    if (before !== null) throw failed(at, appliedWords(before));
    return { ...found, hunk: one, separated: one !== hunk, ...place };
  }
  const passed = placePassed(bare, limits);
  if (passed === null) throw failed(bare, mismatch(bare, limits));
  return { ...found, start: passed, end: passed + oldLines(core).length };
}

/** Takes empty lines off the end of a hunk which may only part it from what follows. */
function withoutSeparators(hunk: Hunk, { bareTail, addsToEmptyEnd }: Format): Hunk {
  const last = hunk.lines.findLastIndex(({ bare }) => !bare);
  const lines = hunk.lines.slice(0, last + 1);
  const holds = addsToEmptyEnd ? lines.some(({ mark }) => mark !== '+') : lines.length > 0;
  return bareTail && holds && lines.length < hunk.lines.length ? { ...hunk, lines } : hunk;
}

type OldPlace = Pick<Placement, 'start' | 'end'> & Partial<Placement>;

function placeOld(at: PatchedHunk, limits: Limits): OldPlace | null {
  const { file, hunk } = at;
  const old = oldLines(hunk);
  if (old.length === 0) {
    const start = insertionPoint(at, limits);
    return { start, end: start };
  }
  const marked = placedAtMark(file, hunk, old);
  if (marked) return { ...marked, start: 1, end: 1 + old.length };
  for (const { texts, unmarked } of readingsOf(file, old)) {
    const start = placeIn(at, limits, texts);
    if (start === null) continue;
    checkFinalLine(at, start, start + old.length);
    return { start, end: start + old.length, unmarked };
  }
  return null;
}

/** Yields the old lines as they are, then as the format lets them be read besides. */
function* readingsOf(
  { exact, format }: PatchedFile,
  old: readonly HunkLine[],
): Generator<{ texts: string[]; unmarked: boolean }> {
  const texts = old.map(({ text }) => text);
  yield { texts, unmarked: false };
  if (!format.unmarked) return;
  const index = exact;
  const asWritten = old.map(({ mark, text }) => {
    return mark === ' ' && !index.has(text) && index.has(` ${text}`) ? ` ${text}` : text;
  });
  if (asWritten.some((text, i) => text !== texts[i])) yield { texts: asWritten, unmarked: true };
}

function placeIn(at: PatchedHunk, limits: Limits, texts: readonly string[]): number | null {
  const { file, hunk } = at;
  const { exact } = file;
  const { anchor, cursor } = limits;
  if (hunk.endOfFile) return placeAtEnd(file, texts, anchor);
  if (anchor > 0 && anchor >= cursor) {
    const after = exact.find(texts, anchor + 1, 1)[0];
    return after ?? (exact.fits(texts, anchor) ? anchor : null);
  }
  if (hunk.hint !== null && exact.fits(texts, hunk.hint)) return hunk.hint;
  const from = hunk.hint === null ? cursor : 1;
  const [start = null, second] = exact.find(texts, from, 2);
  if (second === undefined) return start;
  throw ambiguousHunk(at, exact.find(texts, from));
}

/** Finds the last place of a hunk that stands nowhere behind the hunk before it, so that the refusal can name it. */
function placePassed({ file, hunk }: PatchedHunk, { anchor, cursor }: Limits): number | null {
  if (hunk.endOfFile || anchor > 0 || cursor === 1) return null;
  const texts = oldLines(hunk).map(({ text }) => text);
  return file.exact.find(texts).at(-1) ?? null;
}

/** Returns the line before which a hunk goes that only adds lines. Throws PATCH_FAILED and PATCH_SYNTAX. */
function insertionPoint(at: PatchedHunk, { anchor, cursor }: Limits): number {
  const { count } = at.file.lines;
  if (at.hunk.endOfFile && anchor <= count) return count + 1;
  if (anchor >= cursor && anchor > 0) return anchor + 1;
  if (anchor > 0) throw anchorPassed(at, anchor);
  if (count === 0) return 1;
  throw placeless(at);
}

/** A hunk that writes the byte order mark before its first line fits the first line of the file, which is shown without. */
function placedAtMark(
  file: PatchedFile,
  hunk: Hunk,
  old: readonly HunkLine[],
): Pick<Placement, 'hunk' | 'dropsMark'> | null {
  const first = old[0]!;
  if (!first.text.startsWith('\uFEFF')) return null;
  const texts = old.map(({ text }, i) => (i === 0 ? text.slice(1) : text));
  if (!file.exact.fits(texts, 1)) return null;
  const firstNew = hunk.lines.find(({ mark }) => mark !== '-');
  const keeps = firstNew === undefined || first.mark === ' ' || firstNew.text.startsWith('\uFEFF');
  const lines = hunk.lines.map(line => {
    return line === first || line === firstNew ? { ...line, text: line.text.replace(/^\uFEFF/, '') } : line;
  });
  return { hunk: { ...hunk, lines }, dropsMark: file.target.bom && !keeps };
}

/**
 * Checks that what a hunk says of the final newline holds, and that it does not turn the end of the file into an empty
 * line.
 */
function checkFinalLine(at: PatchedHunk, start: number, end: number): void {
  const { lines } = at.file;
  const old = oldLines(at.hunk);
  const unended = old.find(line => line.end === '');
  if (unended && end - 1 === lines.count && lines.ending(lines.count) !== '') throw hasNewline(at, unended);
  if (lines.count === 0 || end - 1 <= lines.count) return;
  const final = old[lines.count + 1 - start]!;
  const behind = at.hunk.lines.slice(at.hunk.lines.indexOf(final) + 1);
  if (final.mark === ' ' && behind.length > 0) throw noEmptyLine(at, final);
}

function checkOrder(file: PatchedFile, placement: Placement, previous: Placement | undefined): void {
  if (previous === undefined || placement.start >= previous.end) return;
  throw outOfOrder({ file, hunk: placement.hunk, number: placement.number }, placement, previous);
}

/**
 * The line of the hunk's last anchor, 0 where it has none. Throws PATCH_FAILED for an anchor that is not there, or that
 * an earlier hunk removes, and AMBIGUOUS.
 */
function anchorLine(at: PatchedHunk, placed: readonly Placement[]): number {
  let line = 0;
  for (const anchor of at.hunk.anchors) line = lineOf(at, anchor, line);
  const remover = line === 0 ? undefined : placed.find(one => removes(one, line));
  if (remover) throw anchorRemoved(at, line, remover);
  return line;
}

function lineOf(at: PatchedHunk, anchor: Anchor, above: number): number {
  const { file } = at;
  const found = file.exact.find([anchor.text], above + 1);
  if (found.length === 1) return found[0]!;
  if (found.length === 0) throw failed(at, missingAnchorWords(at, anchor, above));
  const inside = above === 0 ? [] : insideBlock(file, above, found);
  if (inside.length === 1) return inside[0]!;
  throw ambiguousAnchor(at, anchor, found);
}

/** Those of the lines that are in the block of line `above`: before the next line that is indented no more than it. */
function insideBlock({ source }: PatchedFile, above: number, found: readonly number[]): number[] {
  const indent = indentOf(source.content(above));
  let end = above + 1;
  const isInside = (line: string): boolean => line.trim() === '' || indentOf(line) > indent;
  while (end <= source.size && isInside(source.content(end))) end++;
  return found.filter(line => line < end);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function removes({ hunk, start, end }: Placement, line: number): boolean {
  if (line < start || line >= end) return false;
  return hunk.lines.filter(({ mark }) => mark !== '+')[line - start]?.mark === '-';
}
