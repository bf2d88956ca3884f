/**
 * The review of one person: the text that they accepted is what the newest commit of their ref holds (review-ref.ts), placed
 * among the rows of the history as it was then, with what people did since and what HEAD has. A commit of it is made as edits
 * are, as one transaction that moves the ref and nothing else.
 */

import { Notifier } from '../engine/calls/notifier.ts';
import { syncTrail } from '../engine/change/sync.ts';
import { type Context, fromTrail } from '../engine/context.ts';
import type { Person } from '../engine/editor.ts';
import { NOBODYS } from '../engine/editor-name.ts';
import { Snapshot } from '../engine/files/snapshot.ts';
import { committer, personsIdentity } from '../engine/identity.ts';
import { REVIEW_SESSION } from '../engine/rejections/people.ts';
import { openTrail } from '../engine/trails/open-trail.ts';
import { publish } from '../engine/transaction/publication.ts';
import { movingRef, publishWithRetry } from '../engine/transaction/transaction.ts';
import { asWriter, type LockLease } from '../engine/transaction/writer.ts';
import type { EncodedObject } from '../git/objects/object.ts';
import { diffTrees } from '../git/objects/tree-diff.ts';
import type { TreeRef } from '../git/objects/tree-entries.ts';
import { readRef } from '../git/refs/refs.ts';
import { appendCommit } from '../history/append.ts';
import { isBelow } from '../history/changed-paths.ts';
import { rowsInTree } from '../history/file-rows.ts';
import { formatMessage, type TrailMeta } from '../history/message.ts';
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
  const publishOnce = async (turn: LockLease): Promise<{ commit: string; step: Step } | null> => {
    const review = await openReview(context, given);
    const step = await plan(review);
    const { oid: commit, objects } = await commitOf(review, step);
    const about = { ref: review.ref, checkedOut: false, oid: review.oid, head: null };
    const move = movingRef(context, { ...about, commit, summary: step.subject });
    const { done } = await publish(context, { ...move, objects: [...step.blobs, ...objects] }, turn);
    if (done) tell(review, step, commit);
    return done ? { commit, step } : null;
  };
  return asWriter(context, turn => publishWithRetry('this review', () => publishOnce(turn)));
}

function tell({ snapshot: { context }, reviewer }: Review, step: ReviewStep, commit: string): void {
  const { op, changes, subject } = step;
  const by = { session: REVIEW_SESSION, agent: undefined, model: undefined, person: reviewer };
  const paths = [...changes.keys()].flatMap(path => fromTrail(context, path) ?? []);
  const event = { kind: 'review' as const, op, commit, subject, paths, files: [] };
  context.listener.emit(() => ({ ...event, ...new Notifier(context, by).start() }));
}

/** Its second parent is the trail's newest commit, so that no gc takes away what was reviewed. */
function commitOf(review: Review, step: ReviewStep): ReturnType<typeof appendCommit> {
  const { newest, reviewer } = review;
  const { op, changes, subject, meta, tree = review.accepted } = step;
  const { context, trail, shown } = review.snapshot;
  const head = trail.checkedOut || trail.head === null ? {} : { head: trail.head };
  const message = formatMessage(subject, undefined, {
    op,
    paths: [...changes.keys()],
    base: shown.parent ?? undefined,
    ...head,
    committer: context.identity.committer?.email,
    ...meta,
  });
  return appendCommit(context.objects, {
    parents: [newest?.commit, shown.parent].filter(one => one != null),
    tree,
    changes,
    message,
    author: personsIdentity(context, reviewer),
    committer: committer(context),
  });
}
