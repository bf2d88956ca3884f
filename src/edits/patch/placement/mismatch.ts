/** Words for a hunk whose old lines stand nowhere: that it was done before, or where it first differs. */

import type { ErrorDataByCode, HunkDifference } from '../../../errors.ts';
import type { Lines } from '../../../text/lines.ts';
import { lineDifference } from '../../../text/search/divergence.ts';
import { differences } from '../../../text/search/explain.ts';
import { nearestText } from '../../../text/search/nearest.ts';
import { ellipsisWords, othersWords, ownText } from '../../../text/search/no-match.ts';
import { counted, lineWords, quoted } from '../../../text/words.ts';
import { Look, look, pathName } from '../../../wording.ts';
import { type Anchor, type HunkLine, newLines, oldLines } from '../patch.ts';
import { appliedAt, isItsPlace } from './already-applied.ts';
import { type NearestPlace, nearestPlace } from './nearest-place.ts';
import type { Limits, PatchedFile, PatchedHunk } from './patched-file.ts';

/** Data of a PATCH_FAILED refusal; whoever throws it adds the file and the number of the hunk. */
export type MismatchData = Partial<ErrorDataByCode['PATCH_FAILED']> & Readonly<Record<string, unknown>>;

/** Words to go on with after "it does not fit: ", and data for the refusal. */
export interface Mismatch {
  words: string;
  data: MismatchData;
}

/** Explains why the old lines of the hunk stand nowhere within the limits. */
export function mismatch(at: PatchedHunk, limits: Limits): Mismatch {
  const applied = appliedAt(at, limits);
  if (applied !== null)
    return isItsPlace(at, limits, applied)
      ? appliedWords(applied)
      : perhapsApplied(at, applied, differs(at, limits));
  const old = oldLines(at.hunk).map(({ text }) => text);
  const [elsewhere] = at.file.exact.find(old, 1, 1);
  if (elsewhere !== undefined) return fitsElsewhere(at, elsewhere);
  const twice = givenTwice(at);
  return twice === null ? differs(at, limits) : twiceWords(at, twice);
}

/** Lines that a hunk has as context and, right before or after that, as removed ones. */
interface Twice {
  context: readonly HunkLine[];
  removed: readonly HunkLine[];
}

/** The longest runs of lines that are compared, and how often the rest is searched for in the file. */
const LONGEST_RUN = 50;
const SEARCHES = 20;

/** The run of lines that was given twice, where the hunk fits without the context; `null` where none is the reason. */
function givenTwice({ hunk, file }: PatchedHunk): Twice | null {
  const old = oldLines(hunk);
  let searches = 0;
  for (let start = 1; start < old.length && searches < SEARCHES; start++) {
    if (old[start - 1]!.mark === old[start]!.mark) continue;
    for (let size = 1; size <= Math.min(start, old.length - start, LONGEST_RUN); size++) {
      const [before, after] = [old.slice(start - size, start), old.slice(start, start + size)];
      const [context, removed] = before.at(-1)!.mark === ' ' ? [before, after] : [after, before];
      if (context.some(line => line.mark !== ' ') || removed.some(line => line.mark !== '-')) break;
      if (before.some(({ text }, i) => text !== after[i]!.text)) continue;
      searches++;
      const once = old.filter(line => !context.includes(line)).map(({ text }) => text);
      if (file.exact.find(once, 1, 1).length > 0) return { context, removed };
    }
  }
  return null;
}

function twiceWords({ file }: PatchedHunk, { context, removed }: Twice): Mismatch {
  const one = context.length === 1;
  const [kept, gone] = [context, removed].map(run => lineWords(run[0]!.at, run.at(-1)!.at));
  const what = one ? `the same line, ${quoted(context[0]!.text)}` : 'the same lines';
  const words =
    `${kept} of the patch ${one ? 'is' : 'are'} context, and ${gone} ${one ? 'removes' : 'remove'} ${what}: ${pathName(file.target.path)} has that once. ` +
    `A line that is replaced or removed is given once, with "-": leave ${kept} out.`;
  return { words, data: { given_twice: { context: context[0]!.at, removed: removed[0]!.at } } };
}

/** Says that the hunk is applied already, from this line on. */
export function appliedWords(line: number): Mismatch {
  const words = `it is already applied at line ${line}. Go on without it, or ${look()} the file and send what is still to be done.`;
  return { words, data: { already_applied: { line }, nearest: null, first_difference: null } };
}

/** Says that the hunk may be applied already, from this line on; and what differs, unless that is nearest to this line itself. */
function perhapsApplied({ hunk }: PatchedHunk, line: number, { words, data }: Mismatch): Mismatch {
  const { nearest } = data;
  const isHere = nearest && nearest.start_line < line + newLines(hunk).length && nearest.end_line >= line;
  const otherwise = isHere ? `${look()} the file and send what is still to be done.` : words;
  return {
    words: `it may be already applied at line ${line}, where its new lines are. If so, go on without it. If not, ${otherwise}`,
    data: { ...data, already_applied: { line } },
  };
}

/** Says why an anchor is no line behind line `above`, which may be because the hunk itself removed it. */
export function missingAnchorWords(at: PatchedHunk, { text }: Anchor, above: number): Mismatch {
  const removes = at.hunk.lines.some(line => line.mark === '-' && line.text.trim() === text.trim());
  const limits = { anchor: above, cursor: 1 };
  const applied = removes ? appliedAt(at, limits) : null;
  if (applied !== null && isItsPlace(at, limits, applied)) return appliedWords(applied);
  const where = above === 0 ? '' : ` after line ${above}, which the @@ line above it names`;
  const words = [
    `no line is its anchor ${quoted(text)}${where}.`,
    nearestLine(at.file, text, above),
    'An anchor is a whole line.',
  ].join(' ');
  const missing = { words, data: { anchor: text } };
  return applied === null ? missing : perhapsApplied(at, applied, missing);
}

/** Says that the old lines are in the file, but not where the anchor or the end-of-file mark of the hunk says. */
function fitsElsewhere({ file, hunk }: PatchedHunk, start: number): Mismatch {
  const { lines, format } = file;
  const last = start + oldLines(hunk).length - 1;
  const where = lineWords(start, last);
  const words = hunk.endOfFile
    ? `the patch says that it ends where the file ends, but it fits at ${where} of ${lines.count}. Take the end-of-file mark out of the patch, or the lines from the end of the file.`
    : `its old lines are ${where}, but that is not behind its anchor, or not behind the ${format.word} before it. Send anchors that stand above the lines, and ${format.word}s in the order of the file.`;
  return { words, data: { start_line: start, end_line: last, line_count: lines.count } };
}

function differs(at: PatchedHunk, limits: Limits): Mismatch {
  const { file, hunk } = at;
  const { lines } = file;
  const old = oldLines(hunk);
  const name = `${file.format.word} ${at.number}`;
  const nearest = nearestPlace(at, limits);
  const ellipsis = ellipsisWords(old.map(({ text }) => text).join('\n'), nearest, name).map(one => ` ${one}`);
  if (nearest === null) {
    const line = old.find(({ text }) => text.trim() !== '') ?? old[0]!;
    const size = lines.count === 0 ? 'The file is empty.' : `The file has ${counted(lines.count, 'line')}.`;
    const words = `nothing in the file is like its old lines, of which the first is ${quoted(line.text)} (line ${line.at} of the patch). ${size} ${Look()} it and copy the lines exactly.${ellipsis.join('')}`;
    return { words, data: { nearest: null, first_difference: differenceData(line, null, null) } };
  }
  const first = firstDifference(file, old, nearest);
  const difference = nearest.kinds.includes('text')
    ? differenceWords(file, old, nearest)
    : nearest.difference;
  const where = `${lineWords(nearest.startLine, nearest.endLine)}${othersWords(nearest)}`;
  const words = [
    `the nearest place is ${where}: ${difference}.${ellipsis.join('')}`,
    ...ownText(lines, nearest),
  ].join('\n');
  return {
    words,
    data: {
      first_difference: differenceData(first.line, first.at, first.there),
      nearest: {
        start_line: nearest.startLine,
        end_line: nearest.endLine,
        text: nearest.text.slice(0, DATA_UNITS),
        difference: nearest.difference,
        kinds: nearest.kinds,
      },
    },
  };
}

interface FirstDifference {
  line: HunkLine;
  /** The line of the file beside it, 1-based. */
  at: number;
  /** `null` behind the end of the file. */
  there: string | null;
}

function firstDifference(
  { lines }: PatchedFile,
  old: readonly HunkLine[],
  { gap, startLine }: NearestPlace,
): FirstDifference {
  const contentAt = (n: number): string | null => (n <= lines.count ? lines.content(n) : null);
  const found = old.findIndex(({ text }, i) => text !== contentAt(startLine + i));
  const i = gap === null ? Math.max(0, found) : Math.min(gap.oldStart, old.length - 1);
  const at = gap === null ? startLine + i : gap.fileStart;
  return { line: old[i]!, at, there: contentAt(at) };
}

/** Says where the hunk and the file first part, with the lines of both. */
function differenceWords({ lines }: PatchedFile, old: readonly HunkLine[], nearest: NearestPlace): string {
  const { gap, difference } = nearest;
  if (gap === null) return difference;
  const line = old[Math.min(gap.oldStart, old.length - 1)]!;
  if (gap.fileStart > lines.count)
    return `line ${line.at} of the patch is ${quoted(line.text)}, but the file ends with line ${lines.count}`;
  if (gap.oldEnd === gap.oldStart) {
    const before = gap.oldStart < old.length ? ` before its line ${line.at}` : '';
    return `the patch leaves out ${lineWords(gap.fileStart, gap.fileEnd - 1)}${before}: ${quoted(lines.content(gap.fileStart))}`;
  }
  if (gap.fileEnd === gap.fileStart)
    return `line ${line.at} of the patch, ${quoted(line.text)}, is not in the file before line ${gap.fileStart}`;
  return lineDifference(
    lines.content(gap.fileStart),
    line.text,
    gap.fileStart,
    `line ${line.at} of the patch`,
  );
}

function differenceData(line: HunkLine, at: number | null, there: string | null): HunkDifference {
  return { patch_line: line.at, expected: line.text, line: at, found: there };
}

const DATA_UNITS = 20_000;

/** Names the line behind line `above` that an anchor may have meant which is no line of the file. */
function nearestLine({ lines, around }: PatchedFile, text: string, above: number): string {
  const [indented, ...others] = around
    .find([text], above + 1, MOST_LINES)
    .filter(line => line <= lines.count);
  if (indented !== undefined) {
    const found = differences(`${text}\n`, `${lines.content(indented)}\n`, indented, '', 'the anchor');
    return nearestWords(lines, [indented, indented], found.map(({ words }) => words).join('; '), others);
  }
  const { nearest } = nearestText(lines, text, 'the anchor');
  if (nearest === null) return 'Nothing in the file is like it.';
  const { startLine, endLine, difference, kinds, others: near } = nearest;
  if (kinds.includes('text') && startLine !== endLine)
    return `The nearest is ${lineWords(startLine, endLine)}: ${difference}.`;
  return nearestWords(lines, [startLine, endLine], difference || 'the anchor is a part of it', near);
}

/** The most lines to look for that differ from an anchor only in the blanks around them. */
const MOST_LINES = 100;

function nearestWords(
  lines: Lines,
  [start, end]: readonly [number, number],
  difference: string,
  others: number[],
): string {
  const there = quoted(lines.slice(start, end));
  return `The nearest is ${lineWords(start, end)}, ${there}${othersWords({ others })}: ${difference}.`;
}
