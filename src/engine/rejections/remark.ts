/** Makes comments, and agents' replies to them: commits that say something and change nothing (comments.ts). */

import { EditError } from '../../errors.ts';
import type { EncodedObject } from '../../git/objects/object.ts';
import { readRef } from '../../git/refs/refs.ts';
import { appendCommit, type NewCommit } from '../../history/append.ts';
import { formatMessage, type TrailMeta } from '../../history/message.ts';
import { shortId } from '../../wording.ts';
import type { Answer } from '../answer.ts';
import type { By } from '../calls/events.ts';
import { Notifier } from '../calls/notifier.ts';
import { type Context, fromTrail } from '../context.ts';
import { author, committer } from '../identity.ts';
import { openTrail } from '../trails/open-trail.ts';
import { publish } from '../transaction/publication.ts';
import { movingRef, publishWithRetry } from '../transaction/transaction.ts';
import { asWriter, type LockLease } from '../transaction/writer.ts';
import { type Comment, commentsRef, readComments } from './comments.ts';

export interface Remark {
  subject: string;
  text: string;
  meta: TrailMeta;
}

/** A commit on a ref beside a history: it says something of that, and changes no file. */
export interface SideCommit extends Pick<NewCommit, 'parents' | 'tree' | 'changes' | 'author'> {
  ref: string;
  /** The newest commit of the ref. */
  oid: string | null;
  subject: string;
  text?: string;
  meta: TrailMeta;
  /** Contents that it holds. */
  blobs?: readonly EncodedObject[];
}

/**
 * Commits as one transaction that moves the ref and nothing else. `make` is asked again where another was faster; `onMade` is
 * told the commit before it is there. Throws LOCKED, and what `make` throws.
 */
export async function publishBeside<Made extends SideCommit>(
  context: Context,
  by: By,
  what: string,
  make: () => Promise<Made>,
  onMade: (commit: string, made: Made) => Promise<void> = async () => {},
): Promise<{ commit: string; made: Made }> {
  const publishOnce = async (turn: LockLease): Promise<{ commit: string; made: Made } | null> => {
    const made = await make();
    const { ref, oid, subject, text, meta, blobs = [], ...about } = made;
    const { oid: commit, objects } = await appendCommit(context.objects, {
      ...about,
      message: formatMessage(subject, text, { ...meta, committer: context.identity.committer?.email }),
      committer: committer(context),
    });
    await onMade(commit, made);
    const move = movingRef(context, { ref, checkedOut: false, oid, head: null, commit, summary: subject });
    if (!(await publish(context, { ...move, objects: [...blobs, ...objects] }, turn)).done) return null;
    const paths = meta.paths.flatMap(path => fromTrail(context, path) ?? []);
    const said = { kind: 'review' as const, op: meta.op, commit, subject, paths, files: [] };
    context.listener.emit(() => ({ ...said, ...new Notifier(context, by).start() }));
    return { commit, made };
  };
  return asWriter(context, turn => publishWithRetry(what, () => publishOnce(turn)));
}

/** Adds what somebody says to the history's comments, as `publishBeside` does. Answers the commit. Throws LOCKED, INVALID_INPUT. */
export async function publishRemark(
  context: Context,
  by: By,
  make: () => Promise<Remark>,
  onMade?: (commit: string, trail: string) => Promise<void>,
): Promise<string> {
  const remark = async (): Promise<SideCommit & Remark & { of: string }> => {
    const trail = await openTrail(context);
    const ref = commentsRef(trail.ref);
    const oid = await readRef(context.repo, ref);
    return {
      ...(await make()),
      ...{ ref, oid, of: trail.ref, tree: trail.tree, changes: new Map() },
      // The second is the history, so that no gc takes away what it is about.
      parents: [oid, trail.parent].filter(one => one !== null),
      author: author(context, by, trail.checkedOut),
    };
  };
  const { commit } = await publishBeside(context, by, 'these comments', remark, async (id, { of }) =>
    onMade?.(id, of),
  );
  return commit;
}

export interface ReplyInput {
  /** The comment's id, or the start of it. */
  comment: string;
  text: string;
}

export interface ReplyData {
  comment: string;
  reply: string;
}

/** Answers a comment. No file changes. Throws INVALID_INPUT where there is no such comment, or no text. */
export async function reply(
  context: Context,
  by: By,
  { comment, text }: ReplyInput,
): Promise<Answer<ReplyData>> {
  checkSaid(text);
  const all = await readComments(context, (await openTrail(context)).ref);
  const [to, ...more] = all.filter(
    ({ commit }) => comment !== '' && commit.startsWith(comment.toLowerCase()),
  );
  if (!to || more.length > 0) throw noComment(comment, all);
  const { session, agent, model, client, subagent, turn } = by;
  const who = { session, agent, model, client, subagent, turn };
  const made = await publishRemark(context, by, async () => ({
    subject: `reply to ${shortId(to.commit)}`,
    text,
    meta: { op: 'reply', paths: [to.path], replies: to.commit, ...who },
  }));
  return { message: `Told ${to.author}.`, data: { comment: to.commit, reply: made } };
}

/** Throws INVALID_INPUT for a remark that says nothing. */
export function checkSaid(text: string): void {
  if (text.trim() !== '') return;
  throw new EditError('INVALID_INPUT', 'It says nothing: give a text. Nothing was done.', { field: 'text' });
}

function noComment(given: string, all: readonly Comment[]): EditError {
  const ids = all.slice(-5).map(({ commit }) => shortId(commit));
  const known = ids.length > 0 ? `The newest are ${ids.join(', ')}` : 'Nobody commented on anything';
  const words = `There is no comment ${JSON.stringify(given)}. ${known}. Nothing was done.`;
  return new EditError('INVALID_INPUT', words, { field: 'comment', comments: ids });
}
