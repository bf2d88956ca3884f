/** Finds the refs that are followed: those that edits, reviews and landings are committed to. */

import type { Context } from '../engine/context.ts';
import { listRefs } from '../git/refs/ref-list.ts';
import { readHead, readRef } from '../git/refs/refs.ts';
import { repositoryGone } from '../git/repository/repository.ts';
import { worktreeHeads } from '../git/repository/worktrees.ts';
import { REVIEW_PREFIX } from '../review/accepted/review-ref.ts';
import { TRAIL_PREFIX, trailHome } from '../trail/head.ts';

export type RefKind = 'trail' | 'review' | 'branch' | 'head';

export function kindOf(ref: string): RefKind {
  if (ref.startsWith(TRAIL_PREFIX)) return 'trail';
  if (ref.startsWith(REVIEW_PREFIX)) return 'review';
  return ref.startsWith('refs/') ? 'branch' : 'head';
}

/**
 * Lists the followed refs and their commits now: every trail and review; where branches are the trails all of them, elsewhere those
 * that have a trail, are checked out in a work tree, or were followed before (`known`); and HEAD where it is detached. Throws
 * as listRefs.
 */
export async function followedRefs(
  context: Context,
  known: ReadonlyMap<string, unknown>,
): Promise<Map<string, string>> {
  const { repo } = context;
  const found = new Map<string, string>();
  for (const { name, oid } of await listRefs(repo, TRAIL_PREFIX)) found.set(name, oid);
  for (const { name, oid } of await listRefs(repo, REVIEW_PREFIX)) found.set(name, oid);
  const heads = await worktreeHeads(repo);
  const checkedOut = new Set(heads.map(({ ref }) => ref));
  const isEvery = trailHome(repo, await readHead(repo), context.trailName).checkedOut;
  for (const { name, oid } of await listRefs(repo, 'refs/heads/')) {
    const trail = TRAIL_PREFIX + name.slice('refs/heads/'.length);
    if (isEvery || found.has(trail) || checkedOut.has(name) || known.has(name)) found.set(name, oid);
  }
  for (const { gitDir, ref } of heads) {
    const oid = ref === null ? await readRef({ ...repo, gitDir }, 'HEAD') : null;
    if (oid) found.set(headName(context, gitDir), oid);
  }
  return found;
}

/** Returns the name that HEAD of a work tree has anywhere in the repository: `HEAD`, `worktrees/<id>/HEAD`. */
function headName({ repo }: Context, gitDir: string): string {
  return gitDir === repo.commonDir ? 'HEAD' : `${gitDir.slice(repo.commonDir.length + 1)}/HEAD`;
}

/** True when a ref that was not listed is gone indeed. Throws NOT_A_REPOSITORY when the whole repository is. */
export async function isGone({ repo, fs }: Context, ref: string): Promise<boolean> {
  if (!(await fs.lstat(`${repo.commonDir}/refs`))) throw repositoryGone(repo);
  return (await readRef(repo, ref)) === null;
}
