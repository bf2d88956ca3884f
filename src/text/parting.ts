/** In words, where the lines of an old text and those of a file part. */

import type { Alignment, Gap } from './align.ts';
import { characterDifferences } from './characters.ts';
import { type Difference, differences } from './explain.ts';
import type { Lines } from './lines.ts';
import type { SimilarLine } from './similar.ts';
import { counted, quoted, wellFormed } from './words.ts';

/** The first place where they part, then the first difference of each kind that only a computer sees before it. */
export function partings(
  alignment: Alignment,
  oldLines: readonly string[],
  lines: Lines,
  name: string,
): Difference[] {
  const [gap] = alignment.gaps;
  const more = alignment.gaps.length - 1;
  const words = gap ? gapWords(gap, oldLines, lines, name) : '';
  const text: Difference[] = gap
    ? [{ kind: 'text', words: more > 0 ? `${words}; ${counted(more, 'more place')} after that` : words }]
    : [];
  return [...text, ...hiddenDifferences(alignment, oldLines, lines, name)];
}

function gapWords(gap: Gap, oldLines: readonly string[], lines: Lines, name: string): string {
  const ours = oldLines.slice(gap.oldStart, gap.oldEnd);
  const theirs = gap.fileEnd - gap.fileStart;
  if (theirs === 0) return extraInOld(ours, gap.fileStart - 1, lines, name);
  if (ours.length === 0) return extraInFile(gap, lines, name);
  return lineDifference(lines.content(gap.fileStart), ours[0]!, gap.fileStart, name);
}

function extraInOld(ours: readonly string[], after: number, lines: Lines, name: string): string {
  const first = ours.find(line => line.trim() !== '') ?? '';
  const place =
    after < 1 ? 'before line 1' : after >= lines.count ? 'after the end of the file' : `after line ${after}`;
  return `${name} has ${counted(ours.length, 'line')} that the file does not have ${place}: ${quoted(first)}`;
}

function extraInFile(gap: Gap, lines: Lines, name: string): string {
  const count = gap.fileEnd - gap.fileStart;
  const line = gap.fileStart;
  return `the file has ${counted(count, 'line')} from line ${line} on that ${name} does not have: ${quoted(lines.content(line))}`;
}

/** What sets one line of the file apart from one of the old text, in words. */
export function lineDifference(file: string, old: string, number: number, name: string): string {
  const hidden = characterDifferences(file.trim(), old.trim(), name);
  if (hidden && hidden.length > 0) return `in line ${number} ${hidden.map(({ words }) => words).join(', ')}`;
  return `line ${number} of the file is ${around(file, old)} where ${name} has ${around(old, file)}`;
}

/** The most similar line, and where it differs. */
export function similarWords(
  similar: SimilarLine,
  oldLines: readonly string[],
  lines: Lines,
  name: string,
): string {
  const old = oldLines[similar.oldLine]!.trim();
  const file = lines.content(similar.fileLine).trim();
  return lineDifference(file, old, similar.fileLine, name);
}

const SHOWN = 120;
const BEFORE = 40;

/** A line, or the part of a long one around the first unit that differs from the other. */
function around(line: string, other: string): string {
  if (line.length <= SHOWN) return quoted(line, SHOWN);
  let same = 0;
  while (same < line.length && line[same] === other[same]) same++;
  const from = Math.max(0, same - BEFORE);
  const part = wellFormed(line.slice(from, from + SHOWN));
  return `\`${from > 0 ? '…' : ''}${part}${from + SHOWN < line.length ? '…' : ''}\``;
}

/** The first of each kind among the aligned lines; the outer two may be parts of lines and are left out. */
function hiddenDifferences(
  alignment: Alignment,
  oldLines: readonly string[],
  lines: Lines,
  name: string,
): Difference[] {
  const found = new Map<string, Difference>();
  const inner = alignment.same.filter(([old]) => old > 0 && old < oldLines.length - 1);
  const wrong = inner.find(([old, file]) => oldLines[old] !== lines.content(file));
  if (wrong === undefined) return [];
  const [old, file] = wrong;
  for (const difference of differences(`${oldLines[old]}\n`, `${lines.content(file)}\n`, file, '', name)) {
    if (!found.has(difference.kind)) found.set(difference.kind, difference);
  }
  return [...found.values()];
}
