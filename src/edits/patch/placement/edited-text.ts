/** The text of a file after hunks, with the spans that make it so. */

import type { TextFile } from '../../../text/document.ts';
import { fittedSpan, lastLineIsOpen } from '../../../text/line-ends.ts';
import { type Lines, linesOf } from '../../../text/lines.ts';
import { applySpans, type Span } from '../../../text/spans.ts';
import { listed } from '../../../text/words.ts';
import { type Format, type Hunk, type HunkLine, oldLines } from '../patch.ts';
import type { Placement } from './patched-file.ts';
import { placeHunks } from './place.ts';

export const BOM = '\uFEFF';

export interface EditedText {
  spans: Span[];
  /** The file has a byte order mark, and the hunks take it away. */
  bom: boolean;
  dropsMark: boolean;
  notes: string[];
  /** Made when it is asked for: a file that is only moved may be no text. */
  text(): string;
}

/** Applies the hunks to the text of the file. Throws as placeHunks. */
export function editedText(path: string, file: TextFile, hunks: readonly Hunk[], format: Format): EditedText {
  const { bom } = file;
  if (hunks.length === 0) return { spans: [], bom, dropsMark: false, notes: [], text: () => file.text };
  const placements = placeHunks({ path, text: file.text, bom }, hunks, format);
  const lines = linesOf(file.text);
  const runs = joined(placements.flatMap(placement => runsOf(lines, placement, format)));
  const spans = runs.flatMap(run => (run.exact ? exactSpan(lines, run) : fitted(lines, run)) ?? []);
  const [first] = spans;
  if (bom && first?.start === 0 && first.text.startsWith(BOM)) first.text = first.text.slice(BOM.length);
  return {
    spans,
    bom,
    dropsMark: placements.some(one => one.dropsMark),
    notes: placementNotes(path, file.text, placements, format),
    text: () => applySpans(file.text, spans),
  };
}

function placementNotes(
  path: string,
  text: string,
  placements: readonly Placement[],
  { word, lineEnds }: Format,
): string[] {
  const note = (which: readonly Placement[], words: (name: string) => string): string[] => {
    const numbers = which.map(({ number }) => number);
    return which.length === 0
      ? []
      : [words(`${word}${which.length === 1 ? '' : 's'} ${listed(numbers, SHOWN)} of ${path}`)];
  };
  const moved = placements.filter(({ hunk, start }) => hunk.hint !== null && hunk.hint !== start);
  return [
    ...note(
      placements.filter(({ unmarked }) => unmarked),
      name => `${name}: context lines without the space before them were taken as they are written`,
    ),
    ...note(
      placements.filter(({ separated }) => separated),
      name => `${name}: empty lines at the end were taken for separators, not for context`,
    ),
    ...note(
      placements.filter(({ hunk }) => hunk.numbered),
      name => `${name}: the line numbers behind "@@" were not used, because this format has none`,
    ),
    ...note(
      moved,
      name =>
        `${name}: not at the line that the header says, ${moved.length > 1 ? 'the first ' : ''}at line ${moved[0]!.start} instead of ${moved[0]!.hunk.hint}`,
    ),
    ...note(
      lineEnds ? withOtherEnds(text, placements) : [],
      name => `${name}: the line ends of the patch are not those of the file, which were kept`,
    ),
  ];
}

const SHOWN = 10;

function withOtherEnds(text: string, placements: readonly Placement[]): Placement[] {
  const lines = linesOf(text);
  return placements.filter(({ hunk, start }) => {
    return oldLines(hunk).some(({ end }, i) => end !== lines.ending(start + i));
  });
}

/** Lines removed and added at one place, without context between them. */
interface Run {
  /** The first removed line, 1-based, or the line before which lines are added. */
  start: number;
  removed: number;
  added: HunkLine[];
  /** The line ends of the patch are those of the file: added lines are meant with theirs. */
  exact: boolean;
  /** The patch says which lines have no newline, so a last line without that word has one. */
  knowsEnd: boolean;
}

function runsOf(lines: Lines, { hunk, start }: Placement, { lineEnds = false }: Format): Run[] {
  const exact = lineEnds && oldLines(hunk).every(({ end }, i) => end === lines.ending(start + i));
  const knowsEnd = lineEnds && hunk.lines.some(({ end }) => end === '');
  const runs: Run[] = [];
  let at = start;
  let run: Run | null = null;
  for (const line of hunk.lines) {
    if (line.mark === ' ') run = null;
    else if (run === null) runs.push((run = { start: at, removed: 0, added: [], exact, knowsEnd }));
    if (line.mark === '-') run!.removed++;
    if (line.mark === '+') run!.added.push(line);
    else at++;
  }
  return runs;
}

/** Joins runs that touch, as those of two hunks may: what becomes of the end of the file depends on both. */
function joined(runs: readonly Run[]): Run[] {
  const all: Run[] = [];
  for (const run of runs) {
    const last = all.at(-1);
    if (last === undefined || last.start + last.removed !== run.start) {
      all.push({ ...run, added: [...run.added] });
      continue;
    }
    last.removed += run.removed;
    for (const line of run.added) last.added.push(line);
    last.exact &&= run.exact;
    last.knowsEnd ||= run.knowsEnd;
  }
  return all;
}

function exactSpan(lines: Lines, { start, removed, added }: Run): Span | null {
  const from = lines.offset(start);
  const to = lines.offset(start + removed);
  const text = added.map(line => line.text + line.end).join('');
  return text === lines.text.slice(from, to) ? null : { start: from, end: to, text };
}

/**
 * Makes the span of a run whose added lines take the line ends of their place, or, in a file without any, those of the
 * patch. The end of the file stays ended or not, as it is.
 */
function fitted(lines: Lines, run: Run): Span | null {
  const { start, removed, added, knowsEnd } = run;
  const open = lastLineIsOpen(lines);
  const ends = added.map(({ end }) => end || '\n');
  const texts = added.map(({ text }, i) => (i === 0 ? text : ends[i - 1] + text)).join('');
  const next = start + removed;
  if (knowsEnd && next > lines.count) return endSpan(lines, run, texts);
  if (added.length === 0) return removal(lines, start, next);
  const from = lines.offset(start);
  if (removed > 0) return fittedSpan(lines, from, contentEndOf(lines, next - 1), texts);
  const behindEnd = start > lines.count + 1 || (start > lines.count && open);
  return fittedSpan(lines, from, from, behindEnd ? ends[0] + texts : texts + ends.at(-1));
}

/** Makes the span of a run at the end of the file, where the patch says whether that has a newline. */
function endSpan(lines: Lines, { start, removed, added }: Run, texts: string): Span | null {
  const from = lines.offset(start);
  const before = removed === 0 && lastLineIsOpen(lines) ? '\n' : '';
  const after = added.length > 0 && added.at(-1)!.end !== '' ? '\n' : '';
  return fittedSpan(lines, from, lines.text.length, before + texts + after);
}

/** Removes lines with their line ends; where the last line has none, the one before them goes instead. */
function removal(lines: Lines, start: number, next: number): Span {
  const { count, text } = lines;
  const toTheEnd = next > count + 1 || (next > count && lastLineIsOpen(lines));
  if (!toTheEnd) return { start: lines.offset(start), end: lines.offset(next), text: '' };
  return { start: start > 1 ? contentEndOf(lines, start - 1) : 0, end: text.length, text: '' };
}

function contentEndOf(lines: Lines, n: number): number {
  return n <= lines.count ? lines.contentEnd(n) : lines.text.length;
}
