/**
 * Finds what a reviewer has not accepted yet: the hunks that hold lines of agents. Text of people counts as accepted.
 */

import {
  afterTaking,
  type Compared,
  compare,
  type HunkLines,
  linesOfChange,
  withChanges,
} from '../../engine/rejections/compare.ts';
import { type Author, type AuthorSet, isPersons } from '../../engine/rejections/people.ts';
import { same, withText } from '../../engine/rejections/side.ts';
import type { LineChange } from '../../text/diff/line-diff.ts';
import { isUnclaimed } from '../../trail/editors.ts';
import type { TrailEntry } from '../../trail/walk.ts';
import { openFiles, type Review, type ReviewedFile } from '../accepted/accepted-text.ts';
import { meets } from '../accepted/returned.ts';
import { findAuthors } from '../authors/authors.ts';
import type { ComparedFile } from '../authors/file-authors.ts';
import { authorsOf } from '../authors/known-authors.ts';
import { Claims, readClaims } from '../claims.ts';

export type HunkKind = 'lines' | 'create' | 'delete' | 'mode' | 'binary';

export interface UnreviewedHunk {
  kind: HunkKind;
  /** The lines in the present text. A file that is gone, or is no text, has none: 0 to 0. */
  lines: HunkLines;
  /** `null` for the file as a whole. */
  change: LineChange | null;
  /** Newest first is not promised; see listing.ts. */
  authors: AuthorSet;
  /** Those of the authors that are agents. */
  agents: AuthorSet;
  /** True when a person's text is in it, or text that nobody claims, beside an agent's. */
  mixed: boolean;
  /** Its authors that are changes from outside, made while an agent was at work, that nobody claims. */
  nobodys: TrailEntry[];
  /** True when no agent is known to have a line in it, but for those, and it is nothing that was rejected. */
  unclaimed: boolean;
}

/** A file with hunks that are not reviewed; `accepted` has the text of people that is in no hunk. */
export interface UnreviewedFile extends ComparedFile {
  hunks: UnreviewedHunk[];
}

/** Finds the files to review, in the order of their paths. `only`: below this path, as the trail records it. */
export async function unreviewedFiles(review: Review, only?: string): Promise<UnreviewedFile[]> {
  return hunksIn(review, await openFiles(review, only));
}

export async function hunksIn(review: Review, files: readonly ReviewedFile[]): Promise<UnreviewedFile[]> {
  const compared = files
    .filter(({ accepted, present }) => !same(accepted, present))
    .map(file => ({
      ...file,
      compared: isWhole(file) ? null : compare(file.accepted.text!, file.present.text!),
    }));
  const authors = await authorsOf(review, compared);
  const claims = await claimsAbout(review, authors);
  return compared.map((file, at) => unreviewed(file, authors[at]!, claims));
}

/** Makes a hunk of each change of a file that was cut into parts, with its own authors; `null` where all of it is people's. */
export async function partsIn(
  review: Review,
  file: ComparedFile & { compared: Compared },
): Promise<Array<UnreviewedHunk | null>> {
  const [found] = await findAuthors(review, [file]);
  const { authors } = found!;
  const isOurs = ours(file, await claimsAbout(review, [authors]));
  return file.compared.changes.map((change, at) => {
    const hunk = hunkOf(file, change, authors[at]!, isOurs);
    return hunk.authors.size > 0 && [...hunk.authors].every(isOurs) ? null : hunk;
  });
}

async function claimsAbout(
  { snapshot }: Review,
  authors: ReadonlyArray<readonly AuthorSet[]>,
): Promise<Claims> {
  const isAsked = authors.some(own => own.some(set => [...set].some(one => one && isUnclaimed(one))));
  return isAsked ? readClaims(snapshot.context) : new Claims();
}

/** Returns a test of whose text is people's: their own, and what they claimed. */
function ours({ path }: ReviewedFile, claims: Claims): (author: Author) => boolean {
  return one => isPersons(one) || (one !== null && isUnclaimed(one) && !claims.leavesOpen(one, path));
}

/** A file that comes, goes or is no text is reviewed as a whole; so is one of which the mode alone changed. */
function isWhole({ accepted, present }: ReviewedFile): boolean {
  if (accepted.text === null || present.text === null) return true;
  if (!present.file) return true;
  return accepted.text === present.text;
}

function unreviewed(file: ComparedFile, authors: readonly AuthorSet[], claims: Claims): UnreviewedFile {
  const { compared } = file;
  const isOurs = ours(file, claims);
  const isOpen = authors.map(
    (own, at) =>
      own.size === 0 || [...own].some(one => !isOurs(one)) || isBack(file, compared?.changes[at] ?? null),
  );
  const open = authors.filter((_, at) => isOpen[at]);
  if (!compared) {
    const hunks = open.map(own => hunkOf(file, null, own, isOurs));
    return { ...file, hunks, accepted: hunks.length > 0 ? file.accepted : file.present };
  }
  // Changes that people made are part of the accepted text.
  const peoples = compared.changes.filter((_, at) => !isOpen[at]);
  const isAll = open.length === 0;
  const accepted = isAll ? file.present : withText(file.accepted, withChanges(compared, peoples));
  const left = { ...file, accepted, compared: afterTaking(compared, peoples) };
  const hunks = left.compared.changes.map((change, at) => hunkOf(left, change, open[at]!, isOurs));
  return { ...left, hunks };
}

function hunkOf(
  file: ComparedFile,
  change: LineChange | null,
  authors: AuthorSet,
  isOurs: (author: Author) => boolean,
): UnreviewedHunk {
  const all = [...authors];
  const nobodys = all.filter(one => one !== null && isUnclaimed(one) && !isOurs(one)) as TrailEntry[];
  const isAgents = (one: Author): boolean => !isOurs(one) && !nobodys.includes(one!);
  const agents = new Set(all.filter(isAgents));
  const unclaimed = all.length > 0 && agents.size === 0 && !isBack(file, change);
  const mixed = agents.size > 0 && agents.size < all.length;
  const lines = change ? linesOfChange(change) : { start_line: 0, end_line: 0 };
  return { kind: kindOf(file, change), lines, change, authors, agents, mixed, nobodys, unclaimed };
}

/** True for a change that holds rejected text which is there again. */
function isBack({ returned }: ReviewedFile, change: LineChange | null): boolean {
  return change !== null && returned.some(({ span }) => meets(change, span));
}

function kindOf({ accepted, present }: ReviewedFile, change: LineChange | null): HunkKind {
  if (!present.file) return 'delete';
  if (change && accepted.file) return 'lines';
  if (!accepted.file) return 'create';
  return accepted.text !== null && accepted.text === present.text ? 'mode' : 'binary';
}
