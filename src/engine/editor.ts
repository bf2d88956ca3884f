/** The editor: the session, and what is known of the agent. */

export { isIdentityText } from '../git/objects/commit.ts';

import { type HostTrailers as Trailers, trailerText } from '../history/message.ts';

/** Name and address of a person, as git's config holds them. */
export interface Person {
  name: string;
  email: string;
}

/** The names in the commits of a workspace, where its host wants others than the engine's. */
export interface HostIdentity {
  /** Default: `vedit <vedit@vedit.invalid>`. */
  committer?: Person | undefined;
  /** Returns the address of an agent, by its name; default: one below `vedit.invalid`. */
  email?: ((agent: string) => string) | undefined;
  /** Trailers of every commit, such as `Co-authored-by`. */
  trailers?: Trailers | undefined;
}

export type { HostTrailers as Trailers } from '../history/message.ts';

/** The editor of a session, without its id. */
export interface EditorFacts {
  agent?: string | undefined;
  model?: string | undefined;
  /** The name that the agent's client gives itself, where that is not the agent's name. */
  client?: string | undefined;
  /** The person who edits, where it is not an agent: the author of the commits. */
  person?: Person | undefined;
  /** The sub-agent, as the client names it. */
  subagent?: string | undefined;
  /** The id of what the agent does for one prompt. */
  turn?: string | undefined;
  /** Trailers of its commits, such as `Ticket`, after those of the workspace. */
  trailers?: Trailers | undefined;
}

export interface Editor extends EditorFacts {
  session: string;
}

/** Returns what is left of a name that somebody else gave, when it is to stand in the history; `undefined`: nothing. */
export function plainName(given: string): string | undefined {
  return trailerText(given);
}
