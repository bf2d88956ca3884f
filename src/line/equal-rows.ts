/** Rows that HEAD and the file each have one of, with the same text in the same place: that one was taken out and another one put in, no text tells. */

import { align } from '../text/diff/alignment.ts';
import { changesOf } from '../text/diff/line-diff.ts';
import { isIn, type Row, runsBetween, textOf } from './row.ts';

export interface EqualRows {
  /** By the file's row, the one of HEAD that it stands for. */
  readonly headsOf: ReadonlyMap<Row, Row>;
  /** The rows that HEAD or the file has, in an order that is right for both, without those of HEAD that others stand for. */
  readonly order: readonly Row[];
}

/** Finds the equal rows between those that both have. */
export function equalRows(rows: readonly Row[]): EqualRows {
  const headsOf = new Map<Row, Row>();
  const shown = rows.filter(row => isIn(row) || row.head !== null);
  const isBoth = (row: Row): boolean => isIn(row) && row.head !== null;
  const ordered = new Map<Row, readonly Row[]>();
  for (const run of runsBetween(shown, isBoth)) ordered.set(run[0]!, pairedRun(run, headsOf));
  const heads = new Set(headsOf.values());
  const order: Row[] = [];
  for (let at = 0; at < shown.length; ) {
    const run = ordered.get(shown[at]!);
    for (const row of run ?? [shown[at]!]) if (!heads.has(row)) order.push(row);
    at += run?.length ?? 1;
  }
  return { headsOf, order };
}

/** Notes the equal rows of a run, and returns it in an order that has them beside each other. */
function pairedRun(run: readonly Row[], headsOf: Map<Row, Row>): readonly Row[] {
  const [head, file] = [run.filter(row => !isIn(row)), run.filter(isIn)];
  const texts = new Set(file.map(textOf));
  if (!head.some(row => texts.has(row.head))) return run;
  const { to } = align(
    head.map(row => row.head!),
    file.map(row => textOf(row)!),
  );
  if (to.every(at => at < 0)) return run;
  const place = new Map(run.map((row, at) => [row, at]));
  const byPlace = (a: Row, b: Row): number => place.get(a)! - place.get(b)!;
  const order: Row[] = [];
  let [from, start] = [0, 0];
  for (const { oldStart, oldEnd, newStart, newEnd } of [
    ...changesOf(to, file.length),
    { oldStart: head.length, oldEnd: head.length, newStart: file.length, newEnd: file.length },
  ]) {
    for (; from < oldStart; from++, start++) {
      headsOf.set(file[start]!, head[from]!);
      order.push(head[from]!, file[start]!);
    }
    for (const row of [...head.slice(oldStart, oldEnd), ...file.slice(newStart, newEnd)].sort(byPlace))
      order.push(row);
    [from, start] = [oldEnd, newEnd];
  }
  return order;
}
