/** The identities in the commits of a trail. */

import { isOutside, isWork } from '../operations.ts';
import type { TrailEntry } from './walk.ts';

/** The author of edits by an agent that has no name. */
export const UNNAMED = 'agent';

/** Ends the addresses of those that git knows no address of. `.invalid` can belong to nobody (RFC 2606). */
export const NOBODYS = '@vedit.invalid';

/** The committer of every commit that the engine makes. */
export const ENGINE: { readonly name: string; readonly email: string } = {
  name: 'vedit',
  email: `vedit${NOBODYS}`,
};

/** The author of what came from outside and is nobody's yet; git's config may give it another address. */
export const OUTSIDE: { readonly name: string; readonly email: string } = {
  name: 'outside',
  email: `outside${NOBODYS}`,
};

/** True for a change from outside that an agent may have made: it is nobody's until somebody claims it. */
export function isUnclaimed({ meta }: Pick<TrailEntry, 'meta'>): boolean {
  return meta != null && isOutside(meta.op) && meta.certain !== undefined;
}

/**
 * True for what a person wrote: by hand, in a commit of their own, or with the engine under their own name. What came from
 * outside while an agent was at work is nobody's; whether somebody claims it, claims.ts knows.
 */
export function isPersons(entry: Pick<TrailEntry, 'meta' | 'author'>): boolean {
  if (isUnclaimed(entry)) return false;
  return !entry.meta || !isWork(entry.meta.op) || !isAgents(entry);
}

/** True for what an agent wrote, with a name or without one; a person's commit, edit or outside change is no agent's. */
export function isAgents({ meta, author }: Pick<TrailEntry, 'meta' | 'author'>): boolean {
  return meta != null && (meta.agent !== undefined || author.email === `${UNNAMED}${NOBODYS}`);
}
