/** Accepting: what a reviewer takes for good becomes part of their accepted text. No file and no trail changes. */

import type { Answer } from '../engine/answer.ts';
import { syncedSnapshot } from '../engine/change/sync.ts';
import { type Context, givenPath, toTrail } from '../engine/context.ts';
import { changesAt, compare, cutAt, withChanges } from '../engine/rejections/compare.ts';
import { historyQuery, openRejections } from '../engine/rejections/open-rejections.ts';
import { isPersons } from '../engine/rejections/people.ts';
import type { Rejection } from '../engine/rejections/rejection-book.ts';
import { type Side, same, withText } from '../engine/rejections/side.ts';
import { openTrail } from '../engine/trails/open-trail.ts';
import { findSession } from '../engine/trails/sessions.ts';
import { EditError } from '../errors.ts';
import type { EncodedObject } from '../git/objects/object.ts';
import type { TreeRef } from '../git/objects/tree-entries.ts';
import { counted } from '../text/words.ts';
import { isBelow } from '../trail/changed-paths.ts';
import { rowsOf } from '../trail/history/file-rows.ts';
import { placedLines, timesRejected } from '../trail/history/rejected.ts';
import { fileHistories } from '../trail/history/versions.ts';
import { treeOf } from '../trail/walk.ts';
import { pathName } from '../wording.ts';
import {
  eitherSide,
  openFiles,
  type Review,
  type ReviewedFile,
  sideAt,
  taken,
} from './accepted/accepted-text.ts';
import { publishReview, type ReviewStep } from './accepted/publish.ts';
import { claimOf } from './claims.ts';
import { findHunks } from './hunks/find-hunks.ts';
import { checkReviewable, nothingIn, nothingOf } from './hunks/nothing-left.ts';
import { otherHalf, otherHalves } from './hunks/renames.ts';
import { hunksIn, type UnreviewedFile, type UnreviewedHunk } from './hunks/unreviewed.ts';
import type { AcceptOptions } from './options.ts';

export interface AcceptData {
  /** The commit of the reviewer's ref. */
  review: string;
  /** The number of hunks that were accepted, in part too, and of those that are left. */
  hunks: number;
  left: number;
  /** The number of changes from outside, each of one file, that are the reviewer's from now on. */
  claims: number;
}

interface Accepted {
  file: UnreviewedFile;
  side: Side;
}

/** Accepts what is asked for. Throws NO_CHANGE where nothing of it is left to review, FILE_NOT_FOUND, IS_DIRECTORY, INVALID_INPUT, LOCKED. */
export async function accept(context: Context, given: AcceptOptions): Promise<Answer<AcceptData>> {
  const { commit, step } = await publishReview(context, given.reviewer, review => planAccept(review, given));
  const { hunks, left } = step;
  const claims = step.meta?.claims?.length ?? 0;
  if (!given.asAgent) await letLapse(context, step.taken);
  const rest = left === 0 ? 'nothing is left' : `${left} left`;
  return {
    message: given.unclaimed
      ? `Claimed ${counted(claims, 'change')} from outside.`
      : `Accepted ${counted(hunks, 'hunk')}; ${rest} to review.`,
    data: { review: commit, hunks, left, claims },
  };
}

async function planAccept(
  review: Review,
  given: AcceptOptions,
): Promise<ReviewStep & { hunks: number; left: number; taken: ReadonlyMap<string, Side> }> {
  const all = await openFiles(review);
  const files = await hunksIn(review, all);
  const accepted = await acceptedFiles(review, files, given);
  const changed = accepted.filter(({ file, side }) => !same(file.accepted, side));
  if (changed.length === 0) throw await nothingToAccept(review, given);
  const sides = sidesNow(all, files);
  for (const { file, side } of changed) sides.set(file.path, asRecorded(file, side));
  const before = countHunks(files);
  const after = changed.map(({ file, side }) => ({ ...file, accepted: side }));
  const open = await hunksIn(review, after);
  const left = before - countHunks(changed.map(({ file }) => file)) + countHunks(open);
  const what = changed.length === 1 ? changed[0]!.file.path : `${changed.length} files`;
  const hunks = given.unclaimed ? 0 : Math.max(1, before - left);
  const subject = `accept ${what}`.slice(0, 72);
  const taken = new Map(changed.map(({ file, side }) => [file.path, side]));
  const meta = given.asAgent ? { agent: review.reviewer.name } : { claims: claimed(changed, open) };
  return { op: 'accept', ...(await written(review, sides)), subject, meta, hunks, left, taken };
}

/** Claims changes from outside without accepting anything: what the branch holds counts as accepted by itself. */
export async function claimChanges(context: Context, claims: readonly string[]): Promise<void> {
  await publishReview(context, undefined, async (review): Promise<ReviewStep> => {
    const all = await openFiles(review);
    const sides = sidesNow(all, await hunksIn(review, all));
    const subject = `claim ${counted(claims.length, 'change')}`;
    return { op: 'accept', ...(await written(review, sides)), subject, meta: { claims } };
  });
}

/** Returns what is accepted already, by path, with what people wrote and a commit holds. */
function sidesNow(all: readonly ReviewedFile[], files: readonly ReviewedFile[]): Map<string, Side> {
  return new Map([...all, ...files].map(file => [file.path, asRecorded(file, file.accepted)]));
}

/** Ends rejections where what they took out is accepted. `sides`: what is accepted now, by path. */
async function letLapse(context: Context, sides: ReadonlyMap<string, Side>): Promise<void> {
  const { rejections, objects } = context;
  if ((await rejections.all()).length === 0) return;
  const snapshot = await syncedSnapshot(context, await openTrail(context));
  const ended = new Map<Rejection, string[]>();
  for (const history of await fileHistories(objects, historyQuery(snapshot), sides.keys())) {
    const path = history.names.at(-1)!;
    const file = sides.get(path)?.file;
    const rows = file ? rowsOf(path, { mode: file.mode, oid: file.version }, file.bytes) : [];
    const text = placedLines(history.weave, rows);
    for (const { rejection, place, name } of await openRejections(snapshot, history))
      if (timesRejected(place, text) > place.times)
        ended.set(rejection, [...(ended.get(rejection) ?? []), name]);
  }
  for (const [rejection, names] of ended) await rejections.end(rejection, names);
}

/** Leaves out what people wrote that is in no commit yet: it counts as theirs when it is recorded, once. */
function asRecorded({ recorded, present }: ReviewedFile, side: Side): Side {
  return taken(side, present, recorded);
}

/** Encodes these files where they are not in the accepted tree already: their entries in it, and their contents. */
async function written(
  { snapshot: { context }, accepted }: Review,
  sides: ReadonlyMap<string, Side>,
): Promise<Pick<ReviewStep, 'changes' | 'blobs'>> {
  const changes = new Map<string, TreeRef | null>();
  const blobs: EncodedObject[] = [];
  for (const [path, side] of sides) {
    if (same(side, await sideAt(context, accepted, path))) continue;
    const blob = side.file && (await context.codec.encode('blob', side.file.bytes));
    changes.set(path, blob && { mode: side.file!.mode, oid: blob.oid });
    if (blob) blobs.push(blob);
  }
  return { changes, blobs };
}

function countHunks(files: readonly UnreviewedFile[]): number {
  return files.reduce((sum, { hunks }) => sum + hunks.filter(one => !one.unclaimed).length, 0);
}

/** Returns what nobody claimed of these files, and is all accepted now: it is the reviewer's. */
function claimed(changed: readonly Accepted[], open: readonly UnreviewedFile[]): string[] {
  const claimsIn = (files: readonly UnreviewedFile[]): string[] =>
    files.flatMap(({ path, hunks }) =>
      hunks.flatMap(({ nobodys }) => nobodys.map(({ commit }) => claimOf(commit, path))),
    );
  const left = new Set(claimsIn(open));
  return [...new Set(claimsIn(changed.map(({ file }) => file)))].filter(one => !left.has(one));
}

async function nothingToAccept(
  review: Review,
  { path, session, upTo, at, unclaimed }: AcceptOptions,
): Promise<EditError> {
  const only = onTrail(review, path);
  const isAll = (session ?? upTo ?? at) === undefined && !unclaimed;
  if (only !== undefined && isAll) return nothingIn(review, only);
  if (only !== undefined) await checkReviewable(review, only);
  if (!unclaimed) return nothingOf(review);
  const where = path === undefined ? '' : ` in ${pathName(path)}`;
  const words = `Nothing${where} came from outside that nobody claims. Nothing was done.`;
  return new EditError('NO_CHANGE', words, {});
}

/** A file or folder as the trail records it; `undefined` for the root, or where none is given. */
function onTrail({ snapshot: { context } }: Review, path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  return toTrail(context, givenPath(context, path, { folder: true })).replace(/\/$/, '') || undefined;
}

async function acceptedFiles(
  review: Review,
  files: readonly UnreviewedFile[],
  given: AcceptOptions,
): Promise<Accepted[]> {
  const { snapshot } = review;
  const { path, lines, session, upTo, at, unclaimed } = given;
  if (path !== undefined && lines) return acceptedLines(review, await snapshot.resolve(path), given);
  const only = onTrail(review, path);
  const named = files.filter(file => isBelow(file.path, only));
  const hunksOf = (isTaken: (hunk: UnreviewedHunk) => boolean): Accepted[] =>
    named.map(file => ({ file, side: taking(file, file.hunks.filter(isTaken)) }));
  if (unclaimed) return hunksOf(hunk => hunk.unclaimed);
  const until = upTo ?? at;
  if (session !== undefined && until === undefined) {
    const own = await findSession(snapshot.context, session);
    return hunksOf(hunk => isAllOf(hunk, own));
  }
  const isAlone = given.alone || session !== undefined;
  return acceptedNow(review, isAlone ? named : await withHalves(review, named), until);
}

/** True for a hunk in which agents of this session alone have lines. */
function isAllOf({ authors }: UnreviewedHunk, session: string): boolean {
  const agents = [...authors].filter(one => !isPersons(one));
  return agents.length > 0 && agents.every(one => one?.meta?.session === session);
}

function taking(file: UnreviewedFile, hunks: readonly UnreviewedHunk[]): Side {
  if (hunks.length === 0) return file.accepted;
  if (hunks.length === file.hunks.length) return file.present;
  const changes = hunks.flatMap(({ change }) => change ?? []);
  return withText(file.accepted, withChanges(file.compared!, changes));
}

/** Accepts the hunks at lines; where the lines are others by now, what they were when they were read, and no more. */
async function acceptedLines(review: Review, name: string, given: AcceptOptions): Promise<Accepted[]> {
  const { file, hunks, read } = await findHunks(review, toTrail(review.snapshot.context, name), given);
  if (!read?.file || file.accepted.text === null) {
    const own = { file, side: taking(file, hunks) };
    const other = given.alone ? null : await otherHalf(review, file, hunks);
    if (!other) return [own];
    return [own, ...(await acceptedNow(review, [other], given.at))];
  }
  const compared = cutAt(compare(file.accepted.text, read.text!), given.lines!);
  const text = withChanges(compared, changesAt(compared.changes, given.lines));
  return [{ file, side: withText(file.accepted.file ? file.accepted : read, text) }];
}

async function acceptedNow(
  { snapshot }: Review,
  files: readonly UnreviewedFile[],
  at: string | undefined,
): Promise<Accepted[]> {
  if (at === undefined) return files.map(file => ({ file, side: file.present }));
  const { context } = snapshot;
  const tree = await treeOf(context.objects, await snapshot.commit(at));
  const then = await Promise.all(files.map(({ path }) => sideAt(context, tree, path)));
  return files.map((file, n) => ({ file, side: eitherSide(file.accepted, then[n]!, file.present) }));
}

/** Adds the other halves of those files that were renamed. */
async function withHalves(review: Review, files: readonly UnreviewedFile[]): Promise<UnreviewedFile[]> {
  const named = new Set(files.map(({ path }) => path));
  const others = await otherHalves(review, files);
  return [...files, ...others.filter(({ path }) => !named.has(path))];
}
