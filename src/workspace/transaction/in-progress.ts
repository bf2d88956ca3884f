/** A merge, rebase or the like that waits for the person: an edit on their branch would become part of it. */

import { EditError } from '../../errors.ts';
import { exists } from '../../fs/durable.ts';
import type { Context } from '../context.ts';

const SIGNS: ReadonlyArray<readonly [file: string, word: string]> = [
  ['MERGE_HEAD', 'merge'],
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
];

/** Throws CONFLICT naming what is in progress. */
export async function checkIdle(context: Context): Promise<void> {
  for (const [file, word] of SIGNS) {
    if (!(await exists(context.fs, `${context.repo.gitDir}/${file}`))) continue;
    throw new EditError(
      'CONFLICT',
      `A ${word} is in progress on the branch that holds the trail. Finish it or abort it (git ${word} --abort), then edit again.`,
      { in_progress: word },
    );
  }
}
