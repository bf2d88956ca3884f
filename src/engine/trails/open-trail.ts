/**
 * The trail that the workspace works on. A trail beside the branch belongs to the branch, and a branch changes under the
 * files: `git switch -c` carries the agents' work over to a branch whose trail knows nothing of it. There the trail goes
 * on from the newest commit of the one that does: it **continues** that trail, and log, blame, undo and land know the
 * work as before. Decided by content, and only where no other answer is possible:
 *
 * 1. Git itself says that the branch was renamed: it keeps its trail.
 * 2. Files hold work of a trail that the branch has not committed. Of several trails, the one that knows of all that the
 *    others know of, and of more; else that of the branch which git says was left for this one.
 * 3. No file does, and the branch has committed all the work of a trail, on top of the commit that this one was at; or
 *    stands at that commit where the trail's own sum is nothing. Of several, the one that grew from all the others; else,
 *    for a branch that git says was made from another one, that of the branch which was left for it. Not where the branch
 *    holds the trail's own commits: then they are its history, and no work is unknown.
 *
 * A trail that has begun continues only one that grew from it, so that no commit is ever left behind. One that was picked
 * by its name continues none. Text is never ascribed by this alone: blame still compares it with each commit.
 */

import { EditError } from '../../errors.ts';
import { checkedOutBefore, isForked, renamedFrom } from '../../git/refs/reflog.ts';
import { readHead, readRef } from '../../git/refs/refs.ts';
import { isAncestor } from '../../git/rev-list.ts';
import { continuing, readTrail, TRAIL_PREFIX, type TrailHead } from '../../trail/head.ts';
import type { Context } from '../context.ts';
import {
  growsFrom,
  type OtherTrail,
  type OtherTrailWork,
  otherTrails,
  Stand,
  type TrailEntryOf,
} from './other-trail-work.ts';

/**
 * Reads the trail, and looks whether it continues another one: always, or with `begun` only where it has not begun yet,
 * which costs an edit nothing. Throws CORRUPT, STORE_FAILED, INVALID_INPUT.
 */
export async function openTrail(context: Context, look: 'always' | 'begun' = 'always'): Promise<TrailHead> {
  const { repo, objects, trailName } = context;
  const trail = await readTrail(repo, objects, trailName);
  context.rejections.saw(trail.tip);
  return look === 'begun' && trail.oid !== null ? trail : continuation(context, trail);
}

/** Looks whether a trail that was read continues another one; answers the same trail where it continues none, or does so already. */
export async function continuation(context: Context, trail: TrailHead): Promise<TrailHead> {
  if (trail.checkedOut || trail.named || trail.continues !== null) return trail;
  const others = await otherTrails(context, trail);
  const found = others.length === 0 ? null : await continued(context, trail, others);
  return found ? continuing(context.objects, trail, found) : trail;
}

async function continued(
  context: Context,
  trail: TrailHead,
  others: readonly TrailEntryOf[],
): Promise<OtherTrail | null> {
  const renamed = trail.oid === null ? await renamedTrail(context, trail.ref, others) : null;
  if (renamed) return renamed;
  const stand = new Stand(context, trail);
  const standings: OtherTrailWork[] = [];
  for (const other of others) {
    const seen = other.entry.meta!.head ?? null;
    // On a branch without commits there is none that a trail from elsewhere could be joined with.
    if (trail.head === null && seen !== null) continue;
    if (trail.oid !== null && !(await growsFrom(context, other.entry.commit, trail.oid))) continue;
    const standing = await stand.of(other, trail.oid === null ? null : trail.tree);
    if (standing) standings.push(standing);
  }
  const inFiles = standings.filter(one => one.inFiles.length > 0);
  if (inFiles.length > 0) return (await most(context, inFiles)) ?? leftFor(context, trail, others, inFiles);
  const all = await committed(context, trail, standings);
  const isForkOf = all.length > 1 && (await isForked(context.repo, branchOf(trail.ref)));
  return (await newest(context, all)) ?? (isForkOf ? leftFor(context, trail, others, all) : null);
}

/**
 * Returns the one of `standings` that was left last: that of the branch that was checked out before this one, or of
 * the next one before with a trail; `null` where there is none.
 */
async function leftFor(
  { repo }: Context,
  { ref, head }: TrailHead,
  others: readonly TrailEntryOf[],
  standings: readonly OtherTrailWork[],
): Promise<OtherTrailWork | null> {
  const isDetached = (await readHead(repo)).ref === null;
  const name = isDetached ? (head ?? '') : ref.slice(TRAIL_PREFIX.length);
  for (const before of await checkedOutBefore(repo, name)) {
    const known = others.find(one => one.ref === TRAIL_PREFIX + before);
    if (known) return standings.find(one => one.ref === known.ref) ?? null;
  }
  return null;
}

function branchOf(trail: string): string {
  return `refs/heads/${trail.slice(TRAIL_PREFIX.length)}`;
}

/** The trail of the name that the branch had before, unless there is a branch of that name again. */
async function renamedTrail(
  { repo }: Context,
  ref: string,
  others: readonly TrailEntryOf[],
): Promise<OtherTrail | null> {
  for (const old of await renamedFrom(repo, branchOf(ref))) {
    const found = others.find(one => branchOf(one.ref) === old);
    if (found) return (await readRef(repo, old)) === null ? of(found) : null;
  }
  return null;
}

function of({ ref, entry }: TrailEntryOf): OtherTrail {
  return { ref, oid: entry.commit };
}

/** The one that knows of all the work in the files that the others know of, and of more, or has less that is not there. */
async function most(context: Context, standings: readonly OtherTrailWork[]): Promise<OtherTrailWork | null> {
  for (const one of standings) {
    const rest = standings.filter(other => other !== one);
    const known = await Promise.all(rest.map(other => knowsMore(context, one, other)));
    if (known.every(Boolean)) return one;
  }
  return null;
}

async function knowsMore(context: Context, one: OtherTrailWork, other: OtherTrailWork): Promise<boolean> {
  const own = new Set(one.inFiles);
  if (!other.inFiles.every(path => own.has(path))) return false;
  if (own.size > other.inFiles.length || one.nowhere.length < other.nowhere.length) return true;
  return one.nowhere.length === other.nowhere.length && growsFrom(context, one.oid, other.oid);
}

async function newest(
  context: Context,
  standings: readonly OtherTrailWork[],
): Promise<OtherTrailWork | null> {
  for (const one of standings) {
    const grown = standings.map(other => other === one || growsFrom(context, one.oid, other.oid));
    if ((await Promise.all(grown)).every(Boolean)) return one;
  }
  return null;
}

/**
 * Returns the standings of trails whose work the branch has committed. Where it has the trail's own commits they are the
 * branch's history, in which any trail may begin.
 */
async function committed(
  { objects }: Context,
  { head, oid }: TrailHead,
  standings: readonly OtherTrailWork[],
): Promise<OtherTrailWork[]> {
  const found: OtherTrailWork[] = [];
  for (const one of standings) {
    if (one.nowhere.length > 0) continue;
    const isEmpty = one.inCommit.length === 0;
    if (head !== null && (await isAncestor(objects, one.oid, head))) continue;
    const stands = isEmpty
      ? oid === null && one.seen === head
      : head !== null && (one.seen === null || (await isAncestor(objects, one.seen, head)));
    if (stands) found.push(one);
  }
  return found;
}

/** Checks the name that a session gives a commit. Throws INVALID_INPUT for what could name a commit otherwise. */
export function checkMark(name: string): string {
  const isName = typeof name === 'string' && /^[A-Za-z][\w.-]{0,79}$/.test(name);
  if (isName && name !== 'HEAD' && !/^[0-9a-f]{4,40}$/i.test(name)) return name;
  const shown = JSON.stringify(String(name).slice(0, 60));
  const message = `session.mark: ${shown} cannot name a mark: give a letter, then letters, digits and _ . -, at most 80, and no hex digits that may be a commit's. Nothing was done.`;
  throw new EditError('INVALID_INPUT', message, { fields: ['name'] });
}

/** Gives the name of a session to the trail's newest commit, which it answers; `null`: there is none. */
export async function setMark(
  context: Context,
  marks: Map<string, string | null>,
  name: string,
): Promise<string | null> {
  const { parent } = await openTrail(context);
  marks.set(name, parent);
  return parent;
}
