/**
 * Rejected text that came back from outside. A person's text counts as accepted; this does not, until they say so: it is a
 * hunk of the review, and what the rejection left there is the accepted text.
 */

import type { LineSpan } from '../../../trail/history/rejected.ts';
import type { Snapshot } from '../../files/snapshot.ts';
import { EditStatuses } from '../../queries/edit-status.ts';
import type { Rejection } from '../rejections/rejection-book.ts';
import { compare } from './compare.ts';
import { type Side, withText } from './side.ts';

/** Lines of the present text, 0-based, and those that stood there instead. */
export interface CameBack {
  span: LineSpan;
  instead: readonly string[];
  rejection: Rejection;
}

/** Finds it in the files, by path as the trail records it. */
export async function findCameBack(snapshot: Snapshot): Promise<Map<string, CameBack[]>> {
  const found = new Map<string, CameBack[]>();
  const known = await snapshot.context.rejections.of(null);
  if (known.length === 0) return found;
  const paths = known.flatMap(({ lines }) => lines.map(({ path }) => path));
  for (const { history, returned } of await new EditStatuses(snapshot).files([...new Set(paths)])) {
    const back = returned.filter(({ overridden }) => !overridden);
    if (back.length === 0) continue;
    const spans = back.map(({ span, place, rejection }) => ({ span, instead: place.now, rejection }));
    found.set(history.names.at(-1)!, spans);
  }
  return found;
}

/** The accepted text, as the rejections left it in these places of the present one. */
export function withoutCameBack(accepted: Side, present: Side, back: readonly CameBack[]): Side {
  if (back.length === 0 || !accepted.file || accepted.text === null || present.text === null) return accepted;
  const { old, changes, lineBreak } = compare(accepted.text, present.text);
  const lines = [...old];
  for (const { span, instead } of [...back].sort((a, b) => b.span.start - a.span.start)) {
    if (changes.some(change => meets(change, span))) continue;
    const before = changes.filter(({ newEnd }) => newEnd <= span.start);
    const shift = before.reduce((sum, one) => sum + one.newEnd - one.newStart - one.oldEnd + one.oldStart, 0);
    const put = instead.map(line => line + lineBreak);
    lines.splice(span.start - shift, span.end - span.start, ...put);
  }
  return withText(accepted, lines.join(''));
}

/** True where a change of the present text is at these lines. */
export function meets(
  { newStart, newEnd }: { newStart: number; newEnd: number },
  { start, end }: LineSpan,
): boolean {
  return newStart < end ? newEnd > start || newStart >= start : newStart === start && newEnd === end;
}
