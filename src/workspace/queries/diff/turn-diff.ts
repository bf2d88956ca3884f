/** Compares the texts before and after one turn of an agent: its edits of a file, one after the other, are one difference while nobody else's is between. */

import { isBelow } from '../../../trail/changed-paths.ts';
import { readEntry, type TrailEntry, walkRows } from '../../../trail/walk.ts';
import { readableDiffs } from '../../admission/policy/readable.ts';
import { commitDiffs } from '../../commit-diffs.ts';
import type { Context } from '../../context.ts';
import { type FileDiff, fileDiffOf } from '../../file-diffs.ts';
import { openTrail } from '../../trails/open-trail.ts';
import { findTurn } from '../turns.ts';

/** The commits of a turn, the oldest first. Throws INVALID_INPUT for a turn that there is not. */
export async function turnEntries(context: Context, given: string): Promise<TrailEntry[]> {
  const turn = await findTurn(context, given);
  const { tip, checkedOut } = await openTrail(context);
  const found: string[] = [];
  for await (const rows of walkRows(context.objects, tip, { ownOnly: !checkedOut, joined: 'all' }))
    for (const row of rows) if (row.turn === turn) found.push(row.commit);
  return Promise.all(found.reverse().map(commit => readEntry(context.objects, commit)));
}

/** `only`: a file or folder of the workspace, as it was called at some moment of the turn. */
export async function turnDiffs(
  context: Context,
  entries: readonly TrailEntry[],
  only?: string,
): Promise<FileDiff[]> {
  const found: FileDiff[] = [];
  for (const entry of entries)
    for (const next of await commitDiffs(context, entry)) {
      const at = found.findLastIndex(one => one.path === (next.from ?? next.path));
      const known = found[at];
      if (known && continues(known, next)) found.splice(at, 1, joined(known, next));
      else found.push(next);
    }
  const changed = found.filter(
    ({ before, after }) => before?.version !== after?.version || !before !== !after,
  );
  const wanted = changed.filter(
    ({ path, from }) => isBelow(path, only) || (from !== null && isBelow(from, only)),
  );
  return readableDiffs(context, wanted);
}

/** True where the file is still what it was made. */
function continues({ after }: FileDiff, { before }: FileDiff): boolean {
  return after?.version === before?.version && after?.mode === before?.mode;
}

function joined(first: FileDiff, { path, after }: FileDiff): FileDiff {
  const was = first.from ?? first.path;
  const from = first.before && after && was !== path ? was : null;
  return fileDiffOf(path, from, first.before, after);
}
