/**
 * The trail that several hosts share: which ref it is on the server, and its mirror here. Where the branch is the trail (a
 * bare repository, one that the engine made), it is the branch. Beside a branch it is `refs/vedit-shared/<name>`, where the
 * name is that of the own trail, else what all hosts have in git config vedit.sync.
 */

import type { Context } from '../../engine/context.ts';
import { assertOwnTrail } from '../../engine/trails/own-trail.ts';
import { EditError } from '../../errors.ts';
import { checkRefName, readHead } from '../../git/refs/refs.ts';
import { TRAIL_PREFIX, trailHome } from '../../trail/head.ts';
import { SHARED_PREFIX, sharedRef } from '../../trail/peer-names.ts';
import { pushesHeads } from '../push/plan.ts';

export interface SharedTrail {
  /** The own trail, and whether it is the branch. */
  own: string;
  isBranch: boolean;
  /** On the server. */
  ref: string;
  /** The ref of what the server was last known to have; fetch and push of it move this ref alone. */
  mirror: string;
}

/** Returns the trail that hosts share. Throws INVALID_INPUT where no name is shared. */
export async function sharedTrail(context: Context): Promise<SharedTrail> {
  const { repo, trailName } = context;
  const home = trailHome(repo, await readHead(repo), trailName);
  assertOwnTrail(home);
  if (home.ref === 'HEAD')
    throw noName('HEAD is on no branch, so there is none that hosts could share: git switch to it');
  if (home.checkedOut) {
    const branch = home.ref.replace(/^refs\/heads\//, '');
    return { own: home.ref, isBranch: true, ref: home.ref, mirror: `${SHARED_PREFIX}heads/${branch}` };
  }
  const name = repo.config.get('vedit.sync') ?? home.ref.slice(TRAIL_PREFIX.length);
  const ref = sharedRef(name, pushesHeads(context));
  const mirror = sharedRef(name, false);
  if (!checkRefName(mirror))
    throw noName(`git config vedit.sync ${JSON.stringify(name.slice(0, 80))} cannot name a ref`);
  return { own: home.ref, isBranch: false, ref, mirror };
}

/** Returns the name for people: `origin main`. */
export function sharedName(remote: string, { ref }: SharedTrail): string {
  return `${remote} ${ref.replace(/^refs\/(heads\/)?/, '')}`;
}

function noName(words: string): EditError {
  return new EditError('INVALID_INPUT', `${words}. Nothing was done.`, { field: 'trail' });
}
