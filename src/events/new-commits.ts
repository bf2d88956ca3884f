/** The commits that came to followed refs since a place, in an order in which every parent comes before its children. */

import type { Context } from '../engine/context.ts';
import { purgedHere } from '../engine/revision.ts';
import { listRefs } from '../git/refs/ref-list.ts';
import { readHead, readRef } from '../git/refs/refs.ts';
import { repositoryGone } from '../git/repository/repository.ts';
import { worktreeHeads } from '../git/repository/worktrees.ts';
import { revList } from '../git/rev-list.ts';
import { TRAIL_PREFIX, trailHome } from '../history/head.ts';
import { beginsTrail, readEntryOrNull, type TrailEntry } from '../history/walk.ts';
import { isReviewed } from '../operations.ts';
import { REVIEW_PREFIX } from '../review/review-ref.ts';
import type { ReadPosition } from './cursor.ts';

/** A ref that moved, and the commit that it is at. */
export interface Move {
  ref: string;
  oid: string;
  /** True when the place knows nothing of the ref. */
  isNew: boolean;
}

export interface NewCommit {
  oid: string;
  ref: string;
  parents: readonly string[];
  /** By the committer's clock, but not earlier than any parent that is new, too. */
  seconds: number;
  /** True on the line of first parents of the ref. */
  isMainline: boolean;
  /** False for what a branch had before it was followed. */
  isTold: boolean;
}

/**
 * Lists all that the refs have and the place has not, each commit once, with the first ref that has it. Between refs the clocks
 * decide. Those that are not told come first, and have no parent among the others.
 */
export async function newCommits(
  context: Context,
  place: ReadPosition,
  moves: readonly Move[],
): Promise<NewCommit[]> {
  const isReview = (ref: string): boolean => kindOf(ref) === 'review';
  const knownOf = (reviews: boolean): string[] =>
    [...place.refs].flatMap(([ref, oids]) => (isReview(ref) === reviews ? oids : []));
  const purged = (await purgedHere(context))?.commits;
  const today = (oid: string): string => purged?.get(oid) ?? oid;
  const known = [...knownOf(false), ...place.left].map(today);
  // The second parent of a review's commit is the trail's: it says nothing of what was told of the trail.
  const reviewed = knownOf(true).map(today);
  const found = new Map<string, NewCommit>();
  // Trails first: of what a trail and a branch have both, the trail tells. Reviews last.
  const rank = (ref: string): number => (isReview(ref) ? 2 : isBranch(ref) ? 1 : 0);
  for (const move of [...moves].sort((a, b) => rank(a.ref) - rank(b.ref))) {
    const before = isReview(move.ref) ? [...known, ...reviewed] : known;
    const commits = await (isBranch(move.ref) ? branchCommits : trailCommits)(context, move, before);
    for (const one of commits) found.set(one.oid, one);
    (isReview(move.ref) ? reviewed : known).push(move.oid);
  }
  const ordered = parentsFirst(found);
  markOld(found, ordered, place.time, new Set(moves.filter(one => one.isNew).map(({ ref }) => ref)));
  return ordered.sort((a, b) => Number(a.isTold) - Number(b.isTold) || a.seconds - b.seconds);
}

function isBranch(ref: string): boolean {
  const kind = kindOf(ref);
  return kind === 'branch' || kind === 'head';
}

/** Finds the new ones of the ref's own commits: below them is the history of the branch, whoever made it. */
async function trailCommits(
  { objects }: Context,
  { ref, oid }: Move,
  known: readonly string[],
): Promise<NewCommit[]> {
  const newest = await readEntryOrNull(objects, oid);
  const seen = newest?.meta?.head;
  const news = await revList(objects, oid, seen === undefined ? known : [...known, seen]);
  const commits: NewCommit[] = [];
  for (let next: string | null = oid; next !== null && news.has(next); ) {
    const entry: TrailEntry | null = await readEntryOrNull(objects, next);
    // Below the first commit of a review is the trail, whose own ref tells of its edits.
    if (!entry?.meta || (kindOf(ref) === 'review' && !isReviewed(entry.meta.op))) break;
    const { parents, time: seconds } = entry;
    commits.push({ oid: next, ref, parents, seconds, isMainline: true, isTold: true });
    next = beginsTrail(entry) ? null : (parents[0] ?? null);
  }
  return commits;
}

async function branchCommits(
  { objects }: Context,
  { ref, oid }: Move,
  known: readonly string[],
): Promise<NewCommit[]> {
  const commits = new Map<string, NewCommit>();
  for (const one of await revList(objects, oid, known)) {
    const info = await objects.commitInfo(one);
    if (info) commits.set(one, { oid: one, ref, ...info, isMainline: false, isTold: true });
  }
  for (let at = commits.get(oid); at; at = commits.get(at.parents[0] ?? '')) at.isMainline = true;
  return [...commits.values()];
}

/** Sorts commits so that each comes after its parents; no commit is earlier than its parents afterwards. */
function parentsFirst(commits: ReadonlyMap<string, NewCommit>): NewCommit[] {
  const ordered: NewCommit[] = [];
  const begun = new Set<string>();
  for (const start of commits.values()) {
    const stack = [start];
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const open = begun.has(top.oid) ? [] : parentsIn(commits, top).filter(one => !begun.has(one.oid));
      if (!begun.has(top.oid)) begun.add(top.oid);
      if (open.length > 0) stack.push(...open);
      else ordered.push(stack.pop()!);
    }
  }
  const unique = [...new Set(ordered)];
  for (const one of unique)
    one.seconds = Math.max(one.seconds, ...parentsIn(commits, one).map(parent => parent.seconds));
  return unique;
}

function parentsIn(commits: ReadonlyMap<string, NewCommit>, { parents }: NewCommit): NewCommit[] {
  return parents.flatMap(oid => commits.get(oid) ?? []);
}

/**
 * Marks what a branch had before it was followed as told: what is older than the place, and for a reader that begins at
 * the beginning of all, older than the first edit beside a branch.
 */
function markOld(
  commits: ReadonlyMap<string, NewCommit>,
  ordered: readonly NewCommit[],
  time: number,
  newRefs: ReadonlySet<string>,
): void {
  const edits = ordered.filter(({ ref }) => kindOf(ref) === 'trail');
  const first = edits.reduce((least, { seconds }) => Math.min(least, seconds), Number.POSITIVE_INFINITY);
  const since = time > 0 || edits.length === 0 ? time : first;
  for (const one of ordered) {
    if (!isBranch(one.ref) || !newRefs.has(one.ref) || one.seconds >= since) continue;
    one.isTold = parentsIn(commits, one).some(parent => parent.isTold);
  }
}

type RefKind = 'trail' | 'review' | 'branch' | 'head';

export function kindOf(ref: string): RefKind {
  if (ref.startsWith(TRAIL_PREFIX)) return 'trail';
  if (ref.startsWith(REVIEW_PREFIX)) return 'review';
  return ref.startsWith('refs/') ? 'branch' : 'head';
}

/**
 * Lists the followed refs and their commits now: every trail and review; where branches are the trails all of them, elsewhere those
 * that are checked out in a work tree, or were followed before (`known`); and HEAD where it is detached. Throws
 * as listRefs.
 */
export async function followedRefs(
  context: Context,
  known: ReadonlyMap<string, unknown>,
): Promise<Map<string, string>> {
  const { repo } = context;
  const found = new Map<string, string>();
  for (const { name, oid } of await listRefs(repo, TRAIL_PREFIX)) found.set(name, oid);
  for (const { name, oid } of await listRefs(repo, REVIEW_PREFIX)) found.set(name, oid);
  const heads = await worktreeHeads(repo);
  const checkedOut = new Set(heads.map(({ ref }) => ref));
  const isEvery = trailHome(repo, await readHead(repo), context.trailName).checkedOut;
  for (const { name, oid } of await listRefs(repo, 'refs/heads/')) {
    if (isEvery || checkedOut.has(name) || known.has(name)) found.set(name, oid);
  }
  for (const { gitDir, ref } of heads) {
    const oid = ref === null ? await readRef({ ...repo, gitDir }, 'HEAD') : null;
    if (oid) found.set(headName(context, gitDir), oid);
  }
  return found;
}

/** Returns the name that HEAD of a work tree has anywhere in the repository: `HEAD`, `worktrees/<id>/HEAD`. */
function headName({ repo }: Context, gitDir: string): string {
  return gitDir === repo.commonDir ? 'HEAD' : `${gitDir.slice(repo.commonDir.length + 1)}/HEAD`;
}

/** True when a ref that was not listed is gone indeed. Throws NOT_A_REPOSITORY when the whole repository is. */
export async function isGone({ repo, fs }: Context, ref: string): Promise<boolean> {
  if (!(await fs.lstat(`${repo.commonDir}/refs`))) throw repositoryGone(repo);
  return (await readRef(repo, ref)) === null;
}
