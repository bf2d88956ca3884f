/** The sessions of the trail: listed, and found by what their ids begin with. */

import { EditError } from '../../errors.ts';
import { isEdit, type TrailEntry, type TrailRow, walkTrail } from '../../history/walk.ts';
import type { Answer } from '../answer.ts';
import { syncedSnapshot } from '../change/sync.ts';
import type { Context } from '../context.ts';
import { editorWithModel } from '../editor-name.ts';
import { openWork } from './open-work.ts';
import { findNamed } from './turns.ts';

export interface SessionsData {
  sessions: SessionInfo[];
}

export interface SessionInfo {
  session: string;
  /** As its newest edit names them; `null` where it does not. */
  agent: string | null;
  model: string | null;
  /** The author of its newest edit: the person, where no agent is named. */
  author: string;
  /** The times of the session's first and last commit, ISO 8601, UTC. */
  first: string;
  last: string;
  /** Edits, those that were undone too. */
  edits: number;
  /** Edits of a trail beside the branch of which something is in the files and not on the branch. */
  open: number;
}

/** Lists every session of the trail, the one that edited last first. Reads the whole trail. */
export async function sessions(context: Context): Promise<Answer<SessionsData>> {
  const list = await listSessions(context);
  const lines = list.map(
    one =>
      `${one.session} ${editorWithModel(one)} ${one.first} to ${one.last} ${one.edits} ${one.edits === 1 ? 'edit' : 'edits'}, ${one.open} open`,
  );
  return { message: lines.join('\n') || 'There is no session yet.', data: { sessions: list } };
}

async function listSessions(context: Context): Promise<SessionInfo[]> {
  const snapshot = await syncedSnapshot(context);
  const { tip, checkedOut } = snapshot.trail;
  const found = new Map<string, SessionInfo>();
  for await (const entry of walkTrail(context.objects, tip, { ownOnly: !checkedOut })) note(found, entry);
  for (const { meta } of (await openWork(snapshot)).edits) {
    const info = found.get(meta?.session ?? '');
    if (info) info.open++;
  }
  return [...found.values()];
}

/** Takes in one more commit, which is older than those before. */
function note(found: Map<string, SessionInfo>, entry: TrailEntry): void {
  const { session, agent = null, model = null } = entry.meta ?? {};
  if (session === undefined) return;
  const time = new Date(entry.time * 1000).toISOString();
  const author = entry.author.name;
  const fresh = { session, agent, model, author, first: time, last: time, edits: 0, open: 0 };
  const info = found.get(session) ?? fresh;
  found.set(session, info);
  info.first = time;
  info.agent ??= agent;
  info.model ??= model;
  if (isEdit(entry)) info.edits++;
}

/**
 * Finds the id of the session that `given` names: the whole id, or its start where no other session begins so. Sessions of this
 * workspace are known before they edit. `others`: ids that are known from elsewhere. Throws INVALID_INPUT for a name that
 * fits no session, or several.
 */
export async function findSession(
  context: Context,
  given: string,
  others: Iterable<string> = [],
): Promise<string> {
  const known = [...others];
  if (context.sessions.has(given) || known.includes(given)) return given;
  const wordsOf = async (row: TrailRow): Promise<string> => {
    const { meta, author } = await row.entry();
    return `${row.session} (${editorWithModel({ agent: meta?.agent ?? null, model: meta?.model ?? null, author: author.name })})`;
  };
  const refusal = (newest: readonly string[]): EditError => unknownSession(given, newest);
  return findNamed(context, given, { field: 'session', idOf: row => row.session, wordsOf, refusal }, known);
}

function unknownSession(given: string, newest: readonly string[]): EditError {
  const shown = JSON.stringify(given.slice(0, 60));
  const next =
    newest.length > 0 ? `The newest sessions are ${newest.join(', ')}.` : 'There is no session yet.';
  const words = `No session of this history is named ${shown}. ${next}`;
  return new EditError('INVALID_INPUT', words, { field: 'session', session: given });
}
