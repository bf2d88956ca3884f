/** blame for a person: columns of who, when and why beside each line. */

import type { Answer } from '../../../engine/answer.ts';
import { isOutside, isRejection } from '../../../operations.ts';
import type { BlameData, BlameLine } from '../../../queries/blame.ts';
import type { Call } from '../command.ts';
import { type Piece, styled, styleOf } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { columnsOf, cut, padded } from '../terminal/width.ts';

/** Prints each line with what wrote it. */
export async function show({ terminal, options }: Call<Options>, { data }: Answer<BlameData>): Promise<void> {
  await terminal.page();
  await terminal.print(blamePieces(data.lines, options, terminal));
  await terminal.endPage();
  if (!data.recorded)
    await terminal.tell(`[${data.path} was changed, not through vedit: these are the recorded lines]`);
  if (data.fetch_may_know)
    await terminal.tell(
      '[some of these commits landed work of others: vedit fetch may bring who made it, and why]',
    );
}

interface Column {
  text(line: BlameLine): string;
  /** In columns of the terminal; a longer text ends with `..`. */
  most: number;
}

type Options = { short?: boolean };

/** The fewest columns in which a reason says anything, and the most that it takes in a line. */
const REASON = { least: 8, most: 72 };

/**
 * Draws each column as wide as its longest text, and leaves out a column without any. The reason has what the lines leave
 * of the terminal: it is cut first.
 */
function* blamePieces(lines: readonly BlameLine[], { short }: Options, terminal: Terminal): Generator<Piece> {
  const named = [
    { text: whoOf, most: 14 },
    { text: (line: BlameLine) => terminal.when(line.time), most: 30 },
  ];
  const columns = [{ text: (line: BlameLine) => line.commit.slice(0, 7), most: 7 }, ...(short ? [] : named)];
  const most = (size: (line: BlameLine) => number): number =>
    lines.reduce((so, line) => Math.max(so, size(line)), 0);
  const digits = String(most(({ line }) => line)).length;
  let abouts = aboutsOf(lines, columns);
  const taken = most(line => columnsOf(abouts.get(originOf(line))!)) + most(({ text }) => columnsOf(text));
  const left = terminal.room - taken - digits - 4;
  if (left >= REASON.least)
    abouts = aboutsOf(lines, [...columns, { text: whyOf, most: Math.min(left, REASON.most) }]);
  for (const line of lines) {
    const about = abouts.get(originOf(line))!;
    yield sessionOf(line) !== null ? styled(styleOf(whoOf(line)), about) : about;
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
