/** The refusals of edits that cannot land as they were asked for: what stands in the way, and what would help. */

import { gitName } from '../c-quote.ts';
import { EditError } from '../errors.ts';
import type { TrailRow } from '../history/walk.ts';
import { isOutside } from '../operations.ts';
import { optionWords, shortId } from '../wording.ts';
import type { Stuck } from './land-files.ts';

/** The most conflicts, and commits that one depends on, that are named. */
const NAMED = 10;

/** An edit that is not landing, and that what lands was made on. */
interface Below {
  commit: string;
  session: string | null;
  agent: string | null;
  op: string;
  subject: string;
}

/**
 * Edits were made on text that the branch does not have. In its data `needs`: edits that would have to land as well;
 * `needs_outside`: so would text from outside; `landing`: what was to land.
 */
export async function landConflict(
  stuck: readonly Stuck[],
  rows: readonly TrailRow[],
  landing: readonly string[],
): Promise<EditError> {
  const shown = stuck.slice(0, NAMED);
  const needed = new Set(shown.flatMap(one => one.needs));
  const all: Below[] = [];
  for (const row of rows.filter(one => needed.has(one.commit))) {
    const { commit, subject, meta } = await row.entry();
    const { session = null, agent = null, op } = meta!;
    all.push({ commit, subject, session, agent, op });
  }
  const conflicts = shown.flatMap(({ path, edits, needs }) => {
    const below = all.filter(({ commit }) => needs.includes(commit));
    return edits.map(commit => ({ path, commit, regions: [], below }));
  });
  const lines = shown.map(({ path, line, edits }) => {
    const which = edits.length === 1 ? 'edit' : 'edits';
    const were = edits.length === 1 ? 'was' : 'were';
    return `- ${gitName(path)} (line ${line}): ${which} ${idsOf(edits)} ${were} made on text that the branch does not have`;
  });
  const needs = all.filter(one => !isOutside(one.op)).map(one => one.commit);
  const needsOutside = stuck.some(({ outside }) => outside);
  const message = [
    'Not all of this can land by itself:',
    ...lines,
    `${advice(all, needsOutside)} Nothing was committed.`,
  ].join('\n');
  return new EditError('CONFLICT', message, { conflicts, needs, needs_outside: needsOutside, landing });
}

function advice(needed: readonly Below[], needsOutside: boolean): string {
  const help: string[] = [];
  if (needed.length > 0)
    help.push(`land ${idsOf(needed.map(one => one.commit))} with it, of which it is the continuation`);
  if (needsOutside)
    help.push(
      `commit your own changes of the file first, or land them with it (${optionWords('outside', true)})`,
    );
  if (help.length === 0)
    return 'The branch changed the same lines: bring the file in order by hand and commit it.';
  return `To join them, ${help.join('; ')}.`;
}

function idsOf(commits: readonly string[]): string {
  return commits.map(commit => shortId(commit)).join(', ');
}

/** Text from outside took the place of a part of what edits wrote, so that the two cannot be told apart. */
export function revisedConflict(stuck: readonly Stuck[]): EditError {
  const revised = stuck.map(({ path, line, edits }) => ({ path, line, edits }));
  const places = revised
    .slice(0, NAMED)
    .map(
      ({ path, line, edits }) =>
        `${gitName(path)} (line ${line}): you changed there a part of what ${idsOf(edits)} wrote`,
    );
  const more = stuck.length > NAMED ? `; and ${stuck.length - NAMED} more places` : '';
  const ways = `To land it as the files have it, land with what is yours (${optionWords('outside', true)}).`;
  const message = `${places.join('; ')}${more}. ${ways} Nothing was committed.`;
  return new EditError('CONFLICT', message, { revised });
}
