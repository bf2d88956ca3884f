/** Makes comments, and agents' replies to them: commits that say something and change nothing (comments.ts). */

import { EditError } from '../../errors.ts';
import { readRef } from '../../git/refs/refs.ts';
import { appendCommit } from '../../history/append.ts';
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

/**
 * Adds what somebody says to the history's comments. `make` is asked again where another was faster; `onMade` is told the
 * commit before it is there. Answers the commit. Throws LOCKED, INVALID_INPUT.
 */
export async function publishRemark(
  context: Context,
  by: By,
  make: () => Promise<Remark>,
  onMade: (commit: string, trail: string) => Promise<void> = async () => {},
): Promise<string> {
  const publishOnce = async (turn: LockLease): Promise<string | null> => {
    const trail = await openTrail(context);
    const ref = commentsRef(trail.ref);
    const oid = await readRef(context.repo, ref);
    const { subject, text, meta } = await make();
    const { oid: commit, objects } = await appendCommit(context.objects, {
      // The second is the history, so that no gc takes away what it is about.
      parents: [oid, trail.parent].filter(one => one !== null),
      tree: trail.tree,
      changes: new Map(),
      message: formatMessage(subject, text, { ...meta, committer: context.identity.committer?.email }),
      author: author(context, by, trail.checkedOut),
      committer: committer(context),
    });
    await onMade(commit, trail.ref);
    const move = movingRef(context, { ref, checkedOut: false, oid, head: null, commit, summary: subject });
    if (!(await publish(context, { ...move, objects }, turn)).done) return null;
    const paths = meta.paths.flatMap(path => fromTrail(context, path) ?? []);
    const said = { kind: 'review' as const, op: meta.op, commit, subject, paths, files: [] };
    context.listener.emit(() => ({ ...said, ...new Notifier(context, by).start() }));
    return commit;
  };
  return asWriter(context, turn => publishWithRetry('these comments', () => publishOnce(turn)));
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
