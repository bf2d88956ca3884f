/** Names the work that a landing leaves behind, for its answer: edits that the person took back, and rejected text that is back. */

import { gitName } from '../c-quote.ts';
import { toTrail } from '../engine/context.ts';
import type { Snapshot } from '../engine/files/snapshot.ts';
import { unexplainedChanges } from '../engine/files/unexplained.ts';
import { quotedLines, reasonWords } from '../engine/rejections/put-back.ts';
import { EditError } from '../errors.ts';
import { isBelow } from '../history/changed-paths.ts';
import { optionWords, shortId, toolName } from '../wording.ts';

/** Work that stays behind in a file. */
export interface OmittedWork {
  path: string;
  /** The edits of which nothing is left there, oldest first; and those of which a part is. */
  edits: string[];
  reduced: string[];
  /** True when no other edit of the path is landing. */
  whole: boolean;
  /** True when the edits left no file there. */
  deleted: boolean;
  /** True when the file holds text of the person in their place, or beside it. */
  hasOther: boolean;
  /** False where a restore would keep what is typed in their place, and bring nothing back. */
  comesBack: boolean;
}

/** Names the changed files that no edit is about: with the person's own text, they are not taken either. */
export async function unexplainedFiles(
  snapshot: Snapshot,
  files: ReadonlyArray<{ names: readonly string[] }>,
  only: readonly string[] | undefined,
): Promise<string[]> {
  const known = files.flatMap(({ names }) => names);
  const { changes } = await unexplainedChanges(snapshot);
  return changes
    .map(({ path }) => toTrail(snapshot.context, path))
    .filter(path => only === undefined || only.some(folder => isBelow(path, folder)))
    .filter(path => !known.some(name => isBelow(name, path.replace(/\/$/, ''))));
}

/** The most edits that are named for each path. */
const NAMED = 5;

/** For the answer: what stays behind, and the way back. A refusal names the `option` besides, in the words of its reader. */
export function omittedNotes(discarded: readonly OmittedWork[], option = ''): string[] {
  const notes: string[] = [];
  const whole = discarded.filter(one => one.whole);
  if (whole.length > 0) notes.push(wholeNote(whole, option));
  for (const { path, edits, reduced } of discarded.filter(one => !one.whole)) {
    const all = edits.length > 0 ? `what ${idsOf(edits)} wrote` : '';
    const part = reduced.length > 0 ? `a part of what ${idsOf(reduced)} wrote` : '';
    const what = [all, part].filter(Boolean).join(' and ');
    notes.push(
      `Left out of ${gitName(path)}, because it was rejected in a review or taken out by hand: ${what}.`,
    );
  }
  return notes;
}

function idsOf(commits: readonly string[]): string {
  const ids = commits.slice(-NAMED).map(commit => shortId(commit));
  const more = commits.length > NAMED ? ` and ${commits.length - NAMED} before` : '';
  return ids.join(', ') + more;
}

function wholeNote(discarded: readonly OmittedWork[], option: string): string {
  const paths = discarded.map(({ path }) => gitName(path)).join(', ');
  const isRewritten = discarded.some(({ hasOther }) => hasOther);
  const rewritten = isRewritten
    ? ` If you rewrote what they had written, land the files as they are, with your own changes${option}.`
    : '';
  return `Left out, because the files hold nothing of these edits any more (they were rejected in a review, or taken out by hand, as by git reset or git stash): ${paths}.${wayBack(discarded)}${rewritten}`;
}

/** Tells how the text of one comes back. */
function wayBack(discarded: readonly OmittedWork[]): string {
  const first = discarded.find(({ comesBack }) => comesBack);
  if (!first) return '';
  const name = gitName(first.path);
  const from = optionWords('from', shortId(first.edits.at(-1)!));
  const way = first.deleted ? `delete ${name}` : `${toolName('restore')} ${name} ${from}`;
  return ` To land them all the same, bring them back first: ${way}.`;
}

/** Creates the refusal of a landing of which the files hold nothing. */
export function allOmitted(discarded: readonly OmittedWork[]): EditError {
  const paths = discarded.map(({ path }) => gitName(path));
  const notes = omittedNotes(discarded, ` (${optionWords('outside', true)})`);
  const message = ['Nothing is left to land.', ...notes].join(' ');
  return new EditError('NO_CHANGE', message, { discarded: paths });
}

/** Rejected text that is back in a file, and does not land. */
export interface LeftOutText {
  path: string;
  /** The first line, in the file, and the lines; none of lines that were taken out again. */
  line: number;
  lines: string[];
  /** The rejection, by its commit on the trail, who rejected it, and why ('' without a reason). */
  rejection: string;
  reviewer: string;
  reason: string;
  /** Edits of which nothing lands because of this text. */
  edits: string[];
}

/** Says for the answer which text was left out, and what would make it land. */
export function leftOutNotes(texts: readonly LeftOutText[]): string[] {
  return texts.map(({ path, line, lines, reviewer, reason }) => {
    const what = lines.length > 0 ? quotedLines(lines) : 'lines that were taken out again';
    return `Left out of ${gitName(path)}, line ${line}: ${what}. ${reviewer} rejected that${reasonWords(reason)}, and it came back. To land it, accept it in the review.`;
  });
}

/** Creates the refusal of a landing that all of it is left out of. */
export function nothingButRejected(texts: readonly LeftOutText[]): EditError {
  const message = ['Nothing is left to land.', ...leftOutNotes(texts)].join(' ');
  return new EditError('NO_CHANGE', message, { discarded: [...new Set(texts.map(({ path }) => path))] });
}
