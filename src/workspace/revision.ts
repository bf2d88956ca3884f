/** Commits as callers name them: an id, 4 or more hex digits of one, `@` for the trail's head, `~N` edits back. */

import { EditError } from '../errors.ts';
import { parseCommit } from '../git/objects/commit.ts';
import { resolveCommit } from '../git/refs/revision.ts';
import type { TrailHead } from '../trail/head.ts';
import type { Context } from './context.ts';

/** Longer than any name of a ref that git makes, and the steps after it. */
const LONGEST = 4_096;

/** The full id. Throws INVALID_INPUT when nothing, or more than one commit, fits. */
export async function findCommit(context: Context, trail: TrailHead, spec: string): Promise<string> {
  if (spec.length > LONGEST)
    throw new EditError('INVALID_INPUT', `A commit is named by at most ${LONGEST} characters.`, {
      limit: LONGEST,
    });
  const own = /^(?:@|(?=~))(?:~(\d*))?$/.exec(spec.trim());
  if (!own) return resolveCommit(context.repo, context.objects, spec.trim());
  const back = spec.includes('~') ? Number(own[1] || '1') : 0;
  if (!trail.parent)
    throw new EditError('INVALID_INPUT', `There is no commit yet, so ${spec} names nothing.`, { base: spec });
  return ancestor(context, trail.parent, back, spec);
}

async function ancestor(context: Context, from: string, count: number, spec: string): Promise<string> {
  let oid = from;
  for (let step = 0; step < count; step++) {
    const parent = parseCommit((await context.objects.read(oid)).content).parents[0];
    if (!parent)
      throw new EditError(
        'INVALID_INPUT',
        `${spec} goes back further than history: there are ${step} commits before the newest.`,
        { base: spec, commits: step },
      );
    oid = parent;
  }
  return oid;
}
