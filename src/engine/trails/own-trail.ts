/**
 * The trail of another clone is read here and never written: only fetch moves its mirror. That of another work tree is
 * written there, where its files are.
 */

import { EditError } from '../../errors.ts';
import type { Repository } from '../../git/repository/repository.ts';
import { workTreeWith } from '../../git/repository/worktrees.ts';
import { TRAIL_PREFIX, type TrailHead } from '../../trail/head.ts';
import { parsePeerRef, peerName } from '../../trail/peer-names.ts';

/** Throws INVALID_INPUT for the mirror of a trail of another clone, and for the trail of another work tree. */
export function assertOwnTrail({
  ref,
  mirror,
  elsewhere,
}: Pick<TrailHead, 'ref' | 'mirror' | 'elsewhere'>): void {
  if (elsewhere !== undefined) throw ofOtherWorkTree(ref.slice(TRAIL_PREFIX.length), elsewhere);
  if (!mirror) return;
  const name = peerName(parsePeerRef(ref)!);
  throw new EditError(
    'INVALID_INPUT',
    `${name} is the history of another clone, which only fetch writes here. Nothing was changed. Leave trail out to edit on a history of your own.`,
    { field: 'trail', trail: name },
  );
}

/** Throws CONFLICT for a branch that another work tree has checked out: its index and files would lag behind. */
export async function assertCheckedOutNowhere(repo: Repository, ref: string): Promise<void> {
  const folder = await workTreeWith(repo, ref);
  if (folder === null) return;
  const branch = ref.replace(/^refs\/heads\//, '');
  throw new EditError(
    'CONFLICT',
    `${branch} is checked out in another work tree, ${folder}, whose index and files would lag behind. Nothing was changed. Work in that folder (vedit -C), or on another branch or history; if the folder is gone, git worktree prune forgets it.`,
    { branch },
  );
}

function ofOtherWorkTree(name: string, folder: string): EditError {
  return new EditError(
    'INVALID_INPUT',
    `${name} is checked out in another work tree, ${folder}, which has the files of its history. Nothing was changed. Work in that folder (vedit -C), or leave trail out for the history of this one.`,
    { field: 'trail', trail: name },
  );
}
