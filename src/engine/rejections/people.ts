/**
 * Finds the text that people wrote, as opposed to agents: it is part of every accepted text where it touches nothing
 * that is not.
 */

import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { isSync, isWork } from '../../operations.ts';
import { isAgents, isUnclaimed } from '../../trail/editors.ts';
import { fileAt, sameRecorded } from '../../trail/steps.ts';
import { readEntryOrNull, type TrailEntry, type TrailRow, treeOf, walkRows } from '../../trail/walk.ts';
import type { Snapshot } from '../files/snapshot.ts';

/** The session in the editor of a reviewer, who has none in the history: what people do by hand has no session. */
export const REVIEW_SESSION = 'review';

/** A commit of the trail or of the branch; `null`: what the files hold and nothing recorded yet. */
export type Author = TrailEntry | null;

/** Each once, however many lines are theirs. */
export type AuthorSet = ReadonlySet<Author>;

/**
 * True for what a person wrote: by hand, in a commit of their own, or with the engine under their own name. What came from
 * outside while an agent was at work is nobody's; whether somebody claims it, claims.ts knows.
 */
export function isPersons(author: Author): boolean {
  if (author && isUnclaimed(author)) return false;
  if (!author?.meta || !isWork(author.meta.op)) return true;
  return !isAgents(author);
}

/** A change of a file by a person: the trees before and after it. */
export interface PeoplesChange {
  before: string | null;
  after: string;
}

/** A review: `newest` is its last commit, up to whose `base` what people wrote is in its tree. */
export interface Reviewed {
  snapshot: Snapshot;
  newest: TrailEntry | null;
}

/** Finds by path the changes that people made since the review, oldest first. Those before it are in its tree. */
export async function peoplesChanges(
  { snapshot, newest }: Reviewed,
  paths: readonly string[],
): Promise<Map<string, PeoplesChange[]>> {
  const { objects } = snapshot.context;
  const found = new Map<string, PeoplesChange[]>();
  const wanted = new Set(paths);
  if (wanted.size === 0) return found;
  const { trail } = snapshot;
  const until = newest?.meta?.base;
  const entries: Array<{ entry: TrailEntry; own: string[] }> = [];
  let isReached = until === undefined;
  walk: for await (const rows of walkRows(objects, trail.tip, { ownOnly: !trail.checkedOut })) {
    for (const row of rows) {
      isReached ||= row.commit === until;
      if (row.commit === until) break walk;
      const own = about(row, wanted);
      if (own.length > 0) entries.push({ entry: await row.entry(), own });
    }
  }
  // Where the branch that is the trail was rebased since, the times of the commits are left to tell.
  const isNew = ({ author }: TrailEntry): boolean => isReached || author.seconds > newest!.time;
  for (const { entry, own } of entries)
    if (enters(entry) && isNew(entry) && !(await undoesRejection(objects, entry)))
      await note(objects, entry, own, found);
  return found;
}

/**
 * Returns those of the wanted paths that a commit of a person is about: all of them, where only the commit itself can
 * tell.
 */
function about({ op, agent, paths }: TrailRow, wanted: ReadonlySet<string>): string[] {
  if (agent !== undefined || isSync(op)) return [];
  return op === null ? [...wanted] : paths.filter(path => wanted.has(path));
}

/** A rejection leaves what was accepted; what puts an agent's text back, makes it nobody else's. */
function enters(entry: TrailEntry): boolean {
  const { rejects, unrejects, redoes, restores } = entry.meta ?? {};
  return isPersons(entry) && !rejects && !unrejects && !redoes && restores === undefined;
}

/** True for a way back that puts back what a rejection took out: it is not reviewed then, as before. */
async function undoesRejection(objects: ObjectDatabase, { meta }: TrailEntry): Promise<boolean> {
  for (const undone of meta?.undoes ?? [])
    if ((await readEntryOrNull(objects, undone))?.meta?.rejects) return true;
  return false;
}

async function note(
  objects: ObjectDatabase,
  { parents: [parent], tree }: TrailEntry,
  paths: readonly string[],
  found: Map<string, PeoplesChange[]>,
): Promise<void> {
  const before = parent === undefined ? null : await treeOf(objects, parent);
  for (const path of paths) {
    const then = before === null ? null : await fileAt(objects, before, path);
    if (sameRecorded(then, await fileAt(objects, tree, path))) continue;
    found.set(path, [{ before, after: tree }, ...(found.get(path) ?? [])]);
  }
}

/** Collects the trail's commits since that one; all of them where it is not on the trail, or none is given. */
export async function commitsSince(
  { context, trail }: Snapshot,
  at: string | undefined,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const options = { ownOnly: !trail.checkedOut, limit: MOST_COMMITS };
  for await (const rows of walkRows(context.objects, trail.parent, options)) {
    for (const row of rows) {
      if (row.commit === at) return found;
      found.add(row.commit);
    }
  }
  return found;
}

const MOST_COMMITS = 100_000;
