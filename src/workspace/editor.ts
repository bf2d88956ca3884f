/** Who is editing: the session, and what is known of the agent. */

import { trailerText } from '../trail/message.ts';

/** Name and address of a person, as git's config holds them. */
export interface Person {
  name: string;
  email: string;
}

export interface Editor {
  session: string;
  agent?: string | undefined;
  model?: string | undefined;
  /** Where it is a person and not an agent. */
  person?: Person | undefined;
}

/** What is left of a name that somebody else gave, when it is to stand in the history; `undefined`: nothing. */
export function plainName(given: string): string | undefined {
  return trailerText(given);
}
