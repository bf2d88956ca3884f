/** The edits that a landing names: single commits, and rows of them as `after..last`. */

import { EditError } from '../../errors.ts';
import type { TrailEntry } from '../../trail/walk.ts';
import { toolName } from '../../wording.ts';
import type { Context } from '../context.ts';
import { NamedCommits, rangeEnds } from '../revision.ts';
import { openTrail } from '../trails/open-trail.ts';

/** The commits that the specs name, found before the landing waits for anything. */
export async function landNames(context: Context, specs: readonly string[]): Promise<NamedCommits> {
  const names = specs.flatMap(spec => {
    const [after, last] = rangeEnds(spec) ?? [spec];
    return last === undefined ? [after] : [...(after === '' ? [] : [after]), last || '@'];
  });
  return NamedCommits.of(context, await openTrail(context), names);
}

/** Full ids, of `entries` (the trail, oldest first). Throws INVALID_INPUT for what is no edit of them. */
export async function resolveCommits(
  named: NamedCommits,
  entries: readonly TrailEntry[],
  specs: readonly string[],
): Promise<ReadonlySet<string>> {
  const wanted = new Set<string>();
  for (const spec of specs) {
    const row = rangeEnds(spec);
    const ids = row ? await rowOf(named, entries, ...row) : [await editOf(named, entries, spec)];
    for (const id of ids) wanted.add(id);
  }
  return wanted;
}

async function editOf(named: NamedCommits, entries: readonly TrailEntry[], spec: string): Promise<string> {
  const commit = await named.find(spec);
  if (entries.some(one => one.commit === commit)) return commit;
  throw noEdit(spec, commit);
}

/** An end that is left out is that of the trail. */
async function rowOf(
  named: NamedCommits,
  entries: readonly TrailEntry[],
  after: string,
  last: string,
): Promise<string[]> {
  const place = async (spec: string): Promise<number> => {
    const commit = await named.find(spec);
    const found = placeAfter(entries, commit);
    if (found !== null) return found;
    if (commit === named.trail.parent) return entries.length;
    throw noEdit(spec, commit);
  };
  const start = after === '' ? 0 : await place(after);
  const end = await place(last || '@');
  return entries.slice(start, end).map(one => one.commit);
}

/** The index of the first entry above a commit of the trail, which need not be an edit itself. */
function placeAfter(entries: readonly TrailEntry[], commit: string): number | null {
  const at = entries.findIndex(one => one.commit === commit);
  if (at >= 0) return at + 1;
  const above = entries.findIndex(one => one.parents[0] === commit);
  return above >= 0 ? above : null;
}

function noEdit(spec: string, commit: string): EditError {
  return new EditError(
    'INVALID_INPUT',
    `${spec} is not an edit of this history that could land. ${toolName('log')} lists them; a row of them is <after>..<last>.`,
    { field: 'commits', commit },
  );
}
