/** Accepting: what a reviewer takes for good becomes part of their accepted text. No file and no trail changes. */

import type { Answer } from '../engine/answer.ts';
import { type Context, toTrail } from '../engine/context.ts';
import type { Author } from '../engine/rejections/people.ts';
import { findSession } from '../engine/trails/sessions.ts';
import { EditError } from '../errors.ts';
import type { EncodedObject } from '../git/objects/object.ts';
import type { TreeRef } from '../git/objects/tree-entries.ts';
import { isBelow } from '../history/changed-paths.ts';
import { bytesOfRows, fileOfRows, type RowsFile } from '../history/file-rows.ts';
import { fileAt, sameRecorded } from '../history/steps.ts';
import { acceptedText } from '../line/accepted.ts';
import type { LineEvent } from '../line/event.ts';
import { isIn, type Row, textAfter, textOf } from '../line/row.ts';
import { counted } from '../text/words.ts';
import { pathName } from '../wording.ts';
import { claimOf } from './claims.ts';
import { checkReviewable, findHunks, nothingIn } from './find-hunks.ts';
import { acceptRows, OpenFiles, type UnreviewedFile, type UnreviewedHunk } from './open-files.ts';
import type { AcceptOptions } from './options.ts';
import { otherHalves } from './renames.ts';
import { publishReview, type Review, type ReviewStep } from './review.ts';

export interface AcceptData {
  /** The commit of the reviewer's ref. */
  review: string;
  /** The number of hunks that were accepted, in part too, and of those that are left. */
  hunks: number;
  left: number;
  /** The number of changes from outside, each of one file, that are the reviewer's from now on. */
  claims: number;
}

interface Acceptance extends ReviewStep {
  hunks: number;
  left: number;
  open: OpenFiles;
}

/** Accepts what is asked for. Throws NO_CHANGE where nothing of it is left to review, FILE_NOT_FOUND, IS_DIRECTORY, INVALID_INPUT, LOCKED. */
export async function accept(context: Context, given: AcceptOptions): Promise<Answer<AcceptData>> {
  const { commit, step } = await publishReview(context, given.reviewer, review => planAccept(review, given));
  const { hunks, left, open, meta } = step;
  if (!given.asAgent) await endRejections(context, open);
  const claims = meta?.claims?.length ?? 0;
  const rest = left === 0 ? 'nothing is left' : `${left} left`;
  return {
    message: given.unclaimed
      ? `Claimed ${counted(claims, 'change')} from outside.`
      : `Accepted ${counted(hunks, 'hunk')}; ${rest} to review.`,
    data: { review: commit, hunks, left, claims },
  };
}

async function planAccept(review: Review, given: AcceptOptions): Promise<Acceptance> {
  const open = await OpenFiles.open(review);
  const before = await open.unreviewed();
  const changed = await acceptIn(review, open, before, given);
  if (changed.size === 0) throw await nothingToAccept(review, given);
  const after = await open.unreviewed();
  const left = countHunks(after);
  const what = changed.size === 1 ? [...changed][0] : `${changed.size} files`;
  return {
    op: 'accept',
    ...(await acceptedChanges(review, open)),
    subject: `accept ${what}`.slice(0, 72),
    meta: given.asAgent ? { agent: review.reviewer.name } : { claims: claimed(before, after) },
    hunks: given.unclaimed ? 0 : Math.max(1, countHunks(before) - left),
    left,
    open,
  };
}

/** A rejection ends in the places whose text is accepted now. */
async function endRejections({ rejections }: Context, { back }: OpenFiles): Promise<void> {
  for (const { rejection, name, rows } of back)
    if (rows.every(row => row.accepted === textOf(row))) await rejections.end(rejection, name);
}

/** Claims changes from outside without accepting anything: what the branch holds counts as accepted by itself. */
export async function claimChanges(context: Context, claims: readonly string[]): Promise<void> {
  await publishReview(context, undefined, async (review): Promise<ReviewStep> => {
    const open = await OpenFiles.open(review);
    const subject = `claim ${counted(claims.length, 'change')}`;
    const changes = await acceptedChanges(review, open);
    return { op: 'accept', ...changes, subject, meta: { claims } };
  });
}

/**
 * Finds what of these files the accepted tree has otherwise, under whatever names: the entries, and their contents. What
 * nobody recorded yet is accepted when it is.
 */
async function acceptedChanges(
  { snapshot: { context }, accepted }: Review,
  { line }: OpenFiles,
): Promise<Pick<ReviewStep, 'changes' | 'blobs'>> {
  const { objects, codec } = context;
  const wanted = new Map<string, RowsFile | null>(
    line.files.flatMap(({ names }) => names).map(path => [path, null]),
  );
  for (const { weave } of line.files) {
    const file = fileOfRows(acceptedText(weave, ({ id, at }) => id === '' && at >= 0));
    if (file) wanted.set(file.path, file);
  }
  const changes = new Map<string, TreeRef | null>();
  const blobs: EncodedObject[] = [];
  for (const [path, file] of wanted) {
    const blob = file && !('oid' in file) ? await codec.encode('blob', await bytesOfRows(file)) : null;
    const ref = file && { mode: file.mode, oid: blob?.oid ?? ('oid' in file ? file.oid : '') };
    if (sameRecorded(ref, accepted === null ? null : await fileAt(objects, accepted, path))) continue;
    changes.set(path, ref as TreeRef | null);
    if (blob) blobs.push(blob);
  }
  return { changes, blobs };
}

/** Counts hunks; a file that was renamed, which one answer is about, once. */
function countHunks(files: readonly UnreviewedFile[]): number {
  const there = new Set(files.filter(({ present }) => present).map(({ line }) => line));
  const asked = files.filter(({ present, line }) => present || !there.has(line));
  return asked.reduce((sum, { hunks }) => sum + hunks.filter(one => !one.unclaimed).length, 0);
}

/** Returns what nobody claimed of these files, and is all accepted now: it is the reviewer's. */
function claimed(before: readonly UnreviewedFile[], open: readonly UnreviewedFile[]): string[] {
  const claimsIn = (files: readonly UnreviewedFile[]): string[] =>
    files.flatMap(({ path, hunks }) =>
      hunks.flatMap(({ nobodys }) => nobodys.map(({ commit }) => claimOf(commit, path))),
    );
  const left = new Set(claimsIn(open));
  return [...new Set(claimsIn(before))].filter(one => !left.has(one));
}

async function nothingToAccept(review: Review, given: AcceptOptions): Promise<EditError> {
  const { path, session, upTo, at, unclaimed } = given;
  const only = await onTrail(review, path);
  const isAll = (session ?? upTo ?? at) === undefined && !unclaimed;
  if (only !== undefined && isAll) return nothingIn(review, only);
  if (only !== undefined) await checkReviewable(review, only);
  if (!unclaimed) return nothingIn(review);
  const where = path === undefined ? '' : ` in ${pathName(path)}`;
  const words = `Nothing${where} came from outside that nobody claims. Nothing was done.`;
  return new EditError('NO_CHANGE', words, {});
}

/** A file or folder as the trail records it; `undefined` for the root, or where none is given. */
async function onTrail({ snapshot }: Review, path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  return toTrail(snapshot.context, await snapshot.named(path)).replace(/\/$/, '') || undefined;
}

/** Accepts in the rows of the files what is asked for. Answers the paths of which anything was. */
async function acceptIn(
  review: Review,
  open: OpenFiles,
  files: readonly UnreviewedFile[],
  given: AcceptOptions,
): Promise<Set<string>> {
  const { path, lines, session, upTo, at, unclaimed } = given;
  if (path !== undefined && lines) return acceptLines(review, open, files, given);
  const only = await onTrail(review, path);
  const named = files.filter(file => isBelow(file.path, only));
  const acceptThose = (isTaken: (hunk: UnreviewedHunk) => boolean): Set<string> => {
    const some = named.map(file => ({ file, hunks: file.hunks.filter(isTaken) }));
    return acceptHunks(some.filter(({ hunks }) => hunks.length > 0));
  };
  if (unclaimed) return acceptThose(hunk => hunk.unclaimed);
  const until = upTo ?? at;
  if (until !== undefined) {
    const event = open.line.named.get(await review.snapshot.commit(until));
    const isChanged = ({ line }: UnreviewedFile): boolean =>
      event !== undefined && acceptUntil(line.weave.rows(), event);
    return pathsOf(named.filter(isChanged));
  }
  if (session === undefined) {
    const others = given.alone ? [] : otherHalves(files, named);
    return acceptHunks([...named, ...others].map(file => ({ file, hunks: file.hunks })));
  }
  const own = await findSession(review.snapshot.context, session);
  const all = new Set<UnreviewedHunk>();
  for (const { path: of, hunks } of named)
    for (const hunk of hunks) if (isAllOf(await open.authorsOf(of, hunk.agents), own)) all.add(hunk);
  return acceptThose(hunk => all.has(hunk));
}

const pathsOf = (files: readonly UnreviewedFile[]): Set<string> => new Set(files.map(({ path }) => path));

/** True where the agents of a hunk are this session alone. */
function isAllOf(agents: readonly Author[], session: string): boolean {
  return agents.length > 0 && agents.every(one => one?.meta?.session === session);
}

/** Accepts hunks. Of a file that was renamed, the half that came, or both, stand for all of it; the one that went alone is gone. */
function acceptHunks(
  some: ReadonlyArray<{ file: UnreviewedFile; hunks: readonly UnreviewedHunk[] }>,
): Set<string> {
  for (const { file, hunks } of some) {
    const rows: readonly Row[] = file.line.weave.rows();
    const isHalf = !file.present && rows.some(isIn);
    const isBoth = some.some(one => one.file !== file && one.file.line === file.line);
    if (isHalf && !isBoth) for (const row of rows) row.accepted = null;
    else acceptRows(file.hunks.every(one => hunks.includes(one)) ? rows : hunks.flatMap(one => one.rows));
  }
  return pathsOf(some.map(({ file }) => file));
}

/** Accepts the hunks at lines; where the lines are others by now, what they were when they were read, and no more. */
async function acceptLines(
  review: Review,
  open: OpenFiles,
  files: readonly UnreviewedFile[],
  given: AcceptOptions,
): Promise<Set<string>> {
  const path = toTrail(review.snapshot.context, await review.snapshot.resolve(given.path!));
  const { file, hunks, read } = await findHunks(review, path, given, open);
  if (read && file.accepted) return acceptUntil(read.rows, read.after) ? new Set([file.path]) : new Set();
  const [other] = given.alone || hunks[0] !== file.hunks[0] ? [] : otherHalves(files, [file]);
  return acceptHunks([{ file, hunks }, ...(other ? [{ file: other, hunks: other.hunks }] : [])]);
}

/** Accepts rows as they were after an event, where nothing later is accepted. Answers whether anything was. */
function acceptUntil(rows: readonly Row[], { at }: LineEvent): boolean {
  const isKept = (row?: Row): boolean => !!row && isIn(row) && textAfter(row, at) === textOf(row);
  const isAccepted = (row: Row): boolean => row.accepted === textOf(row);
  const isLater = (row: Row): boolean => isIn(row) && !isKept(row) && isAccepted(row);
  // A place is a row that is as it was then, or all rows between two of those.
  const places: Row[][] = [];
  for (const [n, row] of rows.entries())
    if (n === 0 || isKept(row) || isKept(rows[n - 1])) places.push([row]);
    else places.at(-1)!.push(row);
  const open = places.filter(place => !place.every(isAccepted) && !place.some(isLater)).flat();
  const wanted = open.filter(row => row.accepted !== textAfter(row, at));
  for (const row of wanted) row.accepted = textAfter(row, at);
  return wanted.length > 0;
}
