/**
 * The text that a reviewer accepted: what the newest commit of their ref holds (review-ref.ts), placed among the rows of the
 * history as it was then, with what people did since and what HEAD has.
 */

import { isReadable } from '../../engine/admission/policy/readable.ts';
import { syncTrail } from '../../engine/change/sync.ts';
import { type Context, fromTrail } from '../../engine/context.ts';
import type { Person } from '../../engine/editor.ts';
import { NOBODYS } from '../../engine/editor-name.ts';
import { overRecorded } from '../../engine/files/conversion.ts';
import { recordedFile, Snapshot } from '../../engine/files/snapshot.ts';
import { groupedByOrigin, unrecordedBy } from '../../engine/origins/origins.ts';
import { type Side, same, side } from '../../engine/rejections/side.ts';
import { openTrail } from '../../engine/trails/open-trail.ts';
import { EditError } from '../../errors.ts';
import { diffTrees } from '../../git/objects/tree-diff.ts';
import { readRef } from '../../git/refs/refs.ts';
import type { Mark } from '../../line/accepted.ts';
import { type LineFiles, lineFiles, type Now } from '../../line/files.ts';
import { isReviewed } from '../../operations.ts';
import { isBelow } from '../../trail/changed-paths.ts';
import { rowsInTree } from '../../trail/history/file-rows.ts';
import { fileAt } from '../../trail/steps.ts';
import { readEntry, type TrailEntry, type TrailRow, treeOf, walkRows } from '../../trail/walk.ts';
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
function markOf({ newest, snapshot: { context } }: Review): Mark | null {
  const at = newest?.meta?.base;
  return at === undefined ? null : { at, rows: names => rowsInTree(context.objects, newest!.tree, names) };
}

/** Lists the files that may hold text that is not accepted. `only`: below this path, as the history records it. */
export async function openPaths({ snapshot, accepted, branch }: Review, only = ''): Promise<string[]> {
  const { objects } = snapshot.context;
  const { tree } = snapshot.trail;
  const changes = await diffTrees(objects, accepted, tree);
  const uncommitted =
    branch === undefined ? null : new Set((await diffTrees(objects, branch, tree)).map(({ path }) => path));
  const open = changes.filter(({ path, utf8 }) => utf8 && (uncommitted?.has(path) ?? true));
  // Rejected text may be there again.
  const rejected = (await snapshot.context.rejections.all()).flatMap(({ lines }) => lines);
  const paths = new Set([...open, ...rejected].map(({ path }) => path));
  return [...paths].filter(path => isBelow(path, only || undefined));
}

/** Files of the history with the look taken. */
export interface ReadFiles {
  line: LineFiles;
  /** By path, the files as they are now. */
  present: ReadonlyMap<string, Side>;
  /** By path, who may have written what is not recorded; none where it is the person's. */
  unrecorded: ReadonlyMap<string, TrailEntry>;
}

export async function readFiles(review: Review, paths: readonly string[]): Promise<ReadFiles> {
  const { snapshot } = review;
  const { context, trail } = snapshot;
  const query = { tip: trail.tip && trail.parent, ownOnly: !trail.checkedOut, mark: markOf(review) };
  const line = await lineFiles(context.objects, query, paths);
  const [present, changed] = [new Map<string, Side>(), new Map<string, null>()];
  const layers = await snapshot.layers();
  const read = async (path: string): Promise<boolean> => {
    const recorded = await sideAt(context, trail.tree, path).catch(ifUnshown);
    const found = recorded && (await presentSide(snapshot, path, recorded).catch(ifUnshown));
    if (found) present.set(path, found);
    return found !== null && !same(recorded!, found);
  };
  for (const { names } of line.files) {
    const path = names.at(-1)!;
    const name = fromTrail(context, path);
    if ((await read(path)) && name !== null && (await isReadable(context, layers, name)))
      changed.set(path, null);
  }
  const unrecorded = await unrecordedAuthors(snapshot, changed);
  const held = async (path: string): ReturnType<Now['present']> => {
    if (!present.has(path)) await read(path);
    const file = present.get(path)?.file;
    return file ? { mode: file.mode, oid: file.version, content: file.bytes } : null;
  };
  await line.look({ head: trail.head, present: held, isNobodys: path => unrecorded.has(path) });
  return { line, present, unrecorded };
}

/** Returns by path the authors of text that no commit holds yet; paths where it is a person's are left out. */
async function unrecordedAuthors(
  { context, trail }: Snapshot,
  changed: ReadonlyMap<string, null>,
): Promise<Map<string, TrailEntry>> {
  if (changed.size === 0) return new Map();
  const origins = await groupedByOrigin(context, changed, { parent: trail.parent });
  const others = origins.filter(({ evidence }) => evidence.by !== 'person');
  return new Map(
    others.flatMap(({ evidence, changes }) =>
      [...changes.keys()].map(path => [path, unrecordedBy(path, evidence)] as const),
    ),
  );
}

/** Answers `null` for what no workspace can show. */
function ifUnshown(error: unknown): null {
  if (error instanceof EditError && UNSHOWN.has(error.code)) return null;
  throw error;
}

const UNSHOWN: ReadonlySet<string> = new Set(['SPECIAL_FILE', 'IS_DIRECTORY']);

export async function sideAt(context: Context, tree: string | null, path: string): Promise<Side> {
  const recorded = tree === null ? null : await fileAt(context.objects, tree, path);
  return side(recorded && (await recordedFile(context, path, recorded)));
}

/** Returns the file as it would be recorded; where nobody can look, as it is recorded. */
async function presentSide(snapshot: Snapshot, path: string, recorded: Side): Promise<Side> {
  const name = fromTrail(snapshot.context, path);
  if (name === null || !snapshot.context.store.separate) return recorded;
  try {
    const file = (await snapshot.resolve(name)) === name ? await snapshot.file(name) : null;
    const over = overRecorded(snapshot.context, await snapshot.recorded(name));
    return side(file && (await snapshot.conversion.recorded(name, file, over)));
  } catch (error) {
    if (error instanceof EditError && error.code !== 'IS_DIRECTORY') return recorded;
    throw error;
  }
}
