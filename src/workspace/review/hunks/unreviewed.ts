/** What a reviewer has not accepted yet: the hunks that hold lines of agents. Text of people counts as accepted. */

import type { LineChange } from '../../../text/diff/line-diff.ts';
import { openFiles, type Review, type ReviewedFile, same, withText } from '../accepted/accepted-text.ts';
import {
  afterTaking,
  type Compared,
  compare,
  type HunkLines,
  linesOfChange,
  withChanges,
} from '../accepted/compare.ts';
import { type AuthorSet, isPersons } from '../accepted/people.ts';
import { authorsOf } from '../authors/authors.ts';
import type { ComparedFile } from '../authors/file-authors.ts';

export type HunkKind = 'lines' | 'create' | 'delete' | 'mode' | 'binary';

export interface UnreviewedHunk {
  kind: HunkKind;
  /** Of the present text. A file that is gone, or is no text, has none: 0 to 0. */
  lines: HunkLines;
  /** `null` for the file as a whole. */
  change: LineChange | null;
  /** Newest first is not promised; see listing.ts. */
  authors: AuthorSet;
  /** True when a person's text is in it. */
  mixed: boolean;
}

/** A file with hunks that are not reviewed; `accepted` has the text of people that is in no hunk. */
export interface UnreviewedFile extends ComparedFile {
  hunks: UnreviewedHunk[];
}

/** In the order of their paths. `only`: below this path, as the trail records it. */
export async function unreviewedFiles(review: Review, only?: string): Promise<UnreviewedFile[]> {
  return hunksIn(review, await openFiles(review, only));
}

export async function hunksIn(review: Review, files: readonly ReviewedFile[]): Promise<UnreviewedFile[]> {
  const compared = files
    .filter(({ accepted, present }) => !same(accepted, present))
    .map(file => ({ ...file, compared: isWhole(file) ? null : comparedText(file) }));
  const authors = await authorsOf(review, compared);
  return compared.map((file, at) => unreviewed(file, authors[at]!));
}

/** A file that comes, goes or is no text is reviewed as a whole; so is one of which the mode alone changed. */
function isWhole({ accepted, present }: ReviewedFile): boolean {
  if (accepted.text === null || present.text === null) return true;
  if (!present.file) return true;
  return accepted.text === present.text;
}

function comparedText({ accepted, present }: ReviewedFile): ComparedFile['compared'] {
  return compare(accepted.text!, present.text!);
}

function unreviewed(file: ComparedFile, authors: readonly AuthorSet[]): UnreviewedFile {
  const { compared } = file;
  const isOpen = authors.map(own => own.size === 0 || [...own].some(one => !isPersons(one)));
  const open = authors.filter((_, at) => isOpen[at]);
  if (!compared) {
    const hunks = open.map(own => hunkOf(file, null, own));
    return { ...file, hunks, accepted: hunks.length > 0 ? file.accepted : file.present };
  }
  const left = withPeoples(
    file,
    compared,
    compared.changes.filter((_, at) => !isOpen[at]),
  );
  return { ...left, hunks: left.compared.changes.map((change, at) => hunkOf(left, change, open[at]!)) };
}

/** Changes that people made are part of the accepted text. */
function withPeoples(
  file: ComparedFile,
  compared: Compared,
  changes: readonly LineChange[],
): ComparedFile & { compared: Compared } {
  if (changes.length === 0) return { ...file, compared };
  if (changes.length === compared.changes.length)
    return { ...file, accepted: file.present, compared: afterTaking(compared, changes) };
  const accepted = withText(file.accepted, withChanges(compared, changes));
  return { ...file, accepted, compared: afterTaking(compared, changes) };
}

function hunkOf(file: ComparedFile, change: LineChange | null, authors: AuthorSet): UnreviewedHunk {
  const mixed = [...authors].some(isPersons) && [...authors].some(one => !isPersons(one));
  const lines = change ? linesOfChange(change) : { start_line: 0, end_line: 0 };
  return { kind: kindOf(file, change), lines, change, authors, mixed };
}

function kindOf({ accepted, present }: ReviewedFile, change: LineChange | null): HunkKind {
  if (!present.file) return 'delete';
  if (change && accepted.file) return 'lines';
  if (!accepted.file) return 'create';
  return accepted.text !== null && accepted.text === present.text ? 'mode' : 'binary';
}
