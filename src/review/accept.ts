/** Accepting: what a reviewer takes for good becomes part of their accepted text. No file and no trail changes. */

import type { Answer } from '../engine/answer.ts';
import { type Context, givenPath, toTrail } from '../engine/context.ts';
import { changesAt, compare, cutAt, withChanges } from '../engine/rejections/compare.ts';
import { isPersons } from '../engine/rejections/people.ts';
import type { Rejection } from '../engine/rejections/rejection-book.ts';
import { type Side, same } from '../engine/rejections/side.ts';
import { findSession } from '../engine/trails/sessions.ts';
import { EditError } from '../errors.ts';
import type { EncodedObject } from '../git/objects/object.ts';
import type { TreeRef } from '../git/objects/tree-entries.ts';
import { acceptUntil, placeAccepted } from '../line/accepted.ts';
import { textOf } from '../line/row.ts';
import { encodeText, encodingOf } from '../text/document.ts';
import { counted } from '../text/words.ts';
import { isBelow } from '../trail/changed-paths.ts';
import { rowsOf } from '../trail/history/file-rows.ts';
import { pathName } from '../wording.ts';
import { type Review, sideAt } from './accepted/accepted-text.ts';
import { publishReview, type ReviewStep } from './accepted/publish.ts';
import { NO_FILE, recordedText, sideOfRows } from './accepted/reviewed-file.ts';
import { claimOf } from './claims.ts';
import { findHunks } from './hunks/find-hunks.ts';
import { checkReviewable, nothingIn, nothingOf } from './hunks/nothing-left.ts';
import { otherHalf, otherHalves } from './hunks/renames.ts';
import { acceptRows, type UnreviewedFile, type UnreviewedHunk } from './hunks/unreviewed.ts';
import type { AcceptOptions } from './options.ts';
import { OpenFiles } from './unreviewed-files.ts';

export interface AcceptData {
  /** The commit of the reviewer's ref. */
  review: string;
  /** The number of hunks that were accepted, in part too, and of those that are left. */
  hunks: number;
  left: number;
  /** The number of changes from outside, each of one file, that are the reviewer's from now on. */
  claims: number;
}

/** Accepts what is asked for. Throws NO_CHANGE where nothing of it is left to review, FILE_NOT_FOUND, IS_DIRECTORY, INVALID_INPUT, LOCKED. */
export async function accept(context: Context, given: AcceptOptions): Promise<Answer<AcceptData>> {
  const { commit, step } = await publishReview(context, given.reviewer, review => planAccept(review, given));
  const { hunks, left, ended } = step;
  if (!given.asAgent) for (const [rejection, names] of ended) await context.rejections.end(rejection, names);
  const claims = step.meta?.claims?.length ?? 0;
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
): Promise<ReviewStep & { hunks: number; left: number; ended: Map<Rejection, string[]> }> {
  const open = await OpenFiles.open(review);
  const before = await open.unreviewed();
  const paths = pathsOf(open);
  const changed = await acceptIn(review, open, before, given);
  if (changed.length === 0) throw await nothingToAccept(review, given);
  const after = await open.unreviewed();
  const left = countHunks(after);
  const what = changed.length === 1 ? changed[0] : `${changed.length} files`;
  const hunks = given.unclaimed ? 0 : Math.max(1, countHunks(before) - left);
  const subject = `accept ${what}`.slice(0, 72);
  const meta = given.asAgent ? { agent: review.reviewer.name } : { claims: claimed(before, after) };
  const ended = endedBy(open);
  return { op: 'accept', ...(await written(review, open, paths)), subject, meta, hunks, left, ended };
}

/** The places of rejections whose text is accepted now. */
function endedBy({ back }: OpenFiles): Map<Rejection, string[]> {
  const ended = new Map<Rejection, string[]>();
  for (const { rejection, name, rows } of back)
    if (rows.every(row => row.accepted === textOf(row)))
      ended.set(rejection, [...(ended.get(rejection) ?? []), name]);
  return ended;
}

/** Claims changes from outside without accepting anything: what the branch holds counts as accepted by itself. */
export async function claimChanges(context: Context, claims: readonly string[]): Promise<void> {
  await publishReview(context, undefined, async (review): Promise<ReviewStep> => {
    const open = await OpenFiles.open(review);
    const subject = `claim ${counted(claims.length, 'change')}`;
    return { op: 'accept', ...(await written(review, open, pathsOf(open))), subject, meta: { claims } };
  });
}

function pathsOf({ read }: OpenFiles): Set<string> {
  return new Set(read.line.files.flatMap(({ names }) => names));
}

/** Encodes what is accepted of these files where the accepted tree has it otherwise: the entries, and their contents. */
async function written(
  { snapshot: { context }, accepted }: Review,
  { read }: OpenFiles,
  paths: ReadonlySet<string>,
): Promise<Pick<ReviewStep, 'changes' | 'blobs'>> {
  const sides = new Map<string, Side>([...paths].map(path => [path, NO_FILE]));
  for (const line of read.line.files) {
    const found = await sideOfRows(context.objects, recordedText(line));
    if (found) sides.set(found.path, found.side);
  }
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
function claimed(before: readonly UnreviewedFile[], open: readonly UnreviewedFile[]): string[] {
  const claimsIn = (files: readonly UnreviewedFile[]): string[] =>
    files.flatMap(({ path, hunks }) =>
      hunks.flatMap(({ nobodys }) => nobodys.map(({ commit }) => claimOf(commit, path))),
    );
  const left = new Set(claimsIn(open));
  return [...new Set(claimsIn(before))].filter(one => !left.has(one));
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

/** Accepts in the rows of the files what is asked for. Answers the paths of which anything was. */
async function acceptIn(
  review: Review,
  open: OpenFiles,
  files: readonly UnreviewedFile[],
  given: AcceptOptions,
): Promise<string[]> {
  const { path, lines, session, upTo, at, unclaimed } = given;
  if (path !== undefined && lines) return acceptLines(review, open, files, given);
  const only = onTrail(review, path);
  const named = files.filter(file => isBelow(file.path, only));
  const acceptThose = (isTaken: (hunk: UnreviewedHunk) => boolean): string[] =>
    named.flatMap(file => acceptHunks(file, file.hunks.filter(isTaken)));
  if (unclaimed) return acceptThose(hunk => hunk.unclaimed);
  const until = upTo ?? at;
  if (session !== undefined && until === undefined) {
    const own = await findSession(review.snapshot.context, session);
    return acceptThose(hunk => isAllOf(hunk, own));
  }
  const isAlone = given.alone || session !== undefined;
  const all = isAlone ? named : [...named, ...otherHalves(files, named)];
  return acceptWhole(review, open, all, until);
}

/** True for a hunk in which agents of this session alone have lines. */
function isAllOf({ authors }: UnreviewedHunk, session: string): boolean {
  const agents = [...authors].filter(one => !isPersons(one));
  return agents.length > 0 && agents.every(one => one?.meta?.session === session);
}

function acceptHunks(
  { path, line, present, hunks: all }: UnreviewedFile,
  hunks: readonly UnreviewedHunk[],
): string[] {
  if (hunks.length === 0) return [];
  // Of a file that was renamed, the half that came stands for both.
  if (hunks.length === all.length && isHere({ line, present })) acceptRows(line.weave.rows());
  else if (present.file) for (const { rows } of hunks) acceptRows(rows);
  return [path];
}

/** False for the half that went of a file that was renamed. */
function isHere({ line, present }: Pick<UnreviewedFile, 'line' | 'present'>): boolean {
  return present.file !== null || line.weave.live.length === 0;
}

/** Accepts files as they are, or of what they hold what they held after an edit. */
async function acceptWhole(
  { snapshot }: Review,
  { read }: OpenFiles,
  files: readonly UnreviewedFile[],
  until: string | undefined,
): Promise<string[]> {
  const event = until === undefined ? undefined : read.line.named.get(await snapshot.commit(until));
  if (until === undefined) {
    for (const file of files) {
      const rows = file.line.weave.rows();
      if (isHere(file) || files.some(one => one.line === file.line && one !== file)) acceptRows(rows);
      else for (const row of rows) row.accepted = null;
    }
    return files.map(({ path }) => path);
  }
  return files.flatMap(({ path, line: { weave } }) => {
    const before = weave.rows().map(({ accepted }) => accepted);
    if (event) acceptUntil(weave, event);
    return weave.rows().some(({ accepted }, n) => accepted !== before[n]) ? [path] : [];
  });
}

/** Accepts the hunks at lines; where the lines are others by now, what they were when they were read, and no more. */
async function acceptLines(
  review: Review,
  open: OpenFiles,
  files: readonly UnreviewedFile[],
  given: AcceptOptions,
): Promise<string[]> {
  const name = await review.snapshot.resolve(given.path!);
  const { file, hunks, read } = await findHunks(review, toTrail(review.snapshot.context, name), given, open);
  if (!read?.file || file.accepted.text === null) {
    const other = given.alone ? null : otherHalf(files, file, hunks);
    if (other) return acceptWhole(review, open, [file, other], undefined);
    return acceptHunks(file, hunks);
  }
  const compared = cutAt(compare(file.accepted.text, read.text!), given.lines!);
  const text = withChanges(compared, changesAt(compared.changes, given.lines));
  if (text === file.accepted.text) return [];
  const { mode, bytes } = file.accepted.file ?? read.file;
  const held = { mode, oid: '' };
  placeAccepted(file.line.weave, rowsOf(file.path, held, encodeText(text, false, encodingOf(bytes))));
  return [file.path];
}
