/** Whether the files of the workspace tell what became of a trail's edits. */

import { isAway, type TrailHead } from '../../trail/head.ts';
import type { Context } from '../context.ts';

/**
 * True where they do. Where the branch is the trail, or files live in it alone, what a person does is a commit or an edit;
 * and the files of another branch, or of this clone for the trail of another one, tell nothing.
 */
export async function filesTell({ repo, store }: Context, trail: TrailHead): Promise<boolean> {
  return store.separate && !trail.checkedOut && !trail.mirror && !(await isAway(repo, trail));
}
