/** Why a hunk has no place: the refusals of the matcher, each with the hunk, its line in the patch, and what to do. */

import { EditError } from '../../../errors.ts';
import { ambiguous, COMPARED } from '../../../text/search/ambiguous.ts';
import type { TextRange } from '../../../text/search/match.ts';
import { counted, lineWords, listed, quoted } from '../../../text/words.ts';
import { capital, pathName } from '../../../wording.ts';
import { type Anchor, type HunkLine, oldLines } from '../patch.ts';
import type { Mismatch } from './mismatch.ts';
import type { PatchedHunk, Placement } from './patched-file.ts';

export function ambiguousHunk(at: PatchedHunk, starts: readonly number[]): EditError {
  const { hint } = at.hunk;
  const why = hint === null ? '' : `, and the line in its header (${hint}) is none of its places`;
  const ways = waysTo(at, starts);
  return severalPlaces(at, starts, oldLines(at.hunk).length, { why, name: 'its old text', advice: '', ways });
}

export function ambiguousAnchor(at: PatchedHunk, anchor: Anchor, found: readonly number[]): EditError {
  const name = `the anchor ${quoted(`@@ ${anchor.text}`)}`;
  const why = ', because an anchor has to be the only line like it, or be so after the @@ line above it';
  const advice =
    '\nPut an @@ line with a unique line above the anchor, or give the lines around the change as context instead.';
  return severalPlaces(at, found, 1, { why, name, advice });
}

/** The refusal of an ambiguous hunk names the way to at most this many places. */
const LED_TO = 10;

/** Tells how to make the hunk fit one of the places; answers `null` where only more of its own lines can do that. */
function waysTo(at: PatchedHunk, starts: readonly number[]): string[] | null {
  const { format } = at.file;
  if (format.lineEnds) {
    const which = starts.length > LED_TO ? 'the place that you mean' : `${listed(starts)} that you mean`;
    return [`Begin its header with the line of ${which}, or give more lines around the change as context.`];
  }
  if (!format.finalLine || at.hunk.anchors.length > 0) return null;
  const some = starts.slice(0, LED_TO);
  const anchors = some.map((start, i) => anchorFor(at, start, i === 0 ? 0 : some[i - 1]!));
  if (anchors.some(anchor => anchor === null)) return null;
  const { lines } = at.file;
  return [
    'Put one of these lines above it:',
    ...anchors.map(line => `@@ ${lines.content(line!)}`),
    ...(starts.length > some.length
      ? [`... and ${counted(starts.length - some.length, 'more place')}.`]
      : []),
  ];
}

/** A line that occurs once between the place before and this one; the nearest that is indented less, else the nearest. */
function anchorFor(
  { file: { lines, exact }, hunk }: PatchedHunk,
  start: number,
  previous: number,
): number | null {
  const [first] = oldLines(hunk).filter(({ text }) => text.trim() !== '');
  const indent = (text: string): number => text.length - text.trimStart().length;
  let nearest: number | null = null;
  for (let line = start - 1; line > previous && line > start - LONGEST_WAY; line--) {
    const text = lines.content(line);
    if (text.trim() === '' || text.length > LONGEST_ANCHOR || exact.find([text], 1, 2).length > 1) continue;
    if (first && indent(text) < indent(first.text)) return line;
    nearest ??= line;
  }
  return nearest;
}

/** So far above a place, in lines, and so long, in units, its anchor may be. */
const LONGEST_WAY = 500;
const LONGEST_ANCHOR = 200;

function severalPlaces(
  at: PatchedHunk,
  starts: readonly number[],
  count: number,
  { why, name, advice, ways = null }: { why: string; name: string; advice: string; ways?: string[] | null },
): EditError {
  const { file } = at;
  const places = starts.slice(0, COMPARED).map((start): TextRange => {
    return { start: file.lines.offset(start), end: file.lines.offset(start + count) };
  });
  const error = ambiguous(file.target, starts.length, places, { name }, ways);
  const message = `${nameOf(at)} is ambiguous${why}: ${EditError.wording(error)}${advice}`;
  return new EditError('AMBIGUOUS', message, { ...error.data, ...dataOf(at) }, { cause: error });
}

export function anchorRemoved(at: PatchedHunk, line: number, remover: Placement): EditError {
  const { word } = at.file.format;
  const words = `its anchor, line ${line}, is removed by ${word} ${remover.number}. Join the two, or take a line that stays.`;
  return failed(at, { words, data: { line } });
}

export function anchorPassed(at: PatchedHunk, anchor: number): EditError {
  const { word } = at.file.format;
  const words = `it adds lines after its anchor, line ${anchor}, which stands before the end of ${word} ${at.number - 1}. Put all lines that go there into one ${word}, and send them in the order of the file.`;
  return failed(at, { words, data: { line: anchor } });
}

/** Refuses a hunk that only adds lines and has nothing that says where. */
export function placeless(at: PatchedHunk): EditError {
  const { lineEnds, finalLine } = at.file.format;
  const advice = lineEnds
    ? 'give lines of the file around them as context (a line number alone is no proof of a place)'
    : finalLine
      ? 'give lines of the file around them as context, or an "@@ " line with the line that they come after'
      : 'give the lines that they go next to as the old text, and repeat those in the new text';
  const message = `${nameOf(at)} only adds lines, and does not say where in ${pathName(at.file.target.path)}. Nothing was changed. To place them, ${advice}.`;
  return new EditError('PATCH_SYNTAX', message, dataOf(at));
}

export function hasNewline(at: PatchedHunk, line: HunkLine): EditError {
  const words = `by line ${line.at} of the patch the file has no newline at its end, but it has one. Leave the line "\\ No newline at end of file" out there.`;
  return failed(at, { words, data: { final_newline: true } });
}

/** Refuses an empty context line that could only be the end of the file behind its final newline. */
export function noEmptyLine(at: PatchedHunk, line: HunkLine): EditError {
  const { count } = at.file.lines;
  const words = `line ${line.at} of the patch is an empty context line, but the file has no empty line there: it ends with line ${count}. Leave the empty line out.`;
  return failed(at, { words, data: { line: count } });
}

/** Refuses a hunk that fits before another one of the patch, or overlaps it. */
export function outOfOrder(at: PatchedHunk, { start, end }: Placement, other: Placement): EditError {
  const { word, ordered } = at.file.format;
  const [here, there] = [rangeWords(start, end), rangeWords(other.start, other.end)];
  const data = { start_line: start, end_line: end - 1, other_hunk: other.number };
  const words =
    end > other.start || !ordered
      ? `it fits ${here}, and overlaps ${word} ${other.number}, which fits ${there}. Join the two into one.`
      : `it fits ${here}, before ${word} ${other.number}, which fits ${there}. Send the ${word}s in the order of the file.`;
  return failed(at, { words, data });
}

function rangeWords(start: number, end: number): string {
  return end <= start ? `before line ${start}` : `at ${lineWords(start, end - 1)}`;
}

/** Creates PATCH_FAILED: "Hunk 2 (...) does not fit f.txt, so nothing was changed: ", then the words. */
export function failed(at: PatchedHunk, { words, data }: Mismatch): EditError {
  const message = `${nameOf(at)} does not fit ${pathName(at.file.target.path)}, so nothing was changed: ${words}`;
  return new EditError('PATCH_FAILED', message, { ...dataOf(at), ...data });
}

function nameOf({ file, hunk, number }: PatchedHunk): string {
  const { word } = file.format;
  return `${capital(word)} ${number} (line ${hunk.at} of the patch)`;
}

function dataOf({ file, hunk, number }: PatchedHunk): { path: string; hunk: number; patch_line: number } {
  return { path: file.target.path, hunk: number, patch_line: hunk.at };
}
