/** How an editor is named to readers of the history. */

/** The author of edits by an agent that has no name. */
export const UNNAMED = 'agent';

/** Ends the addresses of those who are not people: `.invalid` can belong to nobody (RFC 2606). */
export const NOBODYS = '@vedit.invalid';

/** The name to show: the agent's, the person's, or for an agent without a name its session. */
export function editorName(entry: { agent: string | null; author: string; session: string | null }): string {
  const { agent, author, session } = entry;
  return agent ?? (author === UNNAMED && session !== null ? session : author);
}
