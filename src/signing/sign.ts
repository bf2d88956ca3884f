/**
 * Signs the newest commit of the trail, as the user's git signs: a statement on a ref of its own. It is signed by itself where
 * the user's git config asks for it: before a push and after a landing (`vedit.sign = land, push`), and each time so many
 * commits are unsigned (`vedit.signEvery = 50`). What the repository's config says of it counts nothing.
 */

import type { Answer } from '../engine/answer.ts';
import type { Context } from '../engine/context.ts';
import { openTrail } from '../engine/trails/open-trail.ts';
import { publish } from '../engine/transaction/publication.ts';
import { movingRef, publishWithRetry } from '../engine/transaction/transaction.ts';
import { asWriter } from '../engine/transaction/writer.ts';
import { placeOf, refusedByGit } from '../engine/use-git.ts';
import { EditError, isEditError } from '../errors.ts';
import { readRef } from '../git/refs/refs.ts';
import { isAncestor } from '../git/rev-list.ts';
import { walkRows } from '../history/walk.ts';
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

/** Signs the newest commit where that is asked for at this moment. Answers a note of what came of it: it never throws. */
export async function signAt(
  context: Context,
  moment: 'land' | 'push',
  dryRun = false,
): Promise<string | null> {
  const wanted = context.userConfig?.get('vedit.sign')?.split(/[\s,]+/) ?? [];
  return dryRun || !wanted.includes(moment) ? null : signNow(context);
}

async function signNow(context: Context): Promise<string | null> {
  return signHead(context).then(
    ({ message }) => message,
    error => (isEditError(error, 'NO_CHANGE') ? null : `The newest commit was not signed: ${error.message}`),
  );
}

/** Signs after a landing. Returns its answer with what came of that. */
export async function signedAfter<Data extends { notes: string[] }>(
  context: Context,
  answer: Answer<Data>,
  dryRun?: boolean,
): Promise<Answer<Data>> {
  return withNote(answer, await signAt(context, 'land', dryRun));
}

/** Returns the answer with a note more. */
export function withNote<Data extends { notes: string[] }>(
  { message, data }: Answer<Data>,
  note: string | null,
): Answer<Data> {
  if (note === null) return { message, data };
  return { message: `${message}\nNote: ${note}`, data: { ...data, notes: [...data.notes, note] } };
}

/** Signs beside the work: no edit waits for it, and it never has the lock while the signing program runs. */
export class SignEvery {
  readonly #context: Context;
  readonly #every: number;
  /** Commits until it is looked again; what was signed elsewhere meanwhile only makes the look come early. */
  #left = 1;
  #running: Promise<void> | null = null;

  constructor(context: Context, every: number) {
    this.#context = context;
    this.#every = every;
  }

  /** Notes a commit that was made. */
  made(): void {
    if (--this.#left > 0 || this.#running) return;
    this.#running = this.#countUnsigned().finally(() => {
      this.#running = null;
    });
  }

  /** Waits for what runs. */
  async close(): Promise<void> {
    await this.#running;
  }

  async #countUnsigned(): Promise<void> {
    const unsigned = await this.#unsigned().catch(() => 0);
    this.#left = this.#every - unsigned;
    if (this.#left > 0) return;
    this.#left = this.#every;
    const note = await signNow(this.#context);
    if (note?.startsWith('The newest commit was not signed')) this.#context.listener.warn(note);
  }

  /** Counts the edits that are not signed, as far as it matters. */
  async #unsigned(): Promise<number> {
    const { objects, repo } = this.#context;
    const { ref, tip, checkedOut } = await openTrail(this.#context);
    const oid = await readRef(repo, signedRef(ref));
    const last = oid === null ? null : await readStatement(objects, oid);
    let count = 0;
    for await (const rows of walkRows(objects, tip, { ownOnly: !checkedOut }))
      for (const { commit } of rows) if (commit === last?.signs || ++count >= this.#every) return count;
    return count;
  }
}
