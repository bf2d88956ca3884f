/** Signs the newest commit of the trail, as the user's git signs: a statement on a ref of its own. */

import type { Answer } from '../engine/answer.ts';
import type { Context } from '../engine/context.ts';
import { openTrail } from '../engine/trails/open-trail.ts';
import { publish } from '../engine/transaction/publication.ts';
import { movingRef, publishWithRetry } from '../engine/transaction/transaction.ts';
import { asWriter } from '../engine/transaction/writer.ts';
import { placeOf, refusedByGit } from '../engine/use-git.ts';
import { EditError } from '../errors.ts';
import { readRef } from '../git/refs/refs.ts';
import { isAncestor } from '../git/rev-list.ts';
import { shortId } from '../wording.ts';
import {
  countCommits,
  readStatement,
  type Statement,
  signedRef,
  signingPrograms,
  statementText,
} from './statement.ts';

export interface SignData {
  trail: string;
  /** The commit that is signed. */
  head: string;
  /** The signed statement about the edit, and its ref. */
  statement: string;
  ref: string;
  /** Commits of the trail. */
  count: number;
}

/**
 * Signs the newest commit. Throws NO_CHANGE where the newest commit is signed already or there is none, GIT_REFUSED where git does not sign, and
 * CORRUPT where the trail no longer has what was signed before: that is not to be signed over.
 */
export async function signHead(context: Context): Promise<Answer<SignData>> {
  const data = await publishWithRetry('the signed head', () => signOnce(context));
  const message = `Signed ${shortId(data.head)}, the newest of ${data.count} commits of ${data.trail} (${shortId(data.statement)} on ${data.ref}).`;
  return { message, data };
}

/** Signs once. The signing program may ask a person: it runs while others edit on, and only the ref moves with the lock held. */
async function signOnce(context: Context): Promise<SignData | null> {
  const { objects, repo } = context;
  const trail = await openTrail(context);
  const { ref: name, tip: head, tree, checkedOut } = trail;
  if (head === null)
    throw new EditError('NO_CHANGE', 'The history has not begun, so there is nothing to sign.');
  const ref = signedRef(name);
  const oid = await readRef(repo, ref);
  const last = oid === null ? null : await readStatement(objects, oid);
  if (last && last.signs === head)
    throw new EditError('NO_CHANGE', `${shortId(head)} is signed already, and it is the newest commit.`, {
      commit: head,
    });
  if (oid) await checkFastForward(context, oid, last, head);
  const count = await countCommits(objects, head, !checkedOut);
  const statement = await makeStatement(context, {
    trail: name,
    signs: head,
    count,
    previous: oid,
    tree: tree!,
  });
  const move = { ref, checkedOut: false, oid, head: null, commit: statement, summary: 'sign' };
  const { done } = await asWriter(context, turn => publish(context, movingRef(context, move), turn));
  return done ? { trail: name, head, statement, ref, count } : null;
}

/** Throws CORRUPT where what was signed before is no longer in the trail. */
async function checkFastForward(
  { objects }: Context,
  oid: string,
  last: Statement | null,
  head: string,
): Promise<void> {
  if (last && (await isAncestor(objects, last.signs, head))) return;
  const what = last
    ? `${shortId(last.signs)}, which was signed at ${last.time}, is no longer in the history`
    : `${shortId(oid)} is no statement`;
  throw new EditError('CORRUPT', `${what}. Nothing was signed. Look at vedit verify first.`, {
    oid: last?.signs ?? oid,
  });
}

/** Signs a statement, and answers its commit. Throws GIT_REFUSED, UNSUPPORTED_REPOSITORY. */
export async function makeStatement(
  context: Context,
  { previous, tree, ...about }: Pick<Statement, 'trail' | 'signs' | 'count' | 'previous'> & { tree: string },
): Promise<string> {
  if (!context.runProgram)
    throw new EditError('UNSUPPORTED_REPOSITORY', 'There is no git here to sign with.', {
      feature: 'signing',
    });
  const parents = [...(previous ? [previous] : []), about.signs].flatMap(parent => ['-p', parent]);
  const args = [...signingPrograms(context), 'commit-tree', '-S', ...parents, '-F', '-', tree];
  const result = await context.runProgram('git', {
    args,
    cwd: placeOf(context),
    input: statementText(about),
  });
  const made = result?.stdout.trim() ?? '';
  if (result?.code === 0 && /^[0-9a-f]{40}$/.test(made)) return made;
  throw refusedByGit(result ?? { code: -1, stdout: '', stderr: 'git could not be started' });
}
