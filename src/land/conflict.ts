/** The refusals of edits that cannot land as they were asked for: what stands in the way, and what would help. */

import { gitName } from '../c-quote.ts';
import { type Context, fromTrail } from '../engine/context.ts';
import { EditError } from '../errors.ts';
import { isOutside } from '../operations.ts';
import type { TrailEntry, TrailRow } from '../trail/walk.ts';
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
  context: Context,
  stuck: readonly Stuck[],
  rows: readonly TrailRow[],
  chosen: readonly TrailRow[],
): Promise<EditError> {
  const needed = new Set(stuck.slice(0, NAMED).flatMap(one => one.needs));
  const below: Below[] = [];
  for (const row of rows) if (needed.has(row.commit)) below.push(asBelow(await row.entry()));
  const named = stuck.slice(0, NAMED).flatMap(one =>
    one.edits.map(commit => ({
      path: one.path,
      commit,
      regions: [],
      below: below.filter(({ commit }) => one.needs.includes(commit)),
    })),
  );
  const lines = stuck.slice(0, NAMED).map(({ path, line, edits }) => {
    const which = edits.map(commit => shortId(commit)).join(', ');
    return `- ${nameOf(context, path)} (line ${line}): ${edits.length === 1 ? 'edit' : 'edits'} ${which} ${edits.length === 1 ? 'was' : 'were'} made on text that the branch does not have`;
  });
  const all = named.flatMap(one => one.below);
  const needsOutside = stuck.some(({ outside }) => outside);
  const message = [
    'Not all of this can land by itself:',
    ...lines,
    `${advice(all, needsOutside)} Nothing was committed.`,
  ].join('\n');
  const needs = [...new Set(all.filter(one => !isOutside(one.op)).map(one => one.commit))];
  const landing = chosen.map(({ commit }) => commit);
  return new EditError('CONFLICT', message, {
    conflicts: named,
    needs,
    needs_outside: needsOutside,
    landing,
  });
}

function asBelow({ commit, subject, meta }: TrailEntry): Below {
  return { commit, subject, session: meta!.session ?? null, agent: meta!.agent ?? null, op: meta!.op };
}

function advice(all: readonly Below[], needsOutside: boolean): string {
  const others = [...new Set(all.map(one => shortId(one.commit)))].join(', ');
  const help: string[] = [];
  if (others !== '') help.push(`land ${others} with it, of which it is the continuation`);
  if (needsOutside)
    help.push(
      `commit your own changes of the file first, or land them with it (${optionWords('outside', true)})`,
    );
  if (help.length === 0)
    return 'The branch changed the same lines: bring the file in order by hand and commit it.';
  return `To join them, ${help.join('; ')}.`;
}

/** Text from outside took the place of a part of what edits wrote, so that the two cannot be told apart. */
export function revisedConflict(context: Context, stuck: readonly Stuck[]): EditError {
  const places = stuck.slice(0, NAMED).map(({ path, line, edits }) => {
    const which = edits.map(commit => shortId(commit)).join(', ');
    return `${nameOf(context, path)} (line ${line}): you changed there a part of what ${which} wrote`;
  });
  const more = stuck.length > NAMED ? `; and ${stuck.length - NAMED} more places` : '';
  const ways = `To land it as the files have it, land with what is yours (${optionWords('outside', true)}).`;
  return new EditError('CONFLICT', `${places.join('; ')}${more}. ${ways} Nothing was committed.`, {
    revised: stuck.map(({ path, line, edits }) => ({ path: fromTrail(context, path) ?? path, line, edits })),
  });
}

function nameOf(context: Context, path: string): string {
  return gitName(fromTrail(context, path) ?? path);
}
