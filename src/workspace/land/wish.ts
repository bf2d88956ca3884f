/** The edits that a landing names: single commits, and rows of them as `after..last`. */

import { EditError } from '../../errors.ts';
import type { TrailHead } from '../../trail/head.ts';
import type { PendingEntry } from '../../trail/pending.ts';
import type { Context } from '../context.ts';
import { findCommit } from '../revision.ts';

/** Full ids, of `entries` (the trail, oldest first). Throws INVALID_INPUT for what is no edit of them. */
export async function resolveCommits(
  context: Context,
  trail: TrailHead,
  entries: readonly PendingEntry[],
  specs: readonly string[],
): Promise<ReadonlySet<string>> {
  const wanted = new Set<string>();
  for (const spec of specs) {
    const row = /^(.*?)\.\.(.*)$/s.exec(spec);
    const ids = row
      ? await rowOf(context, trail, entries, row[1]!, row[2]!)
      : [await editOf(context, trail, entries, spec)];
    for (const id of ids) wanted.add(id);
  }
  return wanted;
}

async function editOf(
  context: Context,
  trail: TrailHead,
  entries: readonly PendingEntry[],
  spec: string,
): Promise<string> {
  const commit = await findCommit(context, trail, spec);
  if (entries.some(({ entry }) => entry.commit === commit)) return commit;
  throw noEdit(spec, commit);
}

/** An end that is left out is that of the trail. */
async function rowOf(
  context: Context,
  trail: TrailHead,
  entries: readonly PendingEntry[],
  after: string,
  last: string,
): Promise<string[]> {
  const place = async (spec: string): Promise<number | null> => {
    const commit = await findCommit(context, trail, spec);
    return commit === trail.parent ? entries.length : placeAfter(entries, commit);
  };
  const start = after === '' ? 0 : await place(after);
  const end = await place(last || '@');
  if (start === null) throw noEdit(after, null);
  if (end === null) throw noEdit(last, null);
  return entries.slice(start, end).map(({ entry }) => entry.commit);
}

/** The index of the first entry above a commit of the trail, which need not be an edit itself. */
function placeAfter(entries: readonly PendingEntry[], commit: string): number | null {
  const at = entries.findIndex(({ entry }) => entry.commit === commit);
  if (at >= 0) return at + 1;
  const above = entries.findIndex(({ entry }) => entry.parents[0] === commit);
  return above >= 0 ? above : null;
}

function noEdit(spec: string, commit: string | null): EditError {
  return new EditError(
    'INVALID_INPUT',
    `${spec} is not an edit of this trail that could land. \`log\` lists them; a row of them is <after>..<last>.`,
    { field: 'commits', commit },
  );
}
