/**
 * HEAD's step: the difference between the text that HEAD had and the one that it has now, applied to the rows. What the file
 * took back of it has not been.
 */

import { align, type Token } from '../text/diff/alignment.ts';
import { changesOf } from '../text/diff/line-diff.ts';
import { isAgents, isAuthored, type LineEvent } from './event.ts';
import { putIn, returning } from './gap.ts';
import { formatless } from './reformat.ts';
import {
  bringBack,
  byOf,
  type Gap,
  isIn,
  lastText,
  putBy,
  type Row,
  setHead,
  takeOut,
  textOf,
} from './row.ts';
import type { Weave } from './weave.ts';

/** The texts that the step gives rows; `null`: it takes them out. */
type Wanted = Map<Row, Token | null>;

/**
 * Brings a weave to where HEAD holds `head` and the file `file`. Of what HEAD brought, that is left which the file holds; the
 * rest between the weave's text and the file's is the next event's.
 */
export function headStep(
  weave: Weave,
  event: LineEvent,
  head: readonly Token[],
  file: readonly Token[],
): void {
  if (weave.lost) return;
  const wanted: Wanted = new Map();
  const isMet = weave.isText(file) && weave.isText(head);
  const moved = isMet ? meetFile(weave, event) : moveHead(weave, event, head, file, wanted);
  if (!isMet) moveFile(weave, event, file, wanted);
  // Where HEAD lost a file that is there under another name, nobody accepted that anything of it went.
  const isAway = head.length === 0 && file.length > 0;
  if (!event.inCommand) for (const row of moved) accept(row, isAway);
}

/** HEAD comes to what the file has, as most often. Answers the rows that it got or lost. */
export function meetFile(weave: Weave, event: LineEvent): Row[] {
  const moved = weave.rows().filter(row => row.head !== textOf(row));
  for (const row of moved) setHead(row, textOf(row), event);
  return moved;
}

/** Does to the file what is wanted of it, but for what that took back. */
function moveFile(weave: Weave, event: LineEvent, file: readonly Token[], wanted: Wanted): void {
  const absent = takenBack(weave, file, wanted);
  for (const [row, text] of wanted) {
    if (text === null) takeOut(row, event);
    else if (!absent.has(row)) bringBack(row, event, text);
  }
  noteAbsent(weave, event, absent);
  weave.refresh();
}

/**
 * Accepts what HEAD has. Where it loses a row that the file keeps, a person's text still is accepted, and of an agent's what had
 * been before. `isAway`: what the file lacks is as it was.
 */
function accept(row: Row, isAway: boolean): void {
  if (row.head !== null) {
    row.beforeHead = row.accepted;
    row.accepted = row.head;
  } else if (!isIn(row)) row.accepted = isAway ? row.accepted : null;
  else if (isAgents(putBy(row))) row.accepted = row.beforeHead;
}

/** Says which rows HEAD has now, and what that wants of the file. Answers the rows that HEAD got or lost. */
function moveHead(
  weave: Weave,
  event: LineEvent,
  head: readonly Token[],
  file: readonly Token[],
  wanted: Wanted,
): Row[] {
  const rows = weave.rows().filter(row => row.head !== null);
  const { to } = align(
    rows.map(row => row.head!),
    head,
    at => isIn(rows[at]!),
  );
  return changesOf(to, head.length).flatMap(({ oldStart, oldEnd, newStart, newEnd }) => {
    const gone = rows.slice(oldStart, oldEnd);
    for (const row of gone) {
      setHead(row, null, event);
      if (isIn(row)) wanted.set(row, null);
    }
    const put = head.slice(newStart, newEnd);
    const gap = { left: rows[oldStart - 1] ?? null, right: rows[oldEnd] ?? null, gone, put };
    return [...gone, ...arrive(weave, event, gap, file, wanted)];
  });
}

/**
 * The rows of what HEAD got in one place: those that the file has already, or has in another format, those of HEAD's that it
 * lacks and HEAD has in another format, those that come back, and new ones.
 */
function arrive(weave: Weave, event: LineEvent, gap: Gap, file: readonly Token[], wanted: Wanted): Row[] {
  const formats = [formatless('old'), formatless('new')] as const;
  const went = new Set(gap.gone);
  const isAway = (row: Row): boolean => went.has(row) && !isIn(row);
  return pairedIn(weave, gap, isIn, [text => text, text => text], exact, rest =>
    pairedIn(weave, rest, isIn, formats, reformatted, more =>
      pairedIn(weave, more, isAway, formats, formattedAway, last => bring(weave, event, last, file, wanted)),
    ),
  );

  function exact(row: Row, text: Token): void {
    setHead(row, text, event);
    wanted.delete(row);
  }

  function reformatted(row: Row, text: Token): void {
    // Where the file had HEAD's text, it gets the new format with HEAD; else it has one of its own.
    if (wanted.has(row)) wanted.set(row, text);
    setHead(row, text, event);
  }

  function formattedAway(row: Row, text: Token): void {
    wanted.set(row, text);
    setHead(row, text, event);
  }
}

type KeyOf = (text: Token, at: number) => string;

/** Pairs rows of a place with the lines that are put there, by keys, and leaves the gaps between to `fillRest`. */
function pairedIn(
  { list }: Weave,
  gap: Gap,
  isMeant: (row: Row) => boolean,
  [old, fresh]: readonly [old: KeyOf, fresh: KeyOf],
  pair: (row: Row, text: Token) => void,
  fillRest: (gap: Gap) => Row[],
): Row[] {
  const open = list.between(gap.left, gap.right).filter(isMeant);
  if (gap.put.length === 0 || open.length === 0) return fillRest(gap);
  const { to } = align(
    open.map((row, at) => old(lastText(row), at)),
    gap.put.map(fresh),
  );
  const gone = new Set(gap.gone);
  let got: Row[] = [];
  let [left, start] = [gap.left, 0];
  for (const [at, next] of [...to.entries(), [open.length, gap.put.length] as const]) {
    if (next < 0) continue;
    const row = open[at] ?? null;
    const right = row ?? gap.right;
    const part = list.between(left, right).filter(one => gone.has(one));
    got = got.concat(fillRest({ left, right, gone: part, put: gap.put.slice(start, next) }));
    if (row) {
      pair(row, gap.put[next]!);
      got.push(row);
    }
    [left, start] = [row, next + 1];
  }
  return got;
}

function bring(weave: Weave, event: LineEvent, gap: Gap, file: readonly Token[], wanted: Wanted): Row[] {
  if (gap.put.length === 0) return [];
  const back = returning(weave.list, gap, event);
  const beside = weave.list.between(gap.left, gap.right).filter(row => isIn(row) && !wanted.has(row));
  const isFirst = back.size === 0 && gap.gone.length === 0 && comesFirst(gap.put, beside, file);
  // New lines stand in for those that go with them, not for others that an edit took before.
  const own = { ...gap, gone: gap.gone.filter(isIn) };
  const place = isFirst ? { ...own, right: beside[0]! } : own;
  const rows = putIn(weave.list, place, back, previous => weave.list.insert(previous, []));
  for (const [at, row] of rows.entries()) {
    setHead(row, gap.put[at]!, event);
    wanted.set(row, row.head);
  }
  return rows;
}

/** True where HEAD and somebody open put lines in at one place, and the file has HEAD's first. */
function comesFirst(put: readonly Token[], beside: readonly Row[], file: readonly Token[]): boolean {
  if (beside.length === 0) return false;
  const open = beside.map(row => textOf(row)!);
  const common = (lines: Token[]): number => align(lines, file).to.filter(at => at >= 0).length;
  return common([...put, ...open]) > common([...open, ...put]);
}

/**
 * Reads from the file what became of HEAD's step: rows that go stay where the file has them in their place, and are no longer
 * wanted out; rows of HEAD that the file has again came with it. Answers the rows that HEAD brought and that the file lacks.
 */
function takenBack(weave: Weave, file: readonly Token[], wanted: Wanted): Set<Row> {
  const absent = new Set<Row>();
  const expected = weave.rows().filter(row => (wanted.has(row) ? wanted.get(row) !== null : isIn(row)));
  const texts = expected.map(row => wanted.get(row) ?? textOf(row)!);
  const { to } = align(texts, file, at => !wanted.has(expected[at]!));
  for (const { oldStart, oldEnd, newStart, newEnd } of changesOf(to, file.length)) {
    for (const row of expected.slice(oldStart, oldEnd)) if (wanted.has(row)) absent.add(row);
    const between = weave.list.between(expected[oldStart - 1] ?? null, expected[oldEnd] ?? null);
    const put = file.slice(newStart, newEnd);
    const going = between.filter(row => wanted.get(row) === null);
    for (const row of foundIn(going, textOf, put)) wanted.delete(row);
    const away = between.filter(row => !isIn(row) && row.head !== null && !wanted.has(row));
    for (const row of foundIn(away, ({ head }) => head, put)) wanted.set(row, row.head);
  }
  return absent;
}

/** The rows whose text is among the lines, in order. */
function foundIn(rows: readonly Row[], text: (row: Row) => Token | null, lines: readonly Token[]): Row[] {
  const { to } = align(
    rows.map(row => text(row)!),
    lines,
  );
  return rows.filter((_, at) => to[at]! >= 0);
}

/**
 * Rows of HEAD's that never came into the file. Where an open event had emptied their place, they count as taken by it: a
 * way back of that event brings them.
 */
function noteAbsent(weave: Weave, event: LineEvent, absent: ReadonlySet<Row>): void {
  const fresh = new Set([...absent].filter(({ log }) => log.length === 0));
  if (fresh.size === 0) return;
  const emptiedBy = (row: Row | undefined): LineEvent | null => {
    const last = row?.log.at(-1);
    return last && last.text === null && isAuthored(byOf(last)) ? byOf(last) : null;
  };
  const head = weave.rows().filter(row => row.head !== null);
  for (let start = 0, end = 0; start < head.length; start = end + 1) {
    for (end = start; end < head.length && fresh.has(head[end]!); ) end++;
    const [before, after] = [head[start - 1], head[end]];
    const [x, y] = [emptiedBy(before), emptiedBy(after)];
    const by = before && after ? (x === y ? x : null) : (x ?? y);
    for (const row of head.slice(start, end))
      row.log.push({ event, text: row.head }, { event, text: null, ...(by && { as: by }) });
  }
}
