/** Makes the identities in a commit. No address here can belong to anybody: `.invalid` is reserved (RFC 2606). */

import type { Identity } from '../git/objects/commit.ts';
import { layered } from '../git/repository/config.ts';
import { ENGINE, NOBODYS, OUTSIDE, UNNAMED } from '../history/editors.ts';
import type { Context } from './context.ts';
import type { Editor, Person } from './editor.ts';
import type { Evidence } from './origins/origins.ts';

/** The committer of every commit that the engine makes. */
export function committer(context: Context): Identity {
  return { ...(context.identity.committer ?? ENGINE), ...timeOf(context) };
}

/**
 * A person who edits themselves, else the agent, also where the branch is the trail: by the author `git blame` and
 * `git shortlog` tell agents apart, from each other and from the person whose branch it is. There, whoever gives no name
 * is that person.
 */
export function author(context: Context, editor: Editor, checkedOut: boolean): Identity {
  if (editor.person) return personsIdentity(context, editor.person);
  if (checkedOut && context.user && editor.agent === undefined)
    return { ...context.user, ...timeOf(context) };
  // Git allows of a name no brackets, no controls, no stray punctuation at the ends.
  const printable = (editor.agent ?? '').replace(/[<>\p{C}]/gu, '');
  const name = printable.replace(/^[\s.,:;"'\\]+|[\s.,:;"'\\]+$/g, '') || UNNAMED;
  const own = editor.agent === undefined ? undefined : context.identity.email?.(editor.agent);
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return { name, email: own ?? `${slug || 'agent'}${NOBODYS}`, ...timeOf(context) };
}

export function personsIdentity(context: Context, { name, email }: Person): Identity {
  return { name, email, ...timeOf(context) };
}

/**
 * An outside change that no agent can have made was made by the person of git's config; any other is nobody's, at an address
 * that git's config can set (`vedit.outsideEmail`) for servers that accept known ones alone.
 */
export function outsideAuthor(context: Context, by: Evidence['by']): Identity {
  if (by === 'person' && context.user) return { ...context.user, ...timeOf(context) };
  const { repo, userConfig } = context;
  const email = layered(repo.config, userConfig)
    .get('vedit.outsideemail')
    ?.replace(/[<>\s]/g, '');
  return { ...OUTSIDE, ...(email ? { email } : {}), ...timeOf(context) };
}

function timeOf(context: Context): { seconds: number; offsetMinutes: number } {
  const now = context.now();
  const minutes = -Math.round(now.getTimezoneOffset()) || 0;
  return {
    seconds: Math.max(0, Math.floor(now.getTime() / 1000)),
    // A zone that no commit can hold is no reason to refuse an edit: the moment is right in UTC.
    offsetMinutes: Math.abs(minutes) < MINUTES_A_DAY ? minutes : 0,
  };
}

const MINUTES_A_DAY = 24 * 60;
