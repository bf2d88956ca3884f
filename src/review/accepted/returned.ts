/**
 * Rejected text that is in the files again, from outside. A person's text counts as accepted; this does not, until they say
 * so: it is a hunk of the review, and what the rejection left there is the accepted text.
 */

import type { Snapshot } from '../../engine/files/snapshot.ts';
import { compare } from '../../engine/rejections/compare.ts';
import type { ReturnedText } from '../../engine/rejections/open-rejections.ts';
import { type Side, withText } from '../../engine/rejections/side.ts';
import { EditStatuses } from '../../engine/status/edit-status.ts';
import type { LineChange } from '../../text/diff/line-diff.ts';
import type { LineSpan } from '../../trail/history/rejected.ts';

/** Finds, by path as the trail records it, the rejected text that the files hold again. */
export async function findReturned(snapshot: Snapshot): Promise<Map<string, readonly ReturnedText[]>> {
  const known = await snapshot.context.rejections.all();
  if (known.length === 0) return new Map();
  const paths = known.flatMap(({ lines }) => lines.map(({ path }) => path));
  const files = await new EditStatuses(snapshot).files([...new Set(paths)]);
  const found = files.filter(({ returned }) => returned.length > 0);
  return new Map(found.map(({ history, returned }) => [history.names.at(-1)!, returned]));
}

/** Returns the accepted text, with what the rejections left in these places of the present one. */
export function withoutReturned(accepted: Side, present: Side, returned: readonly ReturnedText[]): Side {
  if (returned.length === 0 || !accepted.file || accepted.text === null || present.text === null)
    return accepted;
  const { old, changes, lineBreak } = compare(accepted.text, present.text);
  let lines = [...old];
  for (const { span, place } of [...returned].sort((a, b) => b.span.start - a.span.start)) {
    if (changes.some(change => meets(change, span))) continue;
    const before = changes.filter(({ newEnd }) => newEnd <= span.start);
    const shift = before.reduce((sum, one) => sum + one.newEnd - one.newStart - one.oldEnd + one.oldStart, 0);
    const put = place.now.map(line => line + lineBreak);
    const at = span.start - shift;
    lines = [...lines.slice(0, at), ...put, ...lines.slice(at + span.end - span.start)];
  }
  return withText(accepted, lines.join(''));
}

export function meets({ newStart, newEnd }: LineChange, { start, end }: LineSpan): boolean {
  return newStart < end ? newEnd > start || newStart >= start : newStart === start && newEnd === end;
}
