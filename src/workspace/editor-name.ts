/** How an editor is named to readers of the history. */

import { UNNAMED } from '../trail/editors.ts';

export { NOBODYS, UNNAMED } from '../trail/editors.ts';

/** The name to show: the agent's, the person's, or for an agent without a name its session. */
export function editorName(entry: { agent: string | null; author: string; session: string | null }): string {
  const { agent, author, session } = entry;
  return agent ?? (author === UNNAMED && session !== null ? session : author);
}
