/**
 * A request whose edit_id the trail holds already. The same request again is answered with the first result, whoever
 * sends it, so that a retry after a lost answer is safe; another one is an edit of its own, and is refused only in the
 * session that used the id before. Requests are compared by the hash of tool and input that the commit keeps.
 */

import { camelCase } from '../../edits/input.ts';
import { EditError } from '../../errors.ts';
import { readEntry, type TrailEntry } from '../../trail/walk.ts';
import { fieldName } from '../../wording.ts';
import { answerDone, type Done } from '../answer.ts';
import { commitDiffs } from '../commit-diffs.ts';
import type { Context } from '../context.ts';
import type { Editor } from '../editor.ts';
import { openTrail } from '../trails/open-trail.ts';
import { usesOfId } from './edit-ids.ts';

/** A request with an id. */
export interface Identified {
  editor: Editor;
  editId: string;
  editHash: string;
}

/** What does not make it another request: how it is told apart, sent, tried and explained. */
const BESIDE: ReadonlySet<string> = new Set(['editId', 'callId', 'dryRun', 'reason']);

/** The hash of what was asked for. Fields are in any order; those that are undefined are not there. */
export async function requestHash({ codec }: Context, tool: string, input: object): Promise<string> {
  const own = Object.entries(input).filter(([name]) => !BESIDE.has(camelCase(name)));
  const json = JSON.stringify([tool, Object.fromEntries(own)], (_key, value) => sorted(value));
  return codec.hash('blob', new TextEncoder().encode(json));
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * The answer of the change that this request made before, or `null` when it is another one. `mayWrite`: the engine's
 * lock is held. Throws INVALID_INPUT when the session used the id for another request.
 */
export async function findRepeated(
  context: Context,
  request: Identified,
  mayWrite: boolean,
): Promise<Done | null> {
  const { editId, editHash, editor } = request;
  const trail = await openTrail(context, 'begun');
  const asked = { editId, editHash, session: editor.session };
  const { same, own } = await usesOfId(context, trail, asked, mayWrite);
  if (same) return repeatedAnswer(context, trail.ref, await readEntry(context.objects, same.commit));
  if (own) throw otherRequest(editId, await readEntry(context.objects, own.commit));
  return null;
}

function otherRequest(editId: string, { commit, subject, meta }: TrailEntry): EditError {
  const id = commit.slice(0, 12);
  return new EditError(
    'INVALID_INPUT',
    `${fieldName('edit_id')} ${JSON.stringify(editId)} is that of another request of this session: ${subject}, commit ${id}. Nothing was done. Give each request an ${fieldName('edit_id')} of its own.`,
    { field: 'edit_id', edit_id: editId, commit, op: meta?.op ?? null, paths: [...(meta?.paths ?? [])] },
  );
}

async function repeatedAnswer(context: Context, trail: string, entry: TrailEntry): Promise<Done> {
  const fileDiffs = await commitDiffs(context, entry);
  const made = {
    op: entry.meta!.op,
    commit: entry.commit,
    parent: entry.parents[0] ?? null,
    outside: null,
    fileDiffs,
    notes: [],
    subject: entry.subject,
    trail,
  };
  return answerDone(made, { repeated: true });
}
