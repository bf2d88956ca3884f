/**
 * The rejections that stand: those of which nobody has said since that their text may be there. A rejection ends, place by
 * place, when the person accepts the text, takes the rejection back, puts the text there with the engine, or commits it.
 */

import { isOutside } from '../../operations.ts';
import type { Token } from '../../text/diff/alignment.ts';
import { rowsInTree } from '../../trail/history/file-rows.ts';
import {
  type LineSpan,
  lookAt,
  type PlacedLines,
  placedLines,
  type RejectedPlace,
  rejectedPlaces,
  timesRejected,
  withoutMarks,
} from '../../trail/history/rejected.ts';
import type { FileHistory, HistoryQuery } from '../../trail/history/versions.ts';
import type { Weave, WovenRow } from '../../trail/history/weave.ts';
import { fileAt } from '../../trail/steps.ts';
import { readEntryOrNull, type TrailEntry, treeOf } from '../../trail/walk.ts';
import type { Context } from '../context.ts';
import type { Snapshot } from '../files/snapshot.ts';
import { hearsOfAgents } from '../origins/event-folder.ts';
import { isPersons } from './people.ts';
import { placeName, type Rejection } from './rejection-book.ts';

export interface OpenRejection {
  rejection: Rejection;
  place: RejectedPlace;
  /** The rejection's name in the book. */
  name: string;
}

export interface ReturnedText extends OpenRejection {
  /** Lines of the text; of lines that were taken out again, where they were. */
  span: LineSpan;
}

/** Makes the query for histories of the trail as it stands. */
export function historyQuery({ trail }: Pick<Snapshot, 'trail'>): HistoryQuery {
  return { tip: trail.tip && trail.parent, ownOnly: !trail.checkedOut };
}

/**
 * Tells how far back histories have to be read, for rejections of these files to be in them: also of files that had other
 * names then.
 */
export async function sinceRejections(
  { context, trail }: Pick<Snapshot, 'context' | 'trail'>,
  paths: readonly string[],
  back: Pick<HistoryQuery, 'since'>,
): Promise<Pick<HistoryQuery, 'since'>> {
  const wanted = new Set(paths);
  const isAbout = async (path: string): Promise<boolean> =>
    wanted.has(path) || trail.tree === null || (await fileAt(context.objects, trail.tree, path)) === null;
  const since = new Set(back.since);
  let isAny = false;
  for (const { commit, lines } of await context.rejections.all()) {
    const about = await Promise.all([...new Set(lines.map(({ path }) => path))].map(isAbout));
    if (!about.some(Boolean)) continue;
    isAny = true;
    since.add(commit);
  }
  if (!isAny) return back;
  return back.since ? { since } : {};
}

/** Finds the places in a file whose rejections stand. `head`: what HEAD has of it, as rows; absent: it is read. */
export async function openRejections(
  { context, trail }: Pick<Snapshot, 'context' | 'trail'>,
  history: FileHistory,
  head?: readonly Token[],
): Promise<OpenRejection[]> {
  const { weave, names } = history;
  const known = await context.rejections.all();
  if (known.length === 0) return [];
  const ids = new Set(weave.steps.map(({ id }) => id));
  const mine = known.filter(({ commit }) => ids.has(commit));
  const rows =
    head ??
    (trail.checkedOut || trail.head === null
      ? null
      : await rowsInTree(context.objects, await treeOf(context.objects, trail.head), names));
  const now = rows && placedLines(weave, rows);
  return mine.flatMap(rejection =>
    rejectedPlaces(weave, rejection.commit).flatMap((place, at) => {
      const name = placeName(names[0]!, at);
      const isOver = rejection.ended.has(name) || (now !== null && isCommitted(history, place, now));
      return isOver ? [] : [{ rejection, place, name }];
    }),
  );
}

/** True where HEAD came to hold the rejected text since. */
function isCommitted({ weave, seen }: FileHistory, place: RejectedPlace, head: PlacedLines): boolean {
  const times = timesRejected(place, head);
  if (times === 0) return false;
  const { held } = seen.findLast(({ step }) => step <= place.step) ?? seen[0]!;
  return times > timesRejected(place, linesOf(weave.rows().filter(row => held.has(row))));
}

export function linesOf(rows: readonly WovenRow[]): PlacedLines {
  return withoutMarks({ lines: rows.map(({ token }) => token), rows });
}

/** Finds in a text of the file what people rejected, and nobody who may do so put there. */
export async function returnedTexts(
  context: Context,
  weave: Weave,
  places: readonly OpenRejection[],
  text: PlacedLines,
): Promise<ReturnedText[]> {
  const found: ReturnedText[] = [];
  for (const one of places) {
    const { place } = one;
    if (!place.isDistinct) continue;
    const more = timesRejected(place, text) - place.times;
    if (more <= 0) continue;
    const { gap, runs } = lookAt(place, text);
    const isDeletion = place.added.length === 0;
    const newest = (span: LineSpan): number => Math.max(...rowsOf(text, span).map(row => lastStep(row)));
    const spans = isDeletion ? [gap] : [...runs].sort((a, b) => newest(b) - newest(a)).slice(0, more);
    for (const span of spans) {
      const rows = isDeletion ? place.restored : rowsOf(text, span).filter(row => row !== null);
      if (await isConsent(context, await entriesOf(context, weave, place, rows))) continue;
      found.push({ ...one, span });
    }
  }
  return found;
}

/** Returns the rows of what is there again: lines of the file, or lines taken out again that are gone from it. */
export function rowsReturned({ place, span }: ReturnedText, file: readonly WovenRow[]): readonly WovenRow[] {
  if (place.added.length === 0) return place.restored;
  return rowsOf(linesOf(file), span).map(row => row!);
}

/** True where the person had put it there before, or committed it: then it is no agent who brings it back. */
export async function isConsented(
  context: Context,
  weave: Weave,
  place: RejectedPlace,
  text: PlacedLines,
): Promise<boolean> {
  const spans = place.added.length === 0 ? [] : lookAt(place, text).runs;
  const rows = spans.flatMap(span => rowsOf(text, span)).filter(row => row !== null);
  return isConsent(context, await entriesOf(context, weave, place, rows));
}

function rowsOf({ rows }: PlacedLines, { start, end }: LineSpan): Array<WovenRow | null> {
  return rows.slice(start, end);
}

/** Returns the last step of a row. A row that is not recorded is newer than all that are. */
function lastStep(row: WovenRow | null): number {
  return row === null ? Number.POSITIVE_INFINITY : (row.events.at(-1)?.hunk.step ?? -1);
}

/** Reads the commits that did to these rows, since the rejection, what it undid. */
async function entriesOf(
  { objects }: Context,
  { steps }: Weave,
  { step, added }: RejectedPlace,
  rows: readonly WovenRow[],
): Promise<TrailEntry[]> {
  const effect = added.length > 0 ? 'put in' : 'taken out';
  const events = rows.flatMap(row => row.events.filter(one => one.effect === effect && one.hunk.step > step));
  const found = [...new Set(events.map(({ hunk }) => hunk.step))].sort((a, b) => a - b);
  const entries = await Promise.all(found.map(at => readEntryOrNull(objects, steps[at]!.id)));
  return entries.filter(entry => entry !== null);
}

/**
 * True where a person did one of these with the engine, or committed it. A change from outside may be an agent's, unless it is
 * known here when agents are at work.
 */
async function isConsent(context: Context, entries: readonly TrailEntry[]): Promise<boolean> {
  const persons = entries.filter(isPersons);
  if (persons.some(({ meta }) => !isOutside(meta?.op))) return true;
  return persons.length > 0 && (await hearsOfAgents(context));
}
