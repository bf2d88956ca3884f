/**
 * The person's index follows a branch on which something landed. Where git makes the commit, the files that it was given
 * tell whether that is still to be done; where the engine moves the branch itself, an empty file in tmp/ does. Without
 * one, a repair after the landing would undo what the person did to the index since.
 */

import { createFile, exists, removeIfThere } from '../../../fs/durable.ts';
import type { ChangeRecord } from '../journal/record.ts';
import type { Place } from '../recovery/place.ts';
import type { Transaction } from '../transaction.ts';
import { landingFiles } from './files.ts';
import { isByGit } from './git.ts';

/** The ending of the file in tmp/ that is there while the index has not followed. */
const FOLLOW = '-follow';

/**
 * Says that the index has yet to follow, where no file of git's says so. `temp` begins the names of the change. Answers the
 * endings of the files that it made.
 */
export async function markToFollow(
  { fs }: Pick<Place, 'fs'>,
  { landing, act }: Pick<Transaction, 'landing' | 'act'>,
  temp: string,
): Promise<string[]> {
  if (!landing || act) return [];
  await createFile(fs, temp + FOLLOW, new Uint8Array(), { sync: false });
  return [FOLLOW];
}

/** Asked after a kill: the index has not followed the branch yet. */
export function isToFollow(place: Place, record: ChangeRecord): Promise<boolean> {
  const { name } = record;
  const mark = isByGit(record) ? landingFiles(place, name).index : `${place.folder}/tmp/${name}${FOLLOW}`;
  return exists(place.fs, mark);
}

/** Brings the index in step with what the branch holds now, whoever made the commit; index.lock must be held. */
export async function follow(
  place: Pick<Place, 'fs' | 'codec' | 'repo' | 'index' | 'objects' | 'folder'>,
  { ref, landing, name }: Pick<ChangeRecord, 'ref' | 'landing' | 'name'>,
  temp: string,
): Promise<void> {
  if (!landing) return;
  const { followBranch } = await import('../../land/index.ts');
  await followBranch(place, { ref, ...landing }, temp);
  await removeIfThere(place.fs, `${place.folder}/tmp/${name}${FOLLOW}`);
}
