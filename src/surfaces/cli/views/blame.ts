/** blame for a person: columns of who, when and why beside each line. */

import type { Answer } from '../../../engine/answer.ts';
import { isOutside, isRejection } from '../../../operations.ts';
import type { BlameData, BlameLine } from '../../../queries/blame.ts';
import type { Call } from '../command.ts';
import { type Piece, type Style, styled } from '../terminal/style.ts';
import { columnsOf, cut, padded } from '../terminal/width.ts';
import { localMinute, localTime } from './words.ts';

/** Prints each line with what wrote it. */
export async function show(
  { terminal, options }: Call<{ long?: boolean }>,
  { data }: Answer<BlameData>,
): Promise<void> {
  await terminal.page();
  await terminal.print(blamePieces(data.lines, options.long ?? false));
  await terminal.endPage();
  if (!data.recorded)
    await terminal.tell(`[${data.path} was changed, not through vedit: these are the recorded lines]`);
  if (data.fetch_may_know)
    await terminal.tell(
      '[some of these commits landed work of others: vedit fetch may bring who made it, and why]',
    );
}

/** Sessions get these in the order in which they come, and the first again after the last. */
const COLORS: readonly Style[] = ['cyan', 'green', 'magenta', 'yellow', 'blue', 'red'];

interface Column {
  text(line: BlameLine): string;
  /** In columns of the terminal; a longer text ends with `..`. */
  most: number;
}

const SHORT: readonly Column[] = [
  { text: line => line.commit.slice(0, 7), most: 7 },
  { text: whoOf, most: 14 },
  { text: line => localMinute(new Date(line.time)), most: 16 },
  { text: whyOf, most: 24 },
];

const LONG: readonly Column[] = [
  { text: line => line.commit, most: 40 },
  { text: whoOf, most: 30 },
  { text: line => sessionOf(line) ?? '', most: 30 },
  { text: line => localTime(new Date(line.time)), most: 25 },
  { text: line => line.op ?? '', most: 16 },
  { text: line => firstLine(line.reason), most: 72 },
  { text: line => line.path ?? '', most: 60 },
];

/** Draws each column as wide as its longest text, and leaves out a column without any. */
function* blamePieces(lines: readonly BlameLine[], long: boolean): Generator<Piece> {
  const abouts = aboutsOf(lines, long ? LONG : SHORT);
  const colors = colorsOf(lines);
  const digits = lines.reduce((most, line) => Math.max(most, String(line.line).length), 0);
  for (const line of lines) {
    const about = abouts.get(originOf(line))!;
    const color = colors.get(sessionOf(line) ?? '');
    yield color ? styled(color, about) : about;
    yield styled('dim', `${String(line.line).padStart(digits + 1)}) `);
    yield `${line.text}\n`;
  }
}

/** Makes what stands before a line, by where it comes from: of a million lines many have it in common. */
function aboutsOf(lines: readonly BlameLine[], columns: readonly Column[]): Map<string, string> {
  const origins = new Map<string, BlameLine>();
  for (const line of lines) origins.set(originOf(line), line);
  const abouts = new Map([...origins.keys()].map(origin => [origin, '']));
  for (const { text, most } of columns) {
    const texts = new Map([...origins].map(([origin, line]) => [origin, cut(text(line), most)]));
    const width = [...texts.values()].reduce((longest, one) => Math.max(longest, columnsOf(one)), 0);
    if (width === 0) continue;
    for (const [origin, one] of texts) abouts.set(origin, `${abouts.get(origin)}${padded(one, width)} `);
  }
  return abouts;
}

/** The commit and the file's path in it: all that the columns tell is the same for these. */
function originOf(line: BlameLine): string {
  return `${line.commit}${line.path ?? ''}`;
}

/** A change outside the engine is nobody's: the session that recorded it did not make it. */
function sessionOf(line: BlameLine): string | null {
  return isOutside(line.op) || isRejection(line.op) ? null : line.session;
}

function whoOf(line: BlameLine): string {
  return line.agent ?? line.author;
}

function whyOf(line: BlameLine): string {
  return firstLine(line.reason) || (line.op ?? '');
}

function firstLine(text: string): string {
  return text.split('\n')[0]!;
}

function colorsOf(lines: readonly BlameLine[]): Map<string, Style> {
  const sessions = new Set(lines.map(sessionOf).filter(session => session !== null));
  return new Map([...sessions].map((session, index) => [session, COLORS[index % COLORS.length]!]));
}
