/**
 * The review of one person: the text that they accepted is what the newest commit of their ref holds (review-ref.ts), placed
 * among the rows of the history as it was then, with what people did since and what HEAD has. A commit of it is made as edits
 * are, as one transaction that moves the ref and nothing else.
 */

import { syncTrail } from '../engine/change/sync.ts';
import type { Context } from '../engine/context.ts';
import type { Person } from '../engine/editor.ts';
import { NOBODYS } from '../engine/editor-name.ts';
import { Snapshot } from '../engine/files/snapshot.ts';
import { personsIdentity } from '../engine/identity.ts';
import { REVIEW_SESSION } from '../engine/rejections/people.ts';
import { publishBeside, type SideCommit } from '../engine/rejections/remark.ts';
import { openTrail } from '../engine/trails/open-trail.ts';
import type { EncodedObject } from '../git/objects/object.ts';
import { diffTrees } from '../git/objects/tree-diff.ts';
import type { TreeRef } from '../git/objects/tree-entries.ts';
import { readRef } from '../git/refs/refs.ts';
import { isBelow } from '../history/changed-paths.ts';
import { rowsInTree } from '../history/file-rows.ts';
import type { TrailMeta } from '../history/message.ts';
import { readEntry, type TrailEntry, type TrailRow, treeOf, walkRows } from '../history/walk.ts';
import type { Mark } from '../line/accepted.ts';
import { isHead, isReviewed } from '../operations.ts';
import { reviewRef } from './review-ref.ts';

/** The reviewer where git's config names nobody. */
const NOBODY: Person = { name: 'reviewer', email: `reviewer${NOBODYS}` };

export function reviewerOf({ user }: Context, given: Person | undefined): Person {
  return given ?? user ?? NOBODY;
}

/** The text that one reviewer accepted, as trees; `null` is the empty tree. */
export interface Review {
  snapshot: Snapshot;
  reviewer: Person;
  ref: string;
  /** The id of the commit that the ref points to; `null` where there is no ref. */
  oid: string | null;
  /** The newest commit of the ref; `null`: they have not reviewed anything. */
  newest: TrailEntry | null;
  accepted: string | null;
  /** The tree of the checked-out branch; `undefined` where it is the history itself. */
  branch: string | null | undefined;
}

/** Opens the review of this person, or of the workspace's user, on the history and the files as they are now. */
export async function openReview(context: Context, given: Person | undefined): Promise<Review> {
  const shown = await openTrail(context);
  const { trail } = await syncTrail(context, shown);
  return reviewOn(new Snapshot(context, trail, { shown }), reviewerOf(context, given));
}

export async function reviewOn(snapshot: Snapshot, reviewer: Person): Promise<Review> {
  const ref = reviewRef(snapshot.trail.ref, reviewer);
  return withAccepted(snapshot, reviewer, ref, await readRef(snapshot.context.repo, ref));
}

/** Returns the review with what the reviewer accepted by the commit `oid` of the ref; `null`: nothing yet. */
export async function withAccepted(
  snapshot: Snapshot,
  { name, email }: Person,
  ref: string,
  oid: string | null,
): Promise<Review> {
  const { objects } = snapshot.context;
  const { head, checkedOut } = snapshot.trail;
  const found = oid === null ? null : await readEntry(objects, oid);
  // What is no review says nothing of what was accepted.
  const newest = found && isReviewed(found.meta?.op) ? found : null;
  const branch = checkedOut ? undefined : head === null ? null : await treeOf(objects, head);
  const own = { snapshot, reviewer: { name, email }, ref, oid, newest, branch };
  return { ...own, accepted: newest ? newest.tree : await acceptedAtFirst(own) };
}

/** Returns the tree that counts as accepted before anything was reviewed: what the branch holds, or held before the first edit. */
export async function acceptedAtFirst({
  snapshot: { context, trail },
  branch,
}: Pick<Review, 'snapshot' | 'branch'>): Promise<string | null> {
  if (branch !== undefined) return branch;
  let first: TrailRow | null = null;
  for await (const rows of walkRows(context.objects, trail.tip, { ownOnly: false }))
    first = rows.findLast(({ op }) => op !== null) ?? first;
  if (first === null) return trail.tree;
  return first.parent === null ? null : treeOf(context.objects, first.parent);
}

/** The mark of a review for the history; `null`: nothing was accepted, or all of it was taken back. */
export function markOf({ newest, snapshot: { context } }: Review): Mark | null {
  const at = newest?.meta?.base;
  return at === undefined ? null : { at, rows: names => rowsInTree(context.objects, newest!.tree, names) };
}

/** Lists the files that may hold text that is not accepted. `only`: below this path, as the history records it. */
export async function openPaths(review: Review, only = ''): Promise<string[]> {
  const { snapshot, accepted, branch } = review;
  const { objects } = snapshot.context;
  const { tree } = snapshot.trail;
  const changes = await diffTrees(objects, accepted, tree);
  const uncommitted = branch === undefined ? changes : await diffTrees(objects, branch, tree);
  const byCommands = branch === undefined ? [] : await committedByCommands(snapshot);
  const asked = new Set([...uncommitted, ...byCommands].map(({ path }) => path));
  const known = markOf(review) ? changes : [...changes, ...byCommands];
  const open = known.filter(({ path, utf8 }) => utf8 && asked.has(path));
  // Rejected text may be there again.
  const { rejections } = await snapshot.context.rejections.read();
  const rejected = rejections.flatMap(({ lines }) => lines);
  const paths = new Set([...open, ...rejected].map(({ path }) => path));
  return [...paths].filter(path => isBelow(path, only || undefined));
}

/** The files of commits that agents' commands made: HEAD has them, and nobody accepted that. */
async function committedByCommands({
  context: { objects },
  trail,
}: Snapshot): Promise<Array<{ path: string; utf8: boolean }>> {
  const paths = new Set<string>();
  for await (const rows of walkRows(objects, trail.tip && trail.parent, { ownOnly: true }))
    for (const row of rows) if (isHead(row.op)) for (const path of row.paths) paths.add(path);
  return [...paths].map(path => ({ path, utf8: true }));
}

export interface ReviewStep {
  op: 'accept' | 'unaccept';
  /** By path; `null`: the file is not part of the accepted text. */
  changes: ReadonlyMap<string, TreeRef | null>;
  /** Contents of those, and the tree in place of the present one with the changes. */
  blobs: readonly EncodedObject[];
  tree?: string | null;
  subject: string;
  meta?: Partial<TrailMeta>;
}

/** Plans on the review as it is and commits it, again where somebody was faster. Answers the commit. */
export async function publishReview<Step extends ReviewStep>(
  context: Context,
  given: Person | undefined,
  plan: (review: Review) => Promise<Step>,
): Promise<{ commit: string; step: Step }> {
  const person = reviewerOf(context, given);
  const by = { session: REVIEW_SESSION, agent: undefined, model: undefined, person };
  const { commit, made } = await publishBeside(context, by, 'this review', async () => {
    const review = await openReview(context, given);
    const step = await plan(review);
    return { step, ...commitOf(review, step) };
  });
  return { commit, step: made.step };
}

/** Its second parent is the trail's newest commit, so that no gc takes away what was reviewed. */
function commitOf({ newest, reviewer, ref, oid, accepted, snapshot }: Review, step: ReviewStep): SideCommit {
  const { op, changes, blobs, subject, meta, tree = accepted } = step;
  const { context, trail, shown } = snapshot;
  const head = trail.checkedOut || trail.head === null ? {} : { head: trail.head };
  return {
    ...{ ref, oid, subject, tree, changes, blobs },
    meta: { op, paths: [...changes.keys()], base: shown.parent ?? undefined, ...head, ...meta },
    parents: [newest?.commit, shown.parent].filter(one => one != null),
    author: personsIdentity(context, reviewer),
  };
}
