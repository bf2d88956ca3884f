/** The refusal AMBIGUOUS: how many places there are, where, and what tells them apart. */

import { type CutField, EditError, type Occurrence } from '../../errors.ts';
import { fieldName, ifField, ifOption, ifTool, pathName } from '../../wording.ts';
import { type Lines, linesOf } from '../lines.ts';
import { counted, lineWords, listed, wellFormed } from '../words.ts';
import type { FindOptions, Searched, TextRange } from './match.ts';
import { type LineRange, type Surroundings, surroundings } from './surroundings.ts';

/** The most places that are compared to find what tells them apart: callers give no more. */
export const COMPARED = 200;

const SHOWN = 10;
/** The most places whose lines are named. */
const NAMED = 100;
/** Longer lines are shown in part, around the place. */
const LONG_LINE = 240;
/** An excerpt of more lines is shown without its middle. */
const LONG_EXCERPT = 80;

/**
 * `places` are the first of the `count` occurrences, in order. `ways`: what to send to name one of them, line by line,
 * for a caller that has other means than a longer text.
 */
export function ambiguous(
  file: Searched,
  count: number,
  places: TextRange[],
  options: FindOptions,
  ways: readonly string[] | null = null,
): EditError<'AMBIGUOUS'> {
  const lines = linesOf(file.text);
  const complete = places.length === count;
  const spots = surroundings(lines, places, SHOWN, complete);
  // Of places that share text only some can be changed.
  const isShared = places.some(({ start }, i) => i > 0 && start < places[i - 1]!.end);
  const asked = isShared ? { ...options, allField: undefined } : options;
  const shown = ways ??
    besideWords(lines, places, spots, allWords(asked, count)) ?? [
      adviceWords(file, spots, count, complete, asked),
      ...grouped(lines, spots).map(group => groupWords(lines, group, spots)),
    ];
  const message = [
    `${options.name ?? 'old_str'} occurs ${count} times in ${pathName(file.path)}, ${whereWords(lines, places, count)}. Nothing was changed.`,
    ...shown,
    ...(ways === null && count > spots.length
      ? [`... and ${counted(count - spots.length, 'more place')}.`]
      : []),
  ].join('\n');
  return new EditError('AMBIGUOUS', message, {
    path: file.path,
    count,
    lines: places.map(place => lines.lineAt(place.start)),
    occurrences: spots.map((spot): Occurrence => {
      const { line, endLine, column, unique } = spot;
      const unique_text = unique && lines.slice(unique.from, unique.to);
      return { line, end_line: endLine, column, excerpt: excerpt(lines, spot.shown, spot), unique_text };
    }),
    ...cutFields(count, { lines: places.length, occurrences: spots.length }),
  });
}

/** Says which lists are shorter than what they list, in the form that all answers have for it. */
function cutFields(length: number, kept: Readonly<Record<string, number>>): { cut_fields?: CutField[] } {
  const cut = Object.entries(kept).filter(([, here]) => here < length);
  return cut.length === 0 ? {} : { cut_fields: cut.map(([field, here]) => ({ field, length, kept: here })) };
}

function whereWords(lines: Lines, places: readonly TextRange[], count: number): string {
  const named = places.slice(0, NAMED);
  const more = count > named.length;
  const at = named.map(({ start }) => lines.lineAt(start));
  const [first = 1] = at;
  if (at.some(line => line !== first)) return `on lines ${numberWords([...new Set(at)], more)}`;
  const columns = named.map(({ start }) => start - lines.start(first) + 1);
  return `on line ${first} at columns ${numberWords(columns, more)}`;
}

function numberWords(numbers: number[], more: boolean): string {
  return more ? `${numbers.join(', ')} and so on` : listed(numbers);
}

function adviceWords(
  { version }: Searched,
  spots: Surroundings[],
  count: number,
  complete: boolean,
  options: FindOptions,
): string {
  const { name = 'old_str' } = options;
  const all = allWords(options, count);
  const shared = spots.some((spot, i) => i > 0 && spot.line === spots[i - 1]!.line);
  if (!shared && complete && spots.every(({ unique }) => unique === null)) {
    const cite = version ? ifField('version', ` and ${fieldName('version')} "${version}"`) : '';
    const byLines = (tool: string): string => `: name one by its line numbers with ${tool}${cite}`;
    return `Their surroundings are alike${ifTool('replace_lines', byLines)}${all}. The places:`;
  }
  const more = shared ? 'more of the text around it, the whole line if need be' : 'lines around it';
  const alone = spots.some(({ unique }) => unique !== null) ? 'Found only once:' : 'The places:';
  return `Send ${name} with ${more}, so that it names one place${all}. ${alone}`;
}

function allWords({ allField }: FindOptions, count: number): string {
  const all = count === 2 ? 'both' : `all ${count}`;
  return allField ? ifOption(allField, true, option => `, or set ${option} to change ${all}`) : '';
}

/** The lines to send besides, where for each place those right before it tell it apart, or for each those behind it. */
function besideWords(
  lines: Lines,
  places: readonly TextRange[],
  spots: readonly Surroundings[],
  all: string,
): string[] | null {
  for (const side of ['before', 'behind'] as const) {
    const ranges = spots.map((spot, i) => besideRange(lines, places[i]!, spot, side));
    if (ranges.some(range => range === null)) continue;
    const [first, ...rest] = ranges as LineRange[];
    const size = (range: LineRange): number => range.to - range.from + 1;
    const same = rest.every(range => size(range) === size(first!));
    const which = !same ? 'the lines' : size(first!) === 1 ? 'the line' : `the ${size(first!)} lines`;
    return [
      `Send it with ${which} ${side} it${all}. ${side === 'before' ? 'Before' : 'Behind'} it stand:`,
      ...(ranges as LineRange[]).map(({ from, to }) => {
        return `${lineWords(from, to)}:${from === to ? ' ' : '\n'}${lines.slice(from, to)}`;
      }),
    ];
  }
  return null;
}

/** Returns the lines on one side of a place of whole lines that name it; `null` where they take others. */
function besideRange(
  lines: Lines,
  place: TextRange,
  { line, endLine, unique }: Surroundings,
  side: 'before' | 'behind',
): LineRange | null {
  if (unique === null || unique.to - unique.from === endLine - line) return null;
  const isBefore = side === 'before';
  const isWhole = isBefore ? place.start === lines.start(line) : place.end >= lines.contentEnd(endLine);
  const range = isBefore ? { from: unique.from, to: line - 1 } : { from: endLine + 1, to: unique.to };
  if (!isWhole || (isBefore ? unique.to !== endLine : unique.from !== line)) return null;
  const isLong = lines.end(range.to) - lines.start(range.from) > LONG_LINE * (range.to - range.from + 1);
  return isLong ? null : range;
}

/** Groups places whose surrounding lines touch, to be shown together; those on long lines, of which a part is shown, stay alone. */
function grouped(lines: Lines, spots: Surroundings[]): Surroundings[][] {
  const groups: Surroundings[][] = [];
  let end = -1;
  for (const spot of spots) {
    const apart =
      isAlone(spot, spots) || spot.shown.from > end + 1 || lines.content(spot.line).length > LONG_LINE;
    if (apart) groups.push([]);
    groups.at(-1)!.push(spot);
    end = apart ? spot.shown.to : Math.max(end, spot.shown.to);
  }
  return groups;
}

/** True where the lines around the place occur only there, so that they alone name it. */
function isAlone(spot: Surroundings, spots: Surroundings[]): boolean {
  return spot.unique !== null && spots.filter(({ line }) => line === spot.line).length === 1;
}

/** True of a place whose lines, three or more, differ from those of the first place in the first line alone. */
function isLikeFirst(lines: Lines, spot: Surroundings, [first]: readonly Surroundings[]): boolean {
  const [own, its] = [spot.unique!, first!.unique];
  if (spot === first || its === null || own.to - own.from < 2 || its.to - its.from !== own.to - own.from)
    return false;
  const rest = ({ from, to }: LineRange): string => lines.slice(from + 1, to);
  return own.from < spot.line && rest(own) === rest(its);
}

/** Shows a heading for each place, then their lines, numbered; of a place that few lines name, those as they are. */
function groupWords(lines: Lines, group: Surroundings[], spots: Surroundings[]): string {
  const [first] = group;
  if (isAlone(first!, spots) && lines.content(first!.line).length <= LONG_LINE) {
    const { from, to } = first!.unique!;
    const text = isLikeFirst(lines, first!, spots)
      ? `${lines.content(from)}\n(and on as in [1])`
      : lines.slice(from, to);
    // Lines that name several of the places by where in them each is.
    const isShared = spots.some(one => one !== first && one.unique?.from === from && one.unique.to === to);
    const own = isShared ? `${lineWords(first!.line, first!.endLine)}, in ` : '';
    return `[${spots.indexOf(first!) + 1}] ${own}${lineWords(from, to)}\n${text}`;
  }
  const headings = group.map(spot => heading(spot, spots));
  const from = Math.min(...group.map(({ shown }) => shown.from));
  const to = Math.max(...group.map(({ shown }) => shown.to));
  return [...headings, excerpt(lines, { from, to }, group[0]!)].join('\n');
}

function heading(spot: Surroundings, spots: Surroundings[]): string {
  const { line, column } = spot;
  const start = `[${spots.indexOf(spot) + 1}] line ${line}`;
  return spots.filter(other => other.line === line).length > 1 ? `${start}, column ${column}` : start;
}

/** The first and the last lines of a long run, as `cat -n` prints them; of a long line the part around the place. */
function excerpt(lines: Lines, range: LineRange, spot: Surroundings): string {
  const shown: string[] = [];
  const cut = range.to - range.from >= LONG_EXCERPT;
  for (let n = range.from; n <= range.to; n++) {
    if (cut && n === range.from + LONG_EXCERPT / 2) {
      n = range.to - LONG_EXCERPT / 2 + 1;
      shown.push('...');
    }
    const column = n === spot.line ? spot.column : 1;
    shown.push(`${String(n).padStart(6)}\t${part(lines.content(n), column - 1)}`);
  }
  return shown.join('\n');
}

function part(content: string, at: number): string {
  if (content.length <= LONG_LINE) return content;
  const from = Math.max(0, at - LONG_LINE / 2);
  const to = Math.min(content.length, from + LONG_LINE);
  return `${from > 0 ? '…' : ''}${wellFormed(content.slice(from, to))}${to < content.length ? '…' : ''}`;
}
