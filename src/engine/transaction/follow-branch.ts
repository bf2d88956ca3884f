/**
 * The person's index follows a branch on which something landed. An empty file in tmp/ says that this is still to be done:
 * without it, a repair after the landing would undo what the person did to the index since.
 */

import { createFile, exists, removeIfThere } from '../../fs/durable.ts';
import type { ChangeRecord } from './journal/record.ts';
import type { WorkTreeContext } from './recovery/work-tree.ts';

/** The ending of the file in tmp/ that is there while the index has not followed. */
const FOLLOW = '-follow';

/** Says that the index has yet to follow. `temp` begins the names of the change. Answers the ending of the file that it made. */
export async function markToFollow({ fs }: Pick<WorkTreeContext, 'fs'>, temp: string): Promise<string> {
  await createFile(fs, temp + FOLLOW, new Uint8Array(), { sync: false });
  return FOLLOW;
}

/** True when the index has yet to follow the branch after a kill. */
export function isToFollow({ fs, folder }: WorkTreeContext, { name }: ChangeRecord): Promise<boolean> {
  return exists(fs, `${folder}/tmp/${name}${FOLLOW}`);
}

/** Brings the index in step with what the branch holds now, whoever made the commit; index.lock must be held. */
export async function follow(
  place: WorkTreeContext,
  { ref, landing, name }: Pick<ChangeRecord, 'ref' | 'landing' | 'name'>,
  temp: string,
): Promise<void> {
  if (!landing) return;
  const { followBranch } = await import('../../land/index.ts');
  await followBranch(place, { ref, ...landing }, temp);
  await removeIfThere(place.fs, `${place.folder}/tmp/${name}${FOLLOW}`);
}
