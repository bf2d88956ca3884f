/** The marks of an edit by which rejected text stands in the files. */

import type { EditStatus } from '../../../trail/history/status.ts';
import type { TrailEntry } from '../../../trail/walk.ts';
import type { ReturnedText } from './standing.ts';

/** Marks a commit: `overridden` where it says that it did it in spite of the rejection, else `came back`. */
export function marksOf(
  { commit, meta }: TrailEntry,
  files: ReadonlyArray<{ returned: readonly ReturnedText[] }>,
): Pick<EditStatus, 'marks' | 'against'> {
  const back = files.flatMap(({ returned }) =>
    returned.filter(({ entries }) => entries.some(one => one.commit === commit)),
  );
  const rejections = [...new Map(back.map(({ rejection }) => [rejection.commit, rejection])).values()];
  if (rejections.length === 0) return { marks: [] };
  const isOverridden = (one: { commit: string }): boolean => meta?.overrides?.includes(one.commit) ?? false;
  const marks: EditStatus['marks'] = [];
  if (rejections.some(one => !isOverridden(one))) marks.push('came back');
  if (rejections.some(isOverridden)) marks.push('overridden');
  return { marks, against: rejections.map(({ commit, reviewer, reason }) => ({ commit, reviewer, reason })) };
}
