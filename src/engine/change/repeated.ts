/**
 * A request whose edit_id, or whose tool call, the trail holds already. The same request again is answered with the first result, whoever
 * sends it, so that a retry after a lost answer is safe; another one is an edit of its own, and is refused only in the
 * session that used the id before. Requests are compared by the hash of tool and input that the commit keeps.
 */

import { EditError } from '../../errors.ts';
import type { TrailHead } from '../../history/head.ts';
import { type RowFacts, readEntryOrNull, type TrailEntry, walkRows } from '../../history/walk.ts';
import type { StoredFile } from '../../stores/store.ts';
import { listedSome } from '../../text/words.ts';
import { fieldName, ifTool, pathName } from '../../wording.ts';
import { answerDone, type Done, type Repeated } from '../answer.ts';
import { commitDiffs } from '../commit-diffs.ts';
import type { Context } from '../context.ts';
import type { Editor } from '../editor.ts';
import type { FileDiff } from '../file-diffs.ts';
import { Snapshot } from '../files/snapshot.ts';
import { isBack, OPEN } from '../status/status-words.ts';
import { editStatuses } from '../status/statuses.ts';

/** A request with an id, the caller's own for it or that of the tool call, and the hash of its tool and input. */
interface Identified {
  editId?: string | undefined;
  call?: string | undefined;
  editor: Editor;
  editHash: string;
}

/**
 * The answer of the change that this request made before, or `null` when it is another one. Throws INVALID_INPUT when the
 * session used the id for another request.
 */
export async function findRepeated(
  context: Context,
  trail: TrailHead,
  request: Identified,
): Promise<Done | null> {
  const { same, own } = await usesOfId(context, trail, request);
  const by = request.editId === undefined ? 'call' : 'edit_id';
  if (same) return repeatedAnswer(context, trail, same, by);
  if (own) throw otherRequest(request.editId!, own);
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

/** The first answer, as far as it is still true of the files: a model takes the lines that it shows for those of now. */
async function repeatedAnswer(
  context: Context,
  trail: TrailHead,
  entry: TrailEntry,
  by: Repeated['by'],
): Promise<Done> {
  const fileDiffs = await commitDiffs(context, entry);
  const snapshot = new Snapshot(context, trail);
  const changed = await changedSince(snapshot, fileDiffs);
  const asking = changed.size > 0 ? editStatuses(snapshot, [entry]) : null;
  // A trail that cannot be read to the end tells less, and the request was done all the same.
  const undone = isBack((await asking?.catch(() => null))?.get(entry.commit) ?? OPEN);
  const made = {
    op: entry.meta!.op,
    commit: entry.commit,
    parent: entry.parents[0] ?? null,
    outside: null,
    fileDiffs,
    notes: sinceThen(changed, undone, by),
    subject: entry.subject,
    trail: trail.ref,
  };
  return answerDone(made, { repeated: { by, undone, changed } });
}

/** The paths of a change that hold something else now. */
async function changedSince(snapshot: Snapshot, fileDiffs: readonly FileDiff[]): Promise<Set<string>> {
  const changed = new Set<string>();
  for (const { path, after } of fileDiffs) {
    const holds = (file: StoredFile | null): boolean => file?.version === after?.version;
    const isSame = async (): Promise<boolean> =>
      holds(await snapshot.file(path)) || holds(await snapshot.asRecorded(path));
    if (!(await isSame().catch(() => false))) changed.add(path);
  }
  return changed;
}

/** The most paths that are named. */
const NAMED = 5;

function sinceThen(changed: ReadonlySet<string>, undone: boolean, by: Repeated['by']): string[] {
  const again = `what this did was taken back since. To have it done again, ${by === 'call' ? 'make a new call' : `send it with another ${fieldName('edit_id')}`}.`;
  if (changed.size === 0) return [];
  const [is, them] = changed.size === 1 ? ['is', 'it'] : ['are', 'them'];
  const look = ifTool('view', tool => `: ${tool} ${them} before you go on`);
  const names = listedSome([...changed].map(pathName), NAMED);
  return [...(undone ? [again] : []), `${names} ${is} no longer as this left ${them}${look}.`];
}

/** The edits that the trail holds under the id of a request. */
interface UsesOfId {
  /** The newest edit of the same tool and input: whoever made it, of a tool call the same session. */
  same: TrailEntry | null;
  /** The newest one of the same session; of a tool call none, since the same id may stand at several edits. */
  own: TrailEntry | null;
}

/** A commit that was asked for under an id. */
type AskedRow = Pick<RowFacts, 'commit' | 'editId' | 'call' | 'editHash' | 'session'>;

/** By ref, the rows of commits with an id, newest first, for as long as somebody has the workspace. */
const remembered = new WeakMap<Context, Map<string, { upTo: string | null; rows: readonly AskedRow[] }>>();

/**
 * Looks for the id of a request on the trail: the caller's own (`edit_id`), or that of a tool call, which counts within a
 * session. What a row leads to is read; where that is something else, the rows are of somebody else, and all commits are read.
 * Throws CORRUPT, STORE_FAILED where the trail cannot be read.
 */
async function usesOfId(context: Context, trail: TrailHead, request: Identified): Promise<UsesOfId> {
  const { objects } = context;
  for (const afresh of [false, true]) {
    const rows = await askedRows(context, trail, afresh);
    const found = [isSame, isOwn].map(isUse => rows.find(row => isUse(row, request)));
    const read = found.map(row => (row ? readEntryOrNull(objects, row.commit).catch(() => null) : null));
    const [same = null, own = null] = await Promise.all(read);
    const isRight = found.every((row, at) => {
      const meta = [same, own][at]?.meta;
      return !row || (meta && [isSame, isOwn][at]!({ ...meta, commit: row.commit }, request));
    });
    if (isRight) return { same, own };
  }
  return { same: null, own: null };
}

function isSame(row: AskedRow, { editor, editId, call, editHash }: Identified): boolean {
  if (row.editHash !== editHash) return false;
  return editId === undefined ? row.call === call && row.session === editor.session : row.editId === editId;
}

function isOwn({ editId, session }: AskedRow, request: Identified): boolean {
  return editId !== undefined && editId === request.editId && session === request.editor.session;
}

/** Reads on from what is remembered; all of a trail that was moved back or replaced. */
async function askedRows(
  context: Context,
  { ref, tip, checkedOut }: TrailHead,
  afresh: boolean,
): Promise<readonly AskedRow[]> {
  const trails = remembered.get(context) ?? new Map();
  remembered.set(context, trails);
  const known = afresh ? undefined : trails.get(ref);
  const options = { ownOnly: !checkedOut, goesOn: true, afresh };
  let rows: readonly AskedRow[] = [];
  const since: AskedRow[] = [];
  walk: for await (const some of walkRows(context.objects, tip, options))
    for (const { commit, editId, call, editHash, session } of some) {
      if (known && commit === known.upTo) {
        rows = known.rows;
        break walk;
      }
      if (editHash !== undefined) since.push({ commit, editId, call, editHash, session });
    }
  const all = since.length > 0 ? [...since, ...rows] : rows;
  trails.set(ref, { upTo: tip, rows: all });
  return all;
}
