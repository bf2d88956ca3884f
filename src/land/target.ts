/** The branch that edits land on. */

import type { Context } from '../engine/context.ts';
import { assertCheckedOutNowhere } from '../engine/trails/own-trail.ts';
import { EditError } from '../errors.ts';
import { checkRefName, readHead, readRef } from '../git/refs/refs.ts';
import { treeOf } from '../history/walk.ts';

export interface LandTarget {
  /** The full name of the branch; `HEAD` where that is detached. */
  ref: string;
  /** The name of the branch as people call it. */
  name: string;
  /** The newest commit, and its tree; `null` on a branch without commits. */
  commit: string | null;
  tree: string | null;
  /** True when the branch is checked out here. */
  checkedOut: boolean;
}

/** `onto` is a branch's name; default: what is checked out. Throws INVALID_INPUT, CONFLICT. */
export async function findTarget(context: Context, onto: string | undefined): Promise<LandTarget> {
  const head = await readHead(context.repo);
  const ref = onto === undefined ? (head.ref ?? 'HEAD') : branchRef(onto);
  const checkedOut = ref === (head.ref ?? 'HEAD') && !context.repo.bare;
  const commit = ref === 'HEAD' || ref === head.ref ? head.oid : await readRef(context.repo, ref);
  const name = ref.replace(/^refs\/heads\//, '');
  if (commit === null && ref !== head.ref) throw noBranch(name);
  if (!checkedOut) await assertCheckedOutNowhere(context.repo, ref);
  return { ref, name, commit, tree: commit && (await treeOf(context.objects, commit)), checkedOut };
}

function branchRef(name: string): string {
  const ref = name.startsWith('refs/heads/') ? name : `refs/heads/${name}`;
  if (checkRefName(ref)) return ref;
  const shown = JSON.stringify(name.slice(0, 80));
  throw new EditError('INVALID_INPUT', `${shown} cannot be the name of a branch.`, { field: 'onto' });
}

function noBranch(name: string): EditError {
  return new EditError(
    'INVALID_INPUT',
    `There is no branch ${name}. Make it first (git branch ${name}), or land on the checked-out branch.`,
    { field: 'onto', branch: name },
  );
}
