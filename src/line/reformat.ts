/**
 * A formatter keeps authors: where a run of lines is replaced by one that is equal but for blanks, quotes, trailing commas
 * and semicolons, and line breaks within the run, the rows stay, and their new text is a flip of its own, which can be taken
 * back.
 */

import { isLine } from '../history/file-rows.ts';
import { align, type Token } from '../text/diff/alignment.ts';
import { bare, bareRun, hasWord, isOnlyFormatted } from '../text/format.ts';
import { accepts, type LineEvent } from './event.ts';
import { type Gap, type Row, takeOut } from './row.ts';
import type { RowList } from './row-list.ts';

type Fill = (list: RowList, gap: Gap, event: LineEvent) => Row[];

/**
 * Brings a place to its new text where a formatter made all or some of it, and leaves what is not a formatter's to `plain`.
 * Answers the rows of the place in the new text; `null` where nothing was only formatted.
 */
export function reformat(list: RowList, gap: Gap, event: LineEvent, plain: Fill): Row[] | null {
  const { gone, put } = gap;
  if (gone.length === 0 || put.length === 0) return null;
  if (isSameRun(gap)) return reformatRun(list, gap, event);
  const pairs = pairsOf(gap);
  if (pairs.length === 0) return null;
  const same = new Map(pairs.map(([old, fresh]) => [fresh, gone[old]!] as const));
  const keep = (row: Row, text: Token): Row => retext(row, event, text);
  return fillAround(list, gap, same, keep, rest => {
    const isRun = rest.gone.length > 0 && rest.put.length > 0 && isSameRun(rest);
    return isRun ? reformatRun(list, rest, event) : plain(list, rest, event);
  });
}

/** Fills a place around rows that stand for lines of it, by their index in `put`: what is between them is filled by itself. */
export function fillAround(
  list: RowList,
  { left, right, gone, put }: Gap,
  fixed: ReadonlyMap<number, Row>,
  keep: (row: Row, text: Token) => Row,
  fill: (rest: Gap) => Row[],
): Row[] {
  const [taken, index] = [new Set(gone), new Map([...fixed].map(([at, row]) => [row, at] as const))];
  let rows: Row[] = [];
  let rest = { left, gone: [] as Row[], start: 0 };
  const fillTo = (end: Row | null, at: number): void => {
    const place = { left: rest.left, right: end, gone: rest.gone, put: put.slice(rest.start, at) };
    if (place.gone.length + place.put.length > 0) rows = rows.concat(fill(place));
    rest = { left: end, gone: [], start: at + 1 };
  };
  for (const row of list.between(left, right)) {
    const at = index.get(row);
    if (at === undefined) {
      if (taken.has(row)) rest.gone.push(row);
      continue;
    }
    fillTo(row, at);
    rows.push(keep(row, put[at]!));
  }
  fillTo(right, put.length);
  return rows;
}

const textIn = (row: Row): Token => row.log.at(-1)!.text!;

/** A row that stands for something else than a line is in no run: it is compared by itself. */
function isSameRun({ gone, put }: Gap): boolean {
  const old = gone.map(textIn);
  return old.every(isLine) && put.every(isLine) && isOnlyFormatted(old, put);
}

/** The lines that are the same but for their format, by their index before and after. */
function pairsOf({ gone, put }: Gap): Array<readonly [old: number, fresh: number]> {
  const { to } = align(gone.map(textIn).map(formatless('old')), put.map(formatless('new')));
  return [...to.entries()].filter(([, fresh]) => fresh >= 0);
}

/** Returns what tells lines apart that only a formatter changed. A line without a word is like no other. */
export function formatless(side: string): (line: Token, at: number) => string {
  return (line, at) => {
    const text = bareRun([line]);
    return hasWord(text) && isLine(line) ? text : `\0${side}${at}`;
  };
}

function retext(row: Row, event: LineEvent, text: Token): Row {
  if (textIn(row) === text) return row;
  // What a way back brings in another format is one flip of it.
  const last = row.log.at(-1)!;
  if (last.event.at === event.at) {
    row.log[row.log.length - 1] = { ...last, text };
    return row;
  }
  const wasAccepted = row.accepted === textIn(row);
  const isAccepted = accepts(event) && wasAccepted;
  row.log.push({ event, text, ...(isAccepted && { accepted: row.accepted }) });
  if (isAccepted) row.accepted = text;
  return row;
}

/**
 * Each line of the new text goes to the row that has its first character; further ones of a row are split off it, as its
 * author's, and a row that is left without any is joined to the one before.
 */
function reformatRun(list: RowList, { gone, put }: Gap, event: LineEvent): Row[] {
  const owned: Token[][] = gone.map(() => []);
  let [owner, start] = [0, 0];
  let end = lengthOf(textIn(gone[0]!));
  for (const line of put) {
    while (end <= start && owner < gone.length - 1) end += lengthOf(textIn(gone[++owner]!));
    owned[owner]!.push(line);
    start += lengthOf(line);
  }
  const rows: Row[] = [];
  for (const [at, row] of gone.entries()) {
    const [first, ...more] = owned[at]!;
    if (first === undefined) join(row, rows.at(-1), event);
    else rows.push(retext(row, event, first));
    let last = row;
    for (const text of more) {
      last = splitOff(list, last, row, event, text);
      rows.push(last);
    }
  }
  return rows;
}

/** Without commas, semicolons and blanks, which may be anywhere. */
const lengthOf = (line: Token): number => bare(line).replace(/[,;\s]/g, '').length;

function join(row: Row, into: Row | undefined, event: LineEvent): void {
  if (into) row.log.push({ event, text: null, into });
  else takeOut(row, event);
}

function splitOff(list: RowList, previous: Row, from: Row, event: LineEvent, text: Token): Row {
  const author = from.log[0]!.event;
  const row = list.insert(previous, [
    { event: author, text: null },
    { event, text },
  ]);
  if (from.accepted !== null && accepts(event)) row.accepted = text;
  return row;
}
