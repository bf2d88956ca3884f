/** Names an editor to readers of the history. */

import { UNNAMED } from '../history/editors.ts';

export { NOBODYS, UNNAMED } from '../history/editors.ts';

/** An id that the engine made for a session that was given none: it tells nobody who it was. */
const MADE_UP = /^[0-9a-f]{12}$/;

/** The agent with its model, or the author where no agent is named. */
export function editorWithModel(by: { agent: string | null; model: string | null; author: string }): string {
  const { agent, model, author } = by;
  return agent === null ? author : `${agent}${model === null ? '' : ` (${model})`}`;
}

/** The name to show: the agent's, the person's, or for an agent without a name its session, where that has one. */
export function editorName(entry: { agent: string | null; author: string; session: string | null }): string {
  const { agent, author, session } = entry;
  const isNamed = session !== null && !MADE_UP.test(session);
  return agent ?? (author === UNNAMED && isNamed ? session : author);
}
