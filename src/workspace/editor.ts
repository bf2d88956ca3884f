/** Who is editing: the session, and what is known of the agent. */

export interface Editor {
  session: string;
  agent?: string | undefined;
  model?: string | undefined;
}
