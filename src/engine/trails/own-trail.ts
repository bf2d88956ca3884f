/** Where the workspace's own trail may be written; that of another clone or work tree is read here alone. */

import { EditError } from '../../errors.ts';
import type { Repository } from '../../git/repository/repository.ts';
import { workTreeFolder, workTreeWith } from '../../git/repository/worktrees.ts';
import { TRAIL_PREFIX, type TrailHead } from '../../history/head.ts';
import { parsePeerRef, peerName } from '../../history/peer-names.ts';

/** Rejects with INVALID_INPUT for the trail of another clone or work tree; `null` for the workspace's own. */
export function assertOwnTrail(
  repo: Repository,
  { ref, mirror }: Pick<TrailHead, 'ref' | 'mirror'>,
): Promise<never> | null {
  return mirror ? refuseOther(repo, ref) : null;
}

async function refuseOther(repo: Repository, ref: string): Promise<never> {
  const peer = parsePeerRef(ref);
  const name = peer ? peerName(peer) : ref.slice(TRAIL_PREFIX.length);
  const id = /^worktree\/(.*)$/.exec(name)?.[1];
  const folder = peer ? null : await workTreeFolder(repo, id ?? null);
  const whose = peer ? 'another clone, which only fetch writes here' : 'another work tree of this repository';
  const there = folder === null ? '' : `. To edit there, work in its folder, ${folder} (vedit -C)`;
  throw new EditError(
    'INVALID_INPUT',
    `${name} is the history of ${whose}. Nothing was changed. Leave trail out to edit on your own${there}.`,
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
