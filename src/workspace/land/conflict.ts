/** The refusal of edits that cannot land as they were asked for: what they build on, and what would help. */

import { EditError } from '../../errors.ts';
import { isOutside } from '../../operations.ts';
import type { PickConflict } from '../../trail/history/cherry-pick.ts';
import type { PendingEntry } from '../../trail/open-edits.ts';

/** So many conflicts, and commits that one depends on, are named. */
const NAMED = 10;

/** An edit that is not landing, and that another one of the same file came after. */
interface Below {
  commit: string;
  session: string | null;
  agent: string | null;
  op: string;
  subject: string;
}

/**
 * `needs` in its data: edits that would have to land as well; `needs_outside`: so would changes from outside; `landing`: what
 * was to land.
 */
export function landConflict(
  conflicts: readonly PickConflict[],
  entries: readonly PendingEntry[],
  chosen: readonly PendingEntry[],
): EditError {
  const named = conflicts
    .slice(0, NAMED)
    .map(conflict => ({ ...conflict, below: below(conflict, entries, chosen) }));
  const lines = named.map(({ path, commit, regions }) => {
    const places = regions.map(one =>
      one.end_line < one.start_line ? `at line ${one.start_line}` : `lines ${one.start_line}-${one.end_line}`,
    );
    const where = places.length > 0 ? ` (${places.join(', ')} of the branch)` : '';
    return `- ${path}${where}: edit ${commit.slice(0, 12)} was made on text that the branch does not have`;
  });
  const all = named.flatMap(one => one.below);
  const head = 'Not all of this can land by itself:';
  const message = [head, ...lines, `${advice(all)} Nothing was committed.`].join('\n');
  const needs = [...new Set(all.filter(one => !isOutside(one.op)).map(one => one.commit))];
  const own = all.some(one => isOutside(one.op));
  const landing = chosen.map(({ entry }) => entry.commit);
  return new EditError('CONFLICT', message, { conflicts: named, needs, needs_outside: own, landing });
}

function below(
  { path, commit }: PickConflict,
  entries: readonly PendingEntry[],
  chosen: readonly PendingEntry[],
): Below[] {
  const at = entries.findIndex(({ entry }) => entry.commit === commit);
  const landing = new Set(chosen.map(({ entry }) => entry.commit));
  const older = entries.slice(0, at).filter(one => !one.landed && one.paths.includes(path));
  return older
    .filter(one => !landing.has(one.entry.commit))
    .slice(-NAMED)
    .map(({ entry: { commit, subject, meta } }) => ({
      commit,
      subject,
      session: meta!.session ?? null,
      agent: meta!.agent ?? null,
      op: meta!.op,
    }));
}

function advice(all: readonly Below[]): string {
  const edits = all.filter(one => !isOutside(one.op));
  const others = [...new Set(edits.map(one => one.commit.slice(0, 12)))].join(', ');
  const help: string[] = [];
  if (others !== '') help.push(`land ${others} with it, of which it is the continuation`);
  if (edits.length < all.length) {
    help.push(
      'commit your own changes of the file first, or land them with it (outside: true, --with-outside)',
    );
  }
  if (help.length === 0)
    return 'The branch changed the same lines: bring the file in order by hand and commit it.';
  return `To join them, ${help.join('; ')}.`;
}
