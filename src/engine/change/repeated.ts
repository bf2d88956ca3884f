/**
 * A request whose edit_id, or whose tool call, the trail holds already. The same request again is answered with the first result, whoever
 * sends it, so that a retry after a lost answer is safe; another one is an edit of its own, and is refused only in the
 * session that used the id before. Requests are compared by the hash of tool and input that the commit keeps.
 */

import { EditError } from '../../errors.ts';
import type { StoredFile } from '../../stores/store.ts';
import { listedSome } from '../../text/words.ts';
import { type IdentifiedRequest, keysIn, keysOf, type RequestId, shortKey } from '../../trail/entry.ts';
import type { TrailHead } from '../../trail/head.ts';
import {
  readEntryOrNull,
  type TrailEntry,
  type TrailRow,
  type WalkOptions,
  walkRows,
} from '../../trail/walk.ts';
import { fieldName, ifTool, pathName } from '../../wording.ts';
import { answerDone, type Done, type Repeated } from '../answer.ts';
import { commitDiffs } from '../commit-diffs.ts';
import type { Context } from '../context.ts';
import type { Editor } from '../editor.ts';
import type { FileDiff } from '../file-diffs.ts';
import { Snapshot } from '../files/snapshot.ts';
import { isBack, OPEN } from '../status/status-words.ts';
import { editStatuses } from '../status/statuses.ts';

export type Identified = RequestId & { editor: Editor; editHash: string };

/**
 * The answer of the change that this request made before, or `null` when it is another one. Throws INVALID_INPUT when the
 * session used the id for another request.
 */
export async function findRepeated(
  context: Context,
  trail: TrailHead,
  request: Identified,
): Promise<Done | null> {
  const { editor, ...asked } = request;
  const { same, own } = await usesOfId(context, trail, { ...asked, session: editor.session });
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

interface IndexedIds {
  upTo: string | null;
  /** The newest commit with each short key. */
  commits: Map<string, string>;
}

/** By ref, for as long as somebody has the workspace. */
const remembered = new WeakMap<Context, Map<string, IndexedIds>>();

/**
 * Looks for the id of a request on the trail: the caller's own (`edit_id`), or that of a tool call, which counts within a
 * session. A workspace remembers the ids, and reads the trail only as far back as it has grown since; the first time the rows
 * that are kept tell them (trail/trail-index.ts). The trail is what counts: what a row leads to is read there. Throws CORRUPT,
 * STORE_FAILED where the trail cannot be read.
 */
async function usesOfId(context: Context, trail: TrailHead, request: IdentifiedRequest): Promise<UsesOfId> {
  const trails = remembered.get(context) ?? new Map<string, IndexedIds>();
  remembered.set(context, trails);
  const known = await readOn(context, trail, trails.get(trail.ref) ?? nothing());
  trails.set(trail.ref, known);
  const uses = await usesIn(context, known, request);
  if (uses) return uses;
  const again = await readOn(context, trail, nothing(), { afresh: true });
  trails.set(trail.ref, again);
  return (await usesIn(context, again, request)) ?? { same: null, own: null };
}

const nothing = (): IndexedIds => ({ upTo: null, commits: new Map() });

/**
 * Returns the edits that the rows lead to; `null` where a commit does not hold what they say: what is kept may be
 * somebody else's.
 */
async function usesIn(
  { objects }: Context,
  { commits }: IndexedIds,
  request: IdentifiedRequest,
): Promise<UsesOfId | null> {
  const found: Array<TrailEntry | null> = [];
  for (const [at, key] of keysOf(request).entries()) {
    const commit = commits.get(shortKey(key));
    const entry = commit === undefined ? null : await readEntryOrNull(objects, commit).catch(() => null);
    if (commit !== undefined && (!entry || keysIn(entry)?.[at] !== key)) return null;
    found.push(entry);
  }
  return { same: found[0]!, own: found[1]! };
}

/** Returns the known ids with those of commits made since. Reads all of a trail that was moved back or replaced. */
async function readOn(
  { objects }: Context,
  { tip, checkedOut }: TrailHead,
  known: IndexedIds,
  how: Pick<WalkOptions, 'afresh'> = {},
): Promise<IndexedIds> {
  const since: TrailRow[] = [];
  for await (const rows of walkRows(objects, tip, { ...how, ownOnly: !checkedOut, goesOn: true })) {
    const at = known.upTo === null ? -1 : rows.findIndex(({ commit }) => commit === known.upTo);
    since.push(...(at < 0 ? rows : rows.slice(0, at)));
    if (at >= 0) return withRows(known, tip, since);
  }
  return withRows(nothing(), tip, since);
}

/** `since`: newer rows than all that are known, newest first. What was known is not copied: there may be very many. */
function withRows({ commits }: IndexedIds, tip: string | null, since: readonly TrailRow[]): IndexedIds {
  for (const { commit, keys = [] } of [...since].reverse())
    for (const key of keys) if (key !== '') commits.set(key, commit);
  return { upTo: tip, commits };
}
