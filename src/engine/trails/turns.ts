/** The turns of agents, found by what their ids begin with: a turn is what an agent did for one prompt. */

import { EditError } from '../../errors.ts';
import { type TrailRow, walkRows } from '../../history/walk.ts';
import { listedSome } from '../../text/words.ts';
import type { Context } from '../context.ts';
import { openTrail } from './open-trail.ts';

/** Stands for the turn of the newest edit that has one. */
export const LATEST = 'latest';

/** Sessions or turns named in a refusal. */
const NAMED = 5;

/**
 * Finds the id of the turn that `given` names: the whole id, its start where no other turn begins so, or `latest`. `session`:
 * only turns of that one, by its whole id. Throws INVALID_INPUT for a name that fits no turn, or several.
 */
export function findTurn(context: Context, given: string, session?: string): Promise<string> {
  return findNamed(context, given, {
    field: 'turn',
    idOf: row => (session === undefined || row.session === session ? row.turn : undefined),
    wordsOf: ({ turn, agent, time }) =>
      `${turn} (${agent ?? 'agent'}, ${new Date(time * 1000).toISOString().slice(0, 16)}Z)`,
    refusal: newest => noTurn(given, newest),
  });
}

/** Says how commits name sessions, or turns. */
interface Naming {
  field: 'session' | 'turn';
  idOf(row: TrailRow): string | undefined;
  /** Returns the id of a row as a refusal shows it. */
  wordsOf(row: TrailRow): Promise<string> | string;
  /** The refusal where nothing is named so. `newest`: the newest ids, in words. */
  refusal(newest: readonly string[]): Promise<EditError> | EditError;
}

/**
 * Finds the id that `given` is, or is the start of; `latest`: the newest. `others`: ids that are known from elsewhere. Throws
 * INVALID_INPUT where it is the start of several, or of none.
 */
export async function findNamed(
  context: Context,
  given: string,
  { field, idOf, wordsOf, refusal }: Naming,
  others: readonly string[] = [],
): Promise<string> {
  const { tip, checkedOut } = await openTrail(context);
  const newest = new Map<string, string>();
  const fitting = new Map(others.filter(id => id.startsWith(given)).map(id => [id, id]));
  for await (const rows of walkRows(context.objects, tip, { ownOnly: !checkedOut })) {
    for (const row of rows) {
      const id = idOf(row);
      if (id === undefined) continue;
      if (id === given || (field === 'turn' && given === LATEST)) return id;
      const isNew = newest.size < NAMED && !newest.has(id);
      const fits = id.startsWith(given) && !fitting.has(id);
      const words = isNew || fits ? await wordsOf(row) : '';
      if (isNew) newest.set(id, words);
      if (fits) fitting.set(id, field === 'turn' ? id : words);
    }
  }
  if (fitting.size === 0 || given === '') throw await refusal([...newest.values()]);
  if (fitting.size === 1) return [...fitting.keys()][0]!;
  const shown = listedSome([...fitting.values()], NAMED);
  const words = `${JSON.stringify(given)} is the start of ${fitting.size} ${field}s: ${shown}. Give more of it.`;
  throw new EditError('INVALID_INPUT', words, { field, candidates: [...fitting.keys()] });
}

/** Creates the refusal of a turn that there is not. `newest`: turns that there are, in words. */
function noTurn(given: string, newest: readonly string[]): EditError {
  const next =
    newest.length > 0
      ? `The newest turns are ${newest.join(', ')}.`
      : 'No edit names one: hooks of agents do (vedit install), and programs that give one to their sessions.';
  const what =
    given === LATEST ? 'There is no turn' : `No turn is named ${JSON.stringify(given.slice(0, 60))}`;
  return new EditError('INVALID_INPUT', `${what} in this history. ${next}`, { field: 'turn' });
}
