/** The turns of agents, found by what their ids begin with: a turn is what an agent did for one prompt. */

import { EditError } from '../../errors.ts';
import type { TrailRow } from '../../trail/walk.ts';
import { walkRows } from '../../trail/walk.ts';
import type { Context } from '../context.ts';
import { openTrail } from '../trails/open-trail.ts';

/** Stands for the turn of the newest edit that has one. */
export const LATEST = 'latest';

/** Turns named in a refusal. */
const NAMED = 5;

/**
 * The id of the turn that `given` names: the whole id, its start where no other turn begins so, or `latest`. `session`: only
 * turns of that one, by its whole id. Throws INVALID_INPUT for a name that fits no turn, or several.
 */
export async function findTurn(context: Context, given: string, session?: string): Promise<string> {
  const { tip, checkedOut } = await openTrail(context);
  const newest = new Map<string, string>();
  const fitting = new Set<string>();
  for await (const rows of walkRows(context.objects, tip, { ownOnly: !checkedOut, joined: 'all' })) {
    for (const row of rows) {
      const id = row.turn;
      if (id === undefined || (session !== undefined && row.session !== session)) continue;
      if (id === given || given === LATEST) return id;
      if (newest.size < NAMED && !newest.has(id)) newest.set(id, turnWords(id, row));
      if (id.startsWith(given)) fitting.add(id);
    }
  }
  if (fitting.size === 1 && given !== '') return [...fitting][0]!;
  throw fitting.size > 1 && given !== ''
    ? severalTurns(given, [...fitting])
    : noTurn(given, [...newest.values()]);
}

function turnWords(id: string, { agent, time }: TrailRow): string {
  return `${id} (${agent ?? 'agent'}, ${new Date(time * 1000).toISOString().slice(0, 16)}Z)`;
}

function severalTurns(given: string, candidates: readonly string[]): EditError {
  const more = candidates.length > NAMED ? ` and ${candidates.length - NAMED} more` : '';
  const words = `${JSON.stringify(given)} is the start of ${candidates.length} turns: ${candidates.slice(0, NAMED).join(', ')}${more}. Give more of it.`;
  return new EditError('INVALID_INPUT', words, { field: 'turn', candidates: [...candidates] });
}

/** `newest`: turns that there are, in words. */
export function noTurn(given: string, newest: readonly string[]): EditError {
  const next =
    newest.length > 0
      ? `The newest turns are ${newest.join(', ')}.`
      : 'No edit names one: hooks of agents do (vedit install), and programs that give one to their sessions.';
  const what =
    given === LATEST ? 'There is no turn' : `No turn is named ${JSON.stringify(given.slice(0, 60))}`;
  return new EditError('INVALID_INPUT', `${what} in this history. ${next}`, { field: 'turn' });
}
