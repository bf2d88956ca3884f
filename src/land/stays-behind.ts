/** Names the work that a landing leaves behind, for its answer: edits that the person took back, and rejected text that is back. */

import { gitName } from '../c-quote.ts';
import { toTrail } from '../engine/context.ts';
import type { Snapshot } from '../engine/files/snapshot.ts';
import { unexplainedChanges } from '../engine/files/unexplained.ts';
import { quotedLines, reasonWords } from '../engine/rejections/put-back.ts';
import { statusWords } from '../engine/status/status-words.ts';
import { editStatuses } from '../engine/status/statuses.ts';
import { EditError } from '../errors.ts';
import { isBelow } from '../history/changed-paths.ts';
import { readEntry, type TrailEntry } from '../history/walk.ts';
import type { EditStatus } from '../line/standing.ts';
import { counted } from '../text/words.ts';
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

/** By commit, the words of what became of edits, as log has them. */
export type Became = ReadonlyMap<string, string>;

/** Reads what became of the edits that are named of what stays behind. */
export async function becameOf(snapshot: Snapshot, discarded: readonly OmittedWork[]): Promise<Became> {
  const ids = new Set(discarded.flatMap(namedIn));
  const entries = await Promise.all([...ids].map(commit => readEntry(snapshot.context.objects, commit)));
  const statuses = await editStatuses(snapshot, entries);
  return new Map(entries.map(entry => [entry.commit, becameWords(entry, statuses.get(entry.commit)!)]));
}

/** The words of a status that a person took back; of one of which a part is, what became of that part. */
function becameWords({ meta }: TrailEntry, status: EditStatus): string {
  if (isByPerson(status.now)) return statusWords({ op: meta?.op ?? null, status }).join(', ');
  const all = Object.entries(status.lines);
  const sum = all.reduce((so, [, count]) => so + count, 0);
  return all
    .flatMap(([word, count]) => (isByPerson(word) ? `${count} of ${sum} lines ${word}` : []))
    .join(', ');
}

/** The newest edits of it. */
function namedIn({ edits, reduced }: OmittedWork): string[] {
  return [...edits, ...reduced].slice(-NAMED);
}

/** True for the words of edits that do not land, because a person took them out of the files. */
export function isByPerson(word: string): boolean {
  return ['rejected', 'taken out by hand', 'rewritten', 'away'].includes(word);
}

/** For the answer: what stays behind, and the way back. A refusal names the `option` besides, in the words of its reader. */
export function omittedNotes(discarded: readonly OmittedWork[], became: Became, option = ''): string[] {
  const whole = discarded.filter(one => one.whole);
  const parts = discarded.filter(one => !one.whole);
  return [
    ...(whole.length > 0 ? [wholeNote(whole, became, option)] : []),
    ...parts.map(one => `Left out of ${gitName(one.path)}: ${editWords(one, became)}.`),
  ];
}

/** `1f2e3d4c5b6a, 0a1b2c3d4e5f taken out by hand; 5c6d7e8f9a0b away: in stash@{0}`. */
function editWords(work: OmittedWork, became: Became): string {
  const named = namedIn(work);
  const older = work.edits.length + work.reduced.length - named.length;
  const ids = (words: string | undefined): string[] =>
    named.filter(commit => became.get(commit) === words).map(commit => shortId(commit));
  const told = [...new Set(named.map(commit => became.get(commit)))];
  const more = older > 0 ? [counted(older, 'older edit')] : [];
  return [...told.map(words => `${ids(words).join(', ')} ${words}`), ...more].join('; ');
}

function wholeNote(discarded: readonly OmittedWork[], became: Became, option: string): string {
  const files = discarded.map(one => `${gitName(one.path)} (${editWords(one, became)})`).join(', ');
  const isRewritten = discarded.some(({ hasOther }) => hasOther);
  const rewritten = isRewritten
    ? ` If you rewrote what they had written, land the files as they are, with your own changes${option}.`
    : '';
  return `Left out, because the files hold nothing of these edits any more: ${files}.${wayBack(discarded)}${rewritten}`;
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
export function allOmitted(discarded: readonly OmittedWork[], became: Became): EditError {
  const paths = discarded.map(({ path }) => gitName(path));
  const notes = omittedNotes(discarded, became, ` (${optionWords('outside', true)})`);
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
