/** The refusal AMBIGUOUS: how many places there are, where, and what tells them apart. */

import { EditError } from '../errors.ts';
import { fieldName, ifField, ifTool, pathName, toolName } from '../wording.ts';
import type { FindOptions, Searched } from './find-options.ts';
import { type Lines, linesOf } from './lines.ts';
import type { Place } from './match.ts';
import { type LineRange, type Surroundings, surroundings } from './surroundings.ts';
import { counted, lineWords, listed, wellFormed } from './words.ts';

const SHOWN = 10;
/** Of so many places the lines are named. */
const NAMED = 100;
/** Longer lines are shown in part, around the place. */
const LONG_LINE = 240;
/** Of more lines than this, the middle ones are left out. */
const LONG_EXCERPT = 80;

/** `places` are the first of the `count` occurrences, in order. */
export function ambiguous(file: Searched, count: number, places: Place[], options: FindOptions): EditError {
  const lines = linesOf(file.text);
  const complete = places.length === count;
  const spots = surroundings(lines, places, SHOWN, complete);
  const message = [
    `${options.name ?? 'old_str'} occurs ${count} times in ${pathName(file.path)}, ${whereWords(lines, places, count)}. Nothing was changed.`,
    adviceWords(file, spots, count, complete, options),
    ...grouped(lines, spots).map(group => groupWords(lines, group, spots)),
    ...(count > spots.length ? [`... and ${counted(count - spots.length, 'more place')}.`] : []),
  ].join('\n');
  return new EditError('AMBIGUOUS', message, {
    path: file.path,
    count,
    lines: places.map(place => lines.lineAt(place.start)),
    occurrences: spots.map(spot => spotData(lines, spot)),
    ...cutFields(count, { lines: places.length, occurrences: spots.length }),
  });
}

/** In the form in which answers say everywhere which lists are shorter than what they list. */
function cutFields(length: number, kept: Readonly<Record<string, number>>): Record<string, unknown> {
  const cut = Object.entries(kept).filter(([, here]) => here < length);
  return cut.length === 0 ? {} : { cut_fields: cut.map(([field, here]) => ({ field, length, kept: here })) };
}

function whereWords(lines: Lines, places: readonly Place[], count: number): string {
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
  const { name = 'old_str', allField } = options;
  const all = allField
    ? ifField(allField, `, or set ${fieldName(allField)}: true to change all ${count}`)
    : '';
  const shared = spots.some((spot, i) => i > 0 && spot.line === spots[i - 1]!.line);
  if (!shared && complete && spots.every(({ unique }) => unique === null)) {
    const cite = version ? ifField('version', ` and ${fieldName('version')} "${version}"`) : '';
    const byLines = `: name one by its line numbers with ${toolName('replace_lines')}${cite}`;
    return `Their surroundings are alike${ifTool('replace_lines', byLines)}${all}. The places:`;
  }
  const more = shared
    ? 'more of the text around it, the whole line if need be'
    : 'some of the lines around it';
  return `Send ${name} again with ${more}, so that it names one place${all}. The places:`;
}

/** Places whose lines touch are shown together; on long lines, of which a part is shown, each alone. */
function grouped(lines: Lines, spots: Surroundings[]): Surroundings[][] {
  const groups: Surroundings[][] = [];
  let end = -1;
  for (const spot of spots) {
    const apart = spot.shown.from > end + 1 || lines.content(spot.line).length > LONG_LINE;
    if (apart) groups.push([]);
    groups.at(-1)!.push(spot);
    end = apart ? spot.shown.to : Math.max(end, spot.shown.to);
  }
  return groups;
}

/** A heading for each place, then their lines, numbered. */
function groupWords(lines: Lines, group: Surroundings[], spots: Surroundings[]): string {
  const headings = group.map(spot => heading(spot, spots));
  const from = Math.min(...group.map(({ shown }) => shown.from));
  const to = Math.max(...group.map(({ shown }) => shown.to));
  return [...headings, excerpt(lines, { from, to }, group[0]!)].join('\n');
}

function heading(spot: Surroundings, spots: Surroundings[]): string {
  const { line, column, unique } = spot;
  const start = `[${spots.indexOf(spot) + 1}] line ${line}`;
  if (spots.filter(other => other.line === line).length > 1) return `${start}, column ${column}`;
  if (unique === null) return start;
  const whole =
    unique.from === unique.to ? 'the whole line' : `${lineWords(unique.from, unique.to)} together`;
  return `${start} (${whole} ${unique.from === unique.to ? 'occurs' : 'occur'} only here)`;
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

function spotData(lines: Lines, spot: Surroundings): Record<string, unknown> {
  const { line, endLine, column, unique } = spot;
  const text = unique ? lines.text.slice(lines.start(unique.from), lines.contentEnd(unique.to)) : null;
  return { line, end_line: endLine, column, excerpt: excerpt(lines, spot.shown, spot), unique_text: text };
}
