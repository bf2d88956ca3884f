/** One place where two texts differ: what went there, and what came. */

import { isLine, isName } from '../history/file-rows.ts';
import { align, type Token } from '../text/diff/alignment.ts';
import { hasWord } from '../text/format.ts';
import { type LineEvent, takesBack } from './event.ts';
import { fillAround, reformat } from './reformat.ts';
import { bringBack, type Gap, isIn, lastText, putBy, type Row, takeOut } from './row.ts';
import type { RowList } from './row-list.ts';

/**
 * Brings a place from the text before to the text after. Answers its rows in the text after: those that came back, those that
 * only a formatter changed, and new ones behind those that they replace.
 */
export function fill(list: RowList, gap: Gap, event: LineEvent): Row[] {
  if (event.kind === 'edit') return event.isWhole ? formatted(list, gap, event) : fillPlain(list, gap, event);
  const back = new Map([...returning(list, gap, event)].filter(([at]) => isLine(gap.put[at]!)));
  // A line that comes back as it was is no formatter's.
  return fillAround(
    list,
    gap,
    back,
    (row, text) => bringBack(row, event, text),
    rest => formatted(list, rest, event),
  );
}

function formatted(list: RowList, gap: Gap, event: LineEvent): Row[] {
  return reformat(list, gap, event, fillPlain) ?? fillPlain(list, gap, event);
}

function fillPlain(list: RowList, gap: Gap, event: LineEvent): Row[] {
  const back = event.kind === 'edit' ? marksBack(list, gap) : returning(list, gap, event);
  for (const row of gap.gone) takeOut(row, event, taking => isAgain(row, taking, gap, back));
  for (const [at, row] of back) bringBack(row, event, gap.put[at]!);
  return putIn(list, gap, back, (at, text) => list.put(at, event, text));
}

/** A name that gives way to another name goes again as it did only where that one is the other name of then. */
function isAgain(row: Row, taking: LineEvent, { put }: Gap, back: ReadonlyMap<number, Row>): boolean {
  const at = isName(lastText(row)) ? put.findIndex(isName) : -1;
  if (at < 0) return true;
  const other = back.get(at);
  return other !== undefined && putBy(other) === taking;
}

/** The marks of a file that is made anew, by their index in `put`: what it is called and the like is as it was, though no line is. */
function marksBack(list: RowList, { left, right, gone, put }: Gap): Map<number, Row> {
  const found = new Map<number, Row>();
  if (left ?? right ?? gone[0]) return found;
  const dead = list.between().filter(row => !isLine(lastText(row)));
  for (const [at, text] of put.entries()) {
    const row = isLine(text) ? undefined : dead.find(one => lastText(one) === text);
    if (row) found.set(at, row);
  }
  return found;
}

/**
 * The rows that come back, by the index of their line in `put`: text that is put where the same text went. Weak lines come
 * back only beside a strong one that does, or with all of the place. What a way back took out does not come back by typing,
 * unless HEAD has it.
 */
export function returning(
  list: RowList,
  { left, right, gone, put }: Gap,
  event: LineEvent,
): Map<number, Row> {
  const [taken, wanted] = [new Set(gone), new Set(put)];
  const dead = list.between(left, right).filter(row => !taken.has(row) && mayReturn(row, event, wanted));
  const texts = dead.map(row => textAmong(row, wanted)!);
  const isWhole = texts.length === put.length && texts.every((text, at) => text === put[at]);
  const key = isWhole ? (rows: readonly Token[]) => rows : keyed;
  const { to } = align(key(texts), key(put), at => dead[at]!.head !== null);
  const found = new Map<number, Row>();
  for (const [at, partner] of to.entries()) if (partner >= 0) found.set(partner, dead[at]!);
  if (!isWhole) dropLonely(found, put);
  return found;
}

/** The newest of a row's texts that is wanted: a formatter may have given it another one since. */
function textAmong({ log }: Row, wanted: ReadonlySet<Token>): Token | null {
  return log.findLast(({ text }) => text !== null && wanted.has(text))?.text ?? null;
}

function mayReturn(row: Row, event: LineEvent, wanted: ReadonlySet<Token>): boolean {
  const last = row.log.at(-1);
  if (last === undefined || isIn(row) || last.into || textAmong(row, wanted) === null) return false;
  const byWayBack = last.event.kind === 'back' || takesBack(last.event);
  return event.kind !== 'outside' || row.head !== null || !byWayBack;
}

/** A weak line is told apart by the strong one before it. */
function keyed(lines: readonly Token[]): Token[] {
  let strong = '';
  return lines.map(line => {
    if (!hasWord(line)) return `\0${strong}\0${line}`;
    strong = line;
    return line;
  });
}

/** Leaves out weak lines that come back beside no strong one. */
function dropLonely(found: Map<number, Row>, put: readonly Token[]): void {
  const strongAt = (from: number, by: number): boolean => {
    let at = from + by;
    while (at >= 0 && at < put.length && !hasWord(put[at]!)) at += by;
    return found.has(at);
  };
  for (const at of found.keys())
    if (!hasWord(put[at]!) && !strongAt(at, -1) && !strongAt(at, 1)) found.delete(at);
}

/** The rows of a place after the step, in order: those that came back, and new ones behind those that they replace. */
export function putIn(
  list: RowList,
  gap: Gap,
  back: ReadonlyMap<number, Row>,
  make: (previous: Row | null, text: Token) => Row,
): Row[] {
  const gone = new Set(gap.gone);
  const all = back.size > 0 ? list.between(gap.left, gap.right) : [];
  const returned = new Set(back.values());
  const byLine = back.size === 0 && gap.put.length >= gap.gone.length;
  let at = back.size > 0 ? gap.left : (gap.gone.at(-1) ?? beforeReplaced(list, gap));
  let next = 0;
  return gap.put.map((text, index) => {
    // Up to the next row that comes back, behind what went before it.
    for (; next < all.length && !returned.has(all[next]!); next++) if (gone.has(all[next]!)) at = all[next]!;
    const known = back.get(index);
    if (known) next++;
    if (byLine) at = gap.gone[index] ?? at;
    at = known ?? make(at, text);
    return at;
  });
}

/** The row behind which lines are put in before `right`: all that this one replaced stays with it. */
function beforeReplaced(list: RowList, { left, right }: Gap): Row | null {
  let found = right ? right.previous : list.last;
  const putters = new Set<LineEvent>(right?.log.slice(0, 1).map(({ event }) => event));
  for (let row = found; right && row && row !== left; row = row.previous) {
    const taker = row.log.findLast(({ text }) => text === null)?.event;
    if (!taker || !putters.has(taker)) break;
    for (const { event } of row.log.slice(0, 1)) putters.add(event);
    found = row.previous;
  }
  return found;
}
