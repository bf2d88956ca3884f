/** The host's word on every change before it is committed: it may let it pass, deny it, or add to its reason. */

import { shortened } from '../../edits/input-problems.ts';
import { EditError } from '../../errors.ts';
import { type DonePath, donePath } from '../answer.ts';
import type { Editor } from '../editor.ts';
import { type FileDiff, joinedDiff } from '../file-diffs.ts';

/** A request for approval, and who makes it. */
export interface Asked {
  op: string;
  editor: Editor;
  reason?: string | undefined;
  /** The id of the tool call. */
  call?: string | undefined;
  /** The caller's own id. */
  editId?: string | undefined;
  /** Makes the session within this change, for the hooks. */
  session: () => unknown;
}

/** A change as it would be committed. Dry runs are asked about too, so that they answer the same. */
export interface PendingChange {
  op: string;
  /** The first line of the commit's message. */
  subject: string;
  reason: string | undefined;
  session: string;
  agent: string | undefined;
  model: string | undefined;
  /** The id of the tool call. */
  call: string | undefined;
  edit_id: string | undefined;
  paths: DonePath[];
  diff: string;
}

/** `deny` says why, to the agent; `note` is put below the reason in the commit's message. */
export type Verdict = { deny: string } | { note: string } | undefined | null;

/**
 * Asked before every commit, while others wait for this one: answer quickly, and make no edit of your own here. It may
 * be asked again about the same change when somebody else moved the files meanwhile. One that throws denies, and so does
 * one that answers anything else, or nothing for as long as the engine waits for a lock.
 *
 * `session` is the one whose change it is, to look at the files and the history with: they are as before the change. A
 * call of the session that the caller has would wait for the change, and the change for it.
 */
export type Approve<Session = never> = (
  change: PendingChange,
  session: Session,
) => Verdict | Promise<Verdict>;

/**
 * The reason with the notes of all hooks, each of which has `patience` milliseconds. Throws DENIED with the words of the
 * first that denies.
 */
export async function approvedReason(
  hooks: readonly Approve[],
  request: Asked,
  change: { subject: string; fileDiffs: readonly FileDiff[] },
  patience: number,
): Promise<string | undefined> {
  let { reason } = request;
  for (const hook of hooks) {
    const asked = (): ReturnType<Approve> =>
      hook(pending({ ...request, reason }, change), request.session() as never);
    reason = withNote(reason, noteOf(await ask(asked, patience)));
  }
  return reason;
}

/** The reason with the note below it. */
export function withNote(reason: string | undefined, note: string | undefined): string | undefined {
  if (note === undefined) return reason;
  return reason ? `${reason}\n\n${note}` : note;
}

async function ask(hook: () => ReturnType<Approve>, patience: number): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const words = `the check did not answer within ${patience / 1000} seconds (does it wait for a call of this session? See beforeCommit).`;
    timer = setTimeout(() => reject(denied(words)), patience);
  });
  try {
    return await Promise.race([hook(), late]);
  } catch (error) {
    if (error instanceof EditError) throw error;
    throw denied(`the check itself failed (${error instanceof Error ? error.message : String(error)}).`);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the note of a verdict. The host may write any shape: a word that nobody understands is not a yes. */
export function noteOf(verdict: unknown): string | undefined {
  if (verdict === undefined || verdict === null) return undefined;
  const { deny, note } = Object(verdict) as { deny?: unknown; note?: unknown };
  if (typeof deny === 'string') throw denied(deny);
  if (typeof note === 'string' && deny === undefined) return note;
  throw denied(
    `the check answered ${shortened(verdict)}, which is neither {"deny": "why"} nor {"note": "words"} nor nothing.`,
  );
}

/** The change as those are told of it who are asked. */
export function pending(
  request: Asked,
  change: { subject: string; fileDiffs: readonly FileDiff[] },
): PendingChange {
  const { op, reason, call, editId, editor } = request;
  return {
    op,
    subject: change.subject,
    reason,
    session: editor.session,
    agent: editor.agent,
    model: editor.model,
    call,
    edit_id: editId,
    paths: change.fileDiffs.map(donePath),
    diff: joinedDiff(change.fileDiffs),
  };
}

function denied(words: string): EditError {
  return new EditError('DENIED', `Not allowed here: ${words} Nothing was changed.`, { reason: words });
}
