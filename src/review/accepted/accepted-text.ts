/**
 * The text that a reviewer accepted: the tree of the newest commit of their ref (review-ref.ts). What the checked-out branch
 * holds counts as accepted beside it, by content, unless the branch is the trail itself.
 */

import { isReadable } from '../../engine/admission/policy/readable.ts';
import { syncTrail } from '../../engine/change/sync.ts';
import { type Context, fromTrail } from '../../engine/context.ts';
import type { Person } from '../../engine/editor.ts';
import { NOBODYS } from '../../engine/editor-name.ts';
import { overRecorded } from '../../engine/files/conversion.ts';
import { recordedFile, Snapshot } from '../../engine/files/snapshot.ts';
import { groupedByOrigin, unrecordedBy } from '../../engine/origins/origins.ts';
import { acceptedByEither } from '../../engine/rejections/compare.ts';
import type { ReturnedText } from '../../engine/rejections/open-rejections.ts';
import {
  type Author,
  isPersons,
  type PeoplesChange,
  peoplesChanges,
} from '../../engine/rejections/people.ts';
import { type Side, same, side, withText } from '../../engine/rejections/side.ts';
import { openTrail } from '../../engine/trails/open-trail.ts';
import { EditError } from '../../errors.ts';
import { diffTrees } from '../../git/objects/tree-diff.ts';
import { readRef } from '../../git/refs/refs.ts';
import { isReviewed } from '../../operations.ts';
import { mergeFavoringOurs } from '../../text/diff/merge.ts';
import { isBelow } from '../../trail/changed-paths.ts';
import { fileAt, type Recorded } from '../../trail/steps.ts';
import { readEntry, type TrailEntry, type TrailRow, treeOf, walkRows } from '../../trail/walk.ts';
import { findReturned, withoutReturned } from './returned.ts';
import { reviewRef } from './review-ref.ts';

/** The reviewer where git's config names nobody. */
const NOBODY: Person = { name: 'reviewer', email: `reviewer${NOBODYS}` };

export function reviewerOf({ user }: Context, given: Person | undefined): Person {
  return given ?? user ?? NOBODY;
}

/** The text that one reviewer accepted of the current trail, as trees; `null` is the empty tree. */
export interface Review {
  snapshot: Snapshot;
  reviewer: Person;
  ref: string;
  /** The id of the commit that the ref points to; `null` where there is no ref. */
  oid: string | null;
  /** The newest commit of the ref; `null`: they have not reviewed anything. */
  newest: TrailEntry | null;
  accepted: string | null;
  /** The trees of the checked-out branch now, and when `newest` was made; both `undefined` where it is the trail. */
  branch?: string | null;
  branchThen?: string | null;
  /** Rejected text that is in the files again, by path. */
  returned?: ReadonlyMap<string, readonly ReturnedText[]>;
}

/**
 * Returns the tree that counts as accepted before anything was reviewed: what the branch holds, or held before the
 * first edit.
 */
export async function acceptedAtFirst({ snapshot, branch }: Review): Promise<string | null> {
  return branch === undefined ? beforeEdits(snapshot) : branch;
}

/** Opens the review of this person, or of the workspace's user, on the trail and the files as they are now. */
export async function openReview(context: Context, given: Person | undefined): Promise<Review> {
  const shown = await openTrail(context);
  const { trail } = await syncTrail(context, shown);
  return reviewOn(new Snapshot(context, trail, { shown }), reviewerOf(context, given));
}

export async function reviewOn(snapshot: Snapshot, reviewer: Person): Promise<Review> {
  const ref = reviewRef(snapshot.trail.ref, reviewer);
  const review = await withAccepted(snapshot, reviewer, ref, await readRef(snapshot.context.repo, ref));
  return { ...review, returned: await findReturned(snapshot) };
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
  const own = { snapshot, reviewer: { name, email }, ref, oid, newest };
  if (checkedOut) return { ...own, accepted: newest ? newest.tree : await beforeEdits(snapshot) };
  const branch = head === null ? null : await treeOf(objects, head);
  if (!newest) return { ...own, accepted: branch, branch, branchThen: branch };
  const then = newest.meta?.head;
  const branchThen = then === undefined ? null : await treeOf(objects, then).catch(() => branch);
  return { ...own, accepted: newest.tree, branch, branchThen };
}

/** Returns the tree that the branch which is the trail held before the first edit. */
async function beforeEdits({ context: { objects }, trail }: Snapshot): Promise<string | null> {
  let first: TrailRow | null = null;
  for await (const rows of walkRows(objects, trail.tip, { ownOnly: false }))
    first = rows.findLast(({ op }) => op !== null) ?? first;
  if (first === null) return trail.tree;
  return first.parent === null ? null : treeOf(objects, first.parent);
}

export interface ReviewedFile {
  /** As the trail records it, and as the workspace names it. */
  path: string;
  name: string;
  accepted: Side;
  /** The file in the trail's newest commit, and the file as it is now. */
  recorded: Side;
  present: Side;
  returned: readonly ReturnedText[];
  /** The author of the difference of both; `null` for a person. */
  unrecorded: Author;
}

/** Reads the files that may hold text that is not accepted. `only`: below this path, as the trail records it. */
export async function openFiles(review: Review, only = ''): Promise<ReviewedFile[]> {
  const { snapshot, accepted, branch } = review;
  const { objects } = snapshot.context;
  const { tree } = snapshot.trail;
  const changes = await diffTrees(objects, accepted, tree);
  const uncommitted =
    branch === undefined ? null : new Set((await diffTrees(objects, branch, tree)).map(({ path }) => path));
  const open = changes.filter(({ path, utf8 }) => utf8 && (uncommitted?.has(path) ?? true));
  const paths = new Set([...open.map(({ path }) => path), ...(review.returned?.keys() ?? [])]);
  return filesAt(review, [...paths].filter(path => isBelow(path, only || undefined)).sort());
}

/** Reads these files; leaves out what no workspace can show: links, submodules, paths outside its folder. */
export async function filesAt(review: Review, paths: readonly string[]): Promise<ReviewedFile[]> {
  const { snapshot } = review;
  const peoples = await peoplesChanges(review, paths);
  const found: Sides[] = [];
  for (const path of paths) found.push(...(await sidesOf(snapshot, path)));
  const authors = await unrecordedAuthors(snapshot, found);
  const layers = await snapshot.layers();
  const files: ReviewedFile[] = [];
  for (const sides of found) {
    const { path, name, present } = sides;
    const unrecorded = authors.get(path) ?? null;
    const returned = review.returned?.get(path) ?? [];
    const accepted = await orUnshown(acceptedSide(review, { ...sides, unrecorded }, peoples.get(path) ?? []));
    if (accepted === null) continue;
    const file = {
      ...{ ...sides, unrecorded, returned },
      accepted: withoutReturned(accepted, present, returned),
    };
    files.push((await isReadable(snapshot.context, layers, name)) ? file : unshown(file));
  }
  return files;
}

/** Returns the file as one that is no text: it is accepted and rejected as a whole. */
function unshown(file: ReviewedFile): ReviewedFile {
  const [accepted, recorded, present] = [file.accepted, file.recorded, file.present].map(one =>
    one.file ? { ...one, text: null } : one,
  ) as [Side, Side, Side];
  return { ...file, accepted, recorded, present, returned: [] };
}

/**
 * Returns by path the authors of text that no commit holds yet; paths without such text, or where it is a person's, are
 * left out.
 */
async function unrecordedAuthors(
  { context, trail }: Snapshot,
  found: readonly Sides[],
): Promise<Map<string, Author>> {
  const changed = found.filter(({ recorded, present }) => !same(recorded, present));
  if (changed.length === 0) return new Map();
  const paths = new Map(changed.map(({ path }) => [path, null]));
  const origins = await groupedByOrigin(context, paths, { parent: trail.parent });
  return new Map(
    origins.flatMap(({ evidence, changes }) =>
      evidence.by === 'person' ? [] : [...changes.keys()].map(path => [path, unrecordedBy(path, evidence)]),
    ),
  );
}

type Sides = Pick<ReviewedFile, 'path' | 'name' | 'recorded' | 'present'>;

/** Reads a file as it is recorded and as it is now; none where no workspace can show it. */
async function sidesOf(snapshot: Snapshot, path: string): Promise<Sides[]> {
  const name = fromTrail(snapshot.context, path);
  if (name === null) return [];
  const recorded = await orUnshown(sideAt(snapshot.context, snapshot.trail.tree, path));
  const present = recorded && (await orUnshown(presentSide(snapshot, name, recorded)));
  return recorded && present ? [{ path, name, recorded, present }] : [];
}

/** Answers `null` for what no workspace can show. */
function orUnshown<T>(side: Promise<T>): Promise<T | null> {
  return side.catch(error => {
    if (error instanceof EditError && UNSHOWN.has(error.code)) return null;
    throw error;
  });
}

const UNSHOWN: ReadonlySet<string> = new Set(['SPECIAL_FILE', 'IS_DIRECTORY']);

export async function sideAt(context: Context, tree: string | null, path: string): Promise<Side> {
  return recordedSide(context, path, tree === null ? null : await fileAt(context.objects, tree, path));
}

export async function recordedSide(context: Context, path: string, recorded: Recorded): Promise<Side> {
  return side(recorded && (await recordedFile(context, path, recorded)));
}

/** Returns the file as it would be recorded; where nobody can look, as it is recorded. */
async function presentSide(snapshot: Snapshot, name: string, recorded: Side): Promise<Side> {
  if (!snapshot.context.store.separate) return recorded;
  try {
    const file = (await snapshot.resolve(name)) === name ? await snapshot.file(name) : null;
    const over = overRecorded(snapshot.context, await snapshot.recorded(name));
    return side(file && (await snapshot.conversion.recorded(name, file, over)));
  } catch (error) {
    if (error instanceof EditError && error.code !== 'IS_DIRECTORY') return recorded;
    throw error;
  }
}

/**
 * Returns the accepted text of the file: what the reviewer accepted, what people wrote in it since, and what the branch
 * holds of it.
 */
async function acceptedSide(
  { snapshot: { context }, accepted, branch, branchThen }: Review,
  { path, recorded, present, unrecorded }: Sides & Pick<ReviewedFile, 'unrecorded'>,
  peoples: readonly PeoplesChange[],
): Promise<Side> {
  let own = await sideAt(context, accepted, path);
  for (const { before, after } of peoples)
    own = taken(own, await sideAt(context, before, path), await sideAt(context, after, path));
  if (isPersons(unrecorded)) own = taken(own, recorded, present);
  if (branch === undefined) return own;
  const committed = await sideAt(context, branch, path);
  const then = branchThen === branch ? committed : await sideAt(context, branchThen ?? null, path);
  return eitherSide(taken(own, then, committed), committed, present);
}

/** Adds to the accepted text what a person changed from one text to another, where that touches nothing that is not accepted. */
export function taken(own: Side, from: Side, to: Side): Side {
  if (same(from, to)) return own;
  if (same(own, from)) return to;
  if ([from, own, to].some(({ file, text }) => !file || text === null)) return own;
  return withText(own, mergeFavoringOurs(from.text!, own.text!, to.text!).text);
}

/** Returns the text that counts as accepted where each of two texts does. */
export function eitherSide(first: Side, second: Side, present: Side): Side {
  if (same(first, second) || same(first, present)) return first;
  if (same(second, present)) return second;
  const sides = [first, second, present];
  if (sides.some(({ text }) => text === null) || !present.file) return first;
  if (!first.file || !second.file) return first.file ? first : second;
  const mode = second.file.mode === present.file.mode ? second.file.mode : first.file.mode;
  const text = acceptedByEither(first.text!, second.text!, present.text!);
  return withText({ ...first, file: { ...first.file, mode } }, text);
}
