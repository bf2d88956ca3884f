/** Accepting: what a reviewer takes for good becomes part of their accepted text. No file and no trail changes. */

import type { EditError } from '../../errors.ts';
import type { EncodedObject } from '../../git/objects/object.ts';
import type { TreeRef } from '../../git/objects/tree-entries.ts';
import { counted } from '../../text/words.ts';
import { treeOf } from '../../trail/walk.ts';
import type { Answer } from '../answer.ts';
import { type Context, givenPath, toTrail } from '../context.ts';
import { findSession } from '../queries/sessions.ts';
import {
  eitherSide,
  openFiles,
  type Review,
  type ReviewedFile,
  type Side,
  same,
  sideAt,
  taken,
  withText,
} from './accepted/accepted-text.ts';
import { changesAt, compare, cutAt, withChanges } from './accepted/compare.ts';
import { isPersons } from './accepted/people.ts';
import { publishReview, type ReviewStep } from './accepted/publish.ts';
import { findHunks } from './hunks/find-hunks.ts';
import { checkReviewable, nothingIn, nothingOf } from './hunks/nothing-left.ts';
import { otherHalf, otherHalves } from './hunks/renames.ts';
import { hunksIn, type UnreviewedFile, type UnreviewedHunk } from './hunks/unreviewed.ts';
import type { AcceptOptions } from './options.ts';
import { bare, isDeletion, lacks } from './rejections/rejected-lines.ts';
import type { RejectedPlace } from './rejections/rejection-book.ts';

export interface AcceptData {
  /** The commit of the reviewer's ref. */
  review: string;
  /** How many hunks were accepted, in part too, and how many are left. */
  hunks: number;
  left: number;
}

/** A file with what is accepted of it from now on. */
interface Accepted {
  file: UnreviewedFile;
  side: Side;
}

/** Throws NO_CHANGE where nothing of that is left to review, FILE_NOT_FOUND, IS_DIRECTORY, INVALID_INPUT, LOCKED. */
export async function accept(context: Context, given: AcceptOptions): Promise<Answer<AcceptData>> {
  const { commit, step } = await publishReview(context, given.reviewer, review => planAccept(review, given));
  const { hunks, left } = step;
  await letLapse(context, step.texts);
  const rest = left === 0 ? 'nothing is left' : `${left} left`;
  return {
    message: `Accepted ${counted(hunks, 'hunk')}; ${rest} to review.`,
    data: { review: commit, hunks, left },
  };
}

async function planAccept(
  review: Review,
  given: AcceptOptions,
): Promise<ReviewStep & { hunks: number; left: number; texts: ReadonlyMap<string, string> }> {
  const open = await openFiles(review);
  const files = await hunksIn(review, open);
  const accepted = await acceptedFiles(review, files, given);
  const changed = accepted.filter(({ file, side }) => !same(file.accepted, side));
  if (changed.length === 0) throw await nothingToAccept(review, given);
  const sides = new Map<string, Side>(open.map(file => [file.path, asRecorded(file, file.accepted)]));
  for (const file of files) sides.set(file.path, asRecorded(file, file.accepted));
  for (const { file, side } of changed) sides.set(file.path, asRecorded(file, side));
  const before = countHunks(files);
  const left = before - countHunks(changed.map(({ file }) => file)) + (await openIn(review, changed));
  const what = changed.length === 1 ? changed[0]!.file.path : `${changed.length} files`;
  const hunks = Math.max(1, before - left);
  const subject = `accept ${what}`.slice(0, 72);
  const texts = new Map(changed.map(({ file, side }) => [file.path, side.text ?? '']));
  return { op: 'accept', ...(await written(review, sides)), subject, hunks, left, texts };
}

/** A rejection ends when what it took out is accepted. `texts`: what is accepted now, by path. */
async function letLapse({ rejections }: Context, texts: ReadonlyMap<string, string>): Promise<void> {
  const holds = (place: RejectedPlace): boolean => {
    const text = texts.get(place.path);
    if (text === undefined) return false;
    const lines = text.split('\n').map(bare);
    if (isDeletion(place))
      return lacks(text.endsWith('\n') || text === '' ? lines.slice(0, -1) : lines, place);
    const wanted = place.added.map(bare);
    return lines.some((_, at) => wanted.every((line, n) => lines[at + n] === line));
  };
  for (const { commit, places } of await rejections.of(null))
    if (places.some(holds)) await rejections.remove(commit);
}

/** Without what people wrote that is in no commit yet: it counts as theirs when it is recorded, once. */
function asRecorded({ recorded, present }: ReviewedFile, side: Side): Side {
  return taken(side, present, recorded);
}

/** The entries of these files where they are not in the accepted tree already, and their contents. */
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
  return files.reduce((sum, { hunks }) => sum + hunks.length, 0);
}

/** How many hunks these files will have. */
async function openIn(review: Review, changed: readonly Accepted[]): Promise<number> {
  const after = changed.map(({ file, side }) => ({ ...file, accepted: side }));
  return countHunks(await hunksIn(review, after));
}

async function nothingToAccept(
  review: Review,
  { path, session, upTo, at }: AcceptOptions,
): Promise<EditError> {
  const only = path === undefined ? '' : onTrail(review, path);
  if (only === '') return nothingOf(review);
  if ((session ?? upTo ?? at) === undefined) return nothingIn(review, only);
  await checkReviewable(review, only);
  return nothingOf(review);
}

/** A file or folder; '' is the root. */
function onTrail({ snapshot: { context } }: Review, path: string): string {
  return toTrail(context, givenPath(context, path, { folder: true })).replace(/\/$/, '');
}

async function acceptedFiles(
  review: Review,
  files: readonly UnreviewedFile[],
  given: AcceptOptions,
): Promise<Accepted[]> {
  const { snapshot } = review;
  const { context } = snapshot;
  const { path, lines, session, upTo, at } = given;
  if (path !== undefined && lines) return acceptedLines(review, await snapshot.resolve(path), given);
  const only = path === undefined ? '' : onTrail(review, path);
  const named = files.filter(file => isBelow(file.path, only));
  const below = given.alone || session !== undefined ? named : await withHalves(review, named);
  const until = upTo ?? at;
  if (until !== undefined || session === undefined) return acceptedNow(review, below, until);
  const own = await findSession(context, session);
  return below.map(file => ({ file, side: taking(file, hunksOf(file, own)) }));
}

function isBelow(path: string, only: string): boolean {
  return only === '' || path === only || path.startsWith(`${only}/`);
}

/** Hunks in which no other session has lines. */
function hunksOf(file: UnreviewedFile, session: string): UnreviewedHunk[] {
  return file.hunks.filter(({ authors }) => {
    const agents = [...authors].filter(one => !isPersons(one));
    return agents.length > 0 && agents.every(one => one?.meta?.session === session);
  });
}

/** The accepted text with these hunks. */
function taking(file: UnreviewedFile, hunks: readonly UnreviewedHunk[]): Side {
  if (hunks.length === 0) return file.accepted;
  if (hunks.length === file.hunks.length) return file.present;
  const changes = hunks.flatMap(({ change }) => change ?? []);
  return withText(file.accepted, withChanges(file.compared!, changes));
}

/** Where the lines are others by now, what they were when they were read is accepted, and no more. */
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

/** As these files are, or were at that commit. */
async function acceptedNow(
  review: Review,
  files: readonly UnreviewedFile[],
  at: string | undefined,
): Promise<Accepted[]> {
  return at === undefined
    ? files.map(file => ({ file, side: file.present }))
    : acceptedUpTo(review, files, at);
}

/** With the other halves of those that were renamed. */
async function withHalves(review: Review, files: readonly UnreviewedFile[]): Promise<UnreviewedFile[]> {
  const named = new Set(files.map(({ path }) => path));
  const others = await otherHalves(review, files);
  return [...files, ...others.filter(({ path }) => !named.has(path))];
}

async function acceptedUpTo(
  { snapshot }: Review,
  files: readonly UnreviewedFile[],
  spec: string,
): Promise<Accepted[]> {
  const { context } = snapshot;
  const tree = await treeOf(context.objects, await snapshot.commit(spec));
  const found: Accepted[] = [];
  for (const file of files)
    found.push({
      file,
      side: eitherSide(file.accepted, await sideAt(context, tree, file.path), file.present),
    });
  return found;
}
