/**
 * A merge, rebase or the like that waits for the person: an edit on their branch would become part of it. The next step of
 * a bisect leaves a commit behind that no branch holds.
 */

import { EditError } from '../../errors.ts';
import { exists } from '../../fs/durable.ts';
import { readHead } from '../../git/refs/refs.ts';
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
  const isThere = (file: string): Promise<boolean> => exists(context.fs, `${context.repo.gitDir}/${file}`);
  for (const [file, sign] of SIGNS) {
    if (!(await isThere(file))) continue;
    const word = (await isThere('rebase-apply/applying')) ? 'am' : sign;
    throw waits(word, `become part of it. Finish it or abort it (git ${word} --abort)`);
  }
  if ((await isThere('BISECT_LOG')) && (await readHead(context.repo)).ref === null)
    throw waits('bisect', 'be left behind by its next step. End it (git bisect reset)');
}

function waits(word: string, what: string): EditError {
  const message = `git ${word} is in progress, and a commit made now would ${what}, then try again.`;
  return new EditError('CONFLICT', message, { in_progress: word });
}
