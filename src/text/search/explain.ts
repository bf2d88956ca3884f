/** In words, what sets a text that was looked for apart from the text that the file has at that place. */

import { type CharacterKind, characterDifferences } from '../characters.ts';
import { counted, lineWords, quoted } from '../words.ts';
import { looseKey } from './loose.ts';

export type DifferenceKind =
  | CharacterKind
  | 'line-number prefix'
  | 'escapes'
  | 'diff marks'
  | 'code fence'
  | 'indentation'
  | 'trailing blanks'
  | 'blank lines'
  | 'line end'
  | 'line breaks'
  | 'text';

export interface Difference {
  kind: DifferenceKind;
  /** A clause to be read after `First difference: `, without a final stop. */
  words: string;
}

/** Body differences beyond this many line pairs are more of the same. */
const MAX_BODY_PAIRS = 20;

/**
 * The differences between `old` and the file's own `exact` text, which are the same to a reader; the first of each
 * kind. `firstLine` is the file's number of the first line of `exact`, `rest` what follows it on its last line, and
 * `name` what the caller calls the old text.
 */
export function differences(
  old: string,
  exact: string,
  firstLine: number,
  rest: string,
  name: string,
): Difference[] {
  const ours = filledLines(old, 1);
  const theirs = filledLines(exact, firstLine);
  const pairs = theirs.map((file, i) => [file, ours[i]!] as const);
  // Of texts that are the same without their white space, lines that are not break at other places.
  const isBroken = ([file, old]: Pair): boolean =>
    file.body !== old.body && looseKey(file.body) !== looseKey(old.body);
  if (ours.length !== theirs.length || pairs.some(isBroken)) return [lineBreaks(ours, theirs, name)];
  return [
    indentation(pairs, name),
    trailing(pairs, old, name) ?? blankLine([old, exact], firstLine, name),
    ...bodies(pairs, name),
    gaps(pairs, [old, exact], rest, name),
    loneReturn(old, exact, firstLine, name),
  ].filter(one => one !== null);
}

/** One line that has something to see, in its parts. */
interface FilledLine {
  number: number;
  indent: string;
  body: string;
  trailing: string;
  /** Lines without anything to see right before it. */
  blanksBefore: number;
}

type Pair = readonly [file: FilledLine, old: FilledLine];

function filledLines(text: string, firstLine: number): FilledLine[] {
  const found: FilledLine[] = [];
  let blanksBefore = 0;
  for (const [i, line] of linesIn(text).entries()) {
    const body = line.trim();
    if (body === '') {
      blanksBefore++;
      continue;
    }
    const at = line.indexOf(body);
    const trailing = line.slice(at + body.length);
    found.push({ number: firstLine + i, indent: line.slice(0, at), body, trailing, blanksBefore });
    blanksBefore = 0;
  }
  return found;
}

function linesIn(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}

/** Counts the line ends in the blanks at the beginning and at the end of a text. */
export function outerBreaks(text: string): { lead: number; tail: number } {
  return {
    lead: linesIn(text.slice(0, text.length - text.trimStart().length)).length - 1,
    tail: linesIn(text.slice(text.trimEnd().length)).length - 1,
  };
}

/** Finds a carriage return without a line feed on one side alone: it ends no line of the file, and is not to be seen. */
function loneReturn(old: string, exact: string, firstLine: number, name: string): Difference | null {
  const endsOf = (text: string): string[] => text.match(/\r\n|\n|\r/g) ?? [];
  const [ours, theirs] = [endsOf(old), endsOf(exact)];
  const at = theirs.findIndex((end, i) => (end === '\r') !== (ours[i] === '\r'));
  if (at < 0 || ours.length !== theirs.length) return null;
  const line = firstLine + theirs.slice(0, at).filter(end => end !== '\r').length;
  const [lone, whole] = ['a carriage return alone (U+000D)', 'a line end'];
  const [inFile, given] = theirs[at] === '\r' ? [lone, whole] : [whole, lone];
  return { kind: 'line end', words: `in line ${line} the file has ${inFile} where ${name} has ${given}` };
}

function lineBreaks(ours: FilledLine[], theirs: FilledLine[], name: string): Difference {
  const at = theirs.findIndex((file, i) => file.body.replace(/\s/g, '') !== ours[i]?.body.replace(/\s/g, ''));
  const line = theirs[Math.max(at, 0)];
  const [there, given] = [counted(theirs.length, 'line'), counted(ours.length, 'line')];
  const counts = there === given ? '' : `: the file has ${there} where ${name} has ${given}`;
  const first = line ? `, first at line ${line.number} of the file, ${quoted(line.body)}` : '';
  return { kind: 'line breaks', words: `the lines break at other places${counts}${first}` };
}

function indentation(pairs: Pair[], name: string): Difference | null {
  const wrong = pairs.filter(([file, old]) => file.indent !== old.indent);
  const [file, old] = wrong[0] ?? [];
  if (!file || !old) return null;
  const [inFile, given] = blankWords(file.indent, old.indent);
  const first = `line ${file.number} is indented with ${inFile} in the file, with ${given} in ${name}`;
  const rule = wrong.length === 1 ? null : tabsRule(wrong, name);
  return {
    kind: 'indentation',
    words:
      rule ??
      spacesRule(wrong) ??
      (wrong.length === 1 ? first : `${first}, and so on: ${counted(wrong.length, 'line')} differ in this`),
  };
}

/** Says that one side indents with tabs and the other with spaces, where all the lines do; else `null`. */
function tabsRule(wrong: Pair[], name: string): string | null {
  const lines = lineWords(wrong[0]![0].number, wrong.at(-1)![0].number);
  if (wrong.every(([file, old]) => /^\t+$/.test(file.indent) && /^ +$/.test(old.indent)))
    return `the file indents ${lines} with tabs, ${name} with spaces`;
  if (wrong.every(([file, old]) => /^ +$/.test(file.indent) && /^\t+$/.test(old.indent)))
    return `the file indents ${lines} with spaces, ${name} with tabs`;
  return null;
}

/** Says how many spaces more or less each of several lines begins with, where it is one number for all. */
function spacesRule(wrong: Pair[]): string | null {
  const [file, old] = wrong[0]!;
  const by = file.indent.length - old.indent.length;
  const isSo = (pair: Pair): boolean =>
    pair.every(line => /^ *$/.test(line.indent)) && pair[0].indent.length - pair[1].indent.length === by;
  if (wrong.length === 1 || !wrong.every(isSo)) return null;
  const lines = lineWords(file.number, wrong.at(-1)![0].number);
  return `the file indents ${lines} by ${counted(Math.abs(by), 'space')} ${by > 0 ? 'more' : 'less'}`;
}

/** Finds other blanks at the end of a line; at the last one only where the old text goes on behind what is to be seen. */
function trailing(pairs: Pair[], text: string, name: string): Difference | null {
  const complete = text.trimEnd() === text ? pairs.slice(0, -1) : pairs;
  const [file, old] = complete.find(([a, b]) => a.trailing !== b.trailing) ?? [];
  if (!file || !old) return null;
  const [inFile, given] = blankWords(file.trailing, old.trailing);
  const words = `line ${file.number} ends with ${inFile} in the file, with ${given} in ${name}`;
  return { kind: 'trailing blanks', words };
}

/** Finds a line of nothing but blanks, of which the two sides have different ones. */
function blankLine(
  [old, exact]: readonly [string, string],
  firstLine: number,
  name: string,
): Difference | null {
  const [ours, theirs] = [linesIn(old), linesIn(exact)];
  if (ours.length !== theirs.length) return null;
  const at = theirs.findIndex((line, i) => (line + ours[i]!).trim() === '' && line !== ours[i]);
  if (at < 0) return null;
  const [inFile, given] = blankWords(theirs[at]!, ours[at]!);
  const words = `line ${firstLine + at} holds ${inFile} in the file, ${given} in ${name}`;
  return { kind: 'trailing blanks', words };
}

function bodies(pairs: Pair[], name: string): Difference[] {
  const found = new Map<DifferenceKind, string>();
  const wrong = pairs.filter(([file, old]) => file.body !== old.body).slice(0, MAX_BODY_PAIRS);
  for (const [file, old] of wrong) {
    for (const { kind, words } of characterDifferences(file.body, old.body, name) ?? []) {
      if (!found.has(kind)) found.set(kind, `in line ${file.number} ${words}`);
    }
  }
  return [...found].map(([kind, words]) => ({ kind, words }));
}

/** Finds another number of blank lines between the filled ones, or of line ends before the first or after the last. */
function gaps(pairs: Pair[], [old, exact]: [string, string], rest: string, name: string): Difference | null {
  const inside = pairs.findIndex(([a, b], i) => i > 0 && a.blanksBefore !== b.blanksBefore);
  if (inside > 0) {
    const [file, given] = pairs[inside]!;
    const words = `before line ${file.number} the file has ${counted(file.blanksBefore, 'blank line')}, ${name} has ${counted(given.blanksBefore, 'blank line')}`;
    return { kind: 'blank lines', words };
  }
  const [inFile, given] = [outerBreaks(exact), outerBreaks(old)];
  if (inFile.lead !== given.lead) return outerGap('begins', [inFile.lead, given.lead], name, '');
  return inFile.tail === given.tail ? null : outerGap('ends', [inFile.tail, given.tail], name, rest);
}

function outerGap(
  verb: string,
  [inFile, given]: readonly [number, number],
  name: string,
  rest: string,
): Difference {
  if (inFile === 0 && verb === 'ends') {
    const there =
      rest.trim() === '' ? 'the file ends without one' : `the line goes on with ${quoted(rest)} in the file`;
    return { kind: 'line end', words: `${name} ends with ${counted(given, 'line end')}, but ${there}` };
  }
  const words = `${name} ${verb} with ${counted(given, 'line end')}, the file has ${counted(inFile, 'line end')} there`;
  return { kind: inFile === 0 || given === 0 ? 'line end' : 'blank lines', words };
}

/** Says what two runs of blanks are: how many of each, or where that is the same for both, one after the other. */
export function blankWords(file: string, old: string): [file: string, old: string] {
  const [inFile, given] = [blankCounts(file), blankCounts(old)];
  return inFile === given ? [blankRuns(file), blankRuns(old)] : [inFile, given];
}

/** Words blanks: `2 spaces, then 1 tab`. */
function blankRuns(blanks: string): string {
  const runs = blanks.match(/(.)\1*/gsu) ?? [];
  return runs.map(run => counted([...run].length, blankName(run[0]!))).join(', then ');
}

function blankName(unit: string): string {
  if (unit === '\t' || unit === ' ') return unit === ' ' ? 'space' : 'tab';
  return `U+${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** `no blanks`, `4 spaces`, `1 tab`, `1 tab and 2 spaces`. */
function blankCounts(blanks: string): string {
  const tabs = blanks.split('\t').length - 1;
  const spaces = blanks.split(' ').length - 1;
  const others = blanks.length - tabs - spaces;
  const kinds = [
    [tabs, 'tab'],
    [spaces, 'space'],
    [others, 'other blank'],
  ] as const;
  const parts = kinds.filter(([count]) => count > 0).map(([count, noun]) => counted(count, noun));
  return parts.length === 0 ? 'no blanks' : parts.join(' and ');
}
