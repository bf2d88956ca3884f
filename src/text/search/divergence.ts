/** In words, where the lines of an old text and those of a file part. */

import { characterDifferences } from '../characters.ts';
import { commonEnds } from '../diff/pairs.ts';
import type { Lines } from '../lines.ts';
import { counted, lineWords, quoted, quotedAround } from '../words.ts';
import type { Alignment, Gap } from './align.ts';
import { type Difference, differences } from './explain.ts';
import type { SimilarLine } from './similar.ts';

/** The first place where they part, then the first difference of each kind that only a computer sees before it. */
export function divergences(
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
  if (ours.length === 0)
    return `${name} leaves out ${lineWords(gap.fileStart, gap.fileEnd - 1)}: ${quoted(lines.content(gap.fileStart))}`;
  const inside = { begins: gap.oldStart === 0, ends: gap.oldStart === oldLines.length - 1 };
  return lineDifference(lines.content(gap.fileStart), ours[0]!, gap.fileStart, name, inside);
}

function extraInOld(ours: readonly string[], after: number, lines: Lines, name: string): string {
  const first = ours.find(line => line.trim() !== '') ?? '';
  const place =
    after < 1 ? 'before line 1' : after >= lines.count ? 'after the end of the file' : `after line ${after}`;
  return `${name} has ${counted(ours.length, 'line')} that the file does not have ${place}: ${quoted(first)}`;
}

/** Whether an old text may begin or end inside a line of the file: its first and its last line alone. */
interface Ends {
  begins: boolean;
  ends: boolean;
}

const WHOLE: Ends = { begins: false, ends: false };

/** Says in words what sets one line of the file apart from one of the old text. The two differ. */
export function lineDifference(
  file: string,
  old: string,
  number: number,
  name: string,
  inside: Ends = WHOLE,
): string {
  const hidden = characterDifferences(file.trim(), old.trim(), name);
  if (hidden && hidden.length > 0) return `in line ${number} ${hidden.map(({ words }) => words).join(', ')}`;
  const more = restWords(file.trim(), old.trim(), name);
  if (more !== null) return `line ${number} ${more}`;
  const parts = partsApart(file, old, inside);
  if (parts !== null) return `line ${number} has ${parts[0]} where ${name} has ${parts[1]}`;
  return `line ${number} of the file is ${quotedAround(file, old)} where ${name} has ${quotedAround(old, file)}`;
}

/** Says how the longer line goes on, where one is the beginning of the other up to the end of a word; else `null`. */
function restWords(file: string, old: string, name: string): string | null {
  const same = Math.min(file.length, old.length);
  const longer = file.length > same ? file : old;
  if (same === 0 || (isOfWord(longer[same - 1]!) && isOfWord(longer[same]!))) return null;
  if (file.startsWith(old))
    return `goes on with ${quoted(file.slice(old.length))} where ${name} ends the line`;
  return old.startsWith(file) ? `ends where ${name} goes on with ${quoted(old.slice(file.length))}` : null;
}

/** Says how the most similar line differs. */
export function similarWords(
  similar: SimilarLine,
  oldLines: readonly string[],
  lines: Lines,
  name: string,
): string {
  const old = oldLines[similar.oldLine]!.trim();
  const file = lines.content(similar.fileLine).trim();
  const inside = { begins: similar.oldLine === 0, ends: similar.oldLine === oldLines.length - 1 };
  return lineDifference(file, old, similar.fileLine, name, inside);
}

/** Where a longer part of the line differs, the whole lines say more. */
const MOST_OF_LINE = 0.6;
/** A stretch of fewer units is shown with what it is written together with. */
const SHORT = 4;

/** The one stretch in which two lines differ, to the ends of its words, quoted; `null` where it is most of a line. */
function partsApart(fileLine: string, oldLine: string, inside: Ends): [file: string, old: string] | null {
  const old = oldLine.trim();
  const file = partMeant(fileLine.trim(), old, inside);
  let { lead: start, tail } = commonEnds(file, old);
  const widen = (isPart: (unit: string) => boolean): void => {
    while (start > 0 && isPart(old[start - 1]!)) start--;
    while (tail > 0 && isPart(old.at(-tail)!)) tail--;
  };
  widen(isOfWord);
  // A number or a letter alone says too little of where it stands.
  if (Math.min(file.length, old.length) - tail - start < SHORT) widen(unit => !/[\s,;]/.test(unit));
  // A stretch that only one of them has is shown with the word before it.
  const isBare = (text: string): boolean => text.slice(start, text.length - tail).trim() === '';
  if (isBare(file) || isBare(old)) start = old.slice(0, start).trimEnd().search(/\S+$/);
  const [inFile, inOld] = [file, old].map(text => text.slice(start, text.length - tail).trim()) as [
    string,
    string,
  ];
  const longest = Math.max(inFile.length, inOld.length);
  const whole = Math.max(fileLine.trim().length, old.length);
  if (start < 0 || inFile === '' || inOld === '' || longest > MOST_OF_LINE * whole) return null;
  const [there, given] = [quotedAround(inFile, inOld), quotedAround(inOld, inFile)];
  return there === given ? null : [there, given];
}

/** The units of an old text that tell where in a line it begins or ends; a mark alone may do so too. */
const TELLING_UNITS = [6, 3, 1];

/** Returns the part of a file's line that an old text is about which begins or ends inside it. */
function partMeant(file: string, old: string, { begins, ends: endsInside }: Ends): string {
  if (old === '') return file;
  const isTelling = (part: string): boolean => part.length > 2 || !isOfWord(part);
  const heads = TELLING_UNITS.map(units => old.slice(0, units)).filter(isTelling);
  const ends = TELLING_UNITS.map(units => old.slice(-units)).filter(isTelling);
  const head = heads.find(part => file.includes(part));
  const from = !begins || file[0] === old[0] || head === undefined ? 0 : file.indexOf(head);
  const end = ends.find(part => file.lastIndexOf(part) > from);
  if (!endsInside || file.at(-1) === old.at(-1) || end === undefined) return file.slice(from);
  return file.slice(from, file.lastIndexOf(end) + end.length);
}

function isOfWord(unit: string): boolean {
  return /[\p{L}\p{N}_.$'"]/u.test(unit);
}

/** The differences of the first aligned line that is not the same to a computer. The outer two may be parts of lines. */
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
