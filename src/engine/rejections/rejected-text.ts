/**
 * The rejections that stand: those of which nobody has said since that their text may be there. A rejection ends, place by
 * place, when the person accepts the text, takes the rejection back, puts the text there, or commits it.
 */

import { isPersons } from '../../history/editors.ts';
import { readEntryOrNull } from '../../history/walk.ts';
import type { LineFile, LineFiles } from '../../line/files.ts';
import {
  bare,
  type LineSpan,
  lookAt,
  presentLines,
  type RejectedPlace,
  rejectedPlaces,
  saysSomething,
  timesRejected,
} from '../../line/rejected.ts';
import { lastText, putBy, type Row } from '../../line/row.ts';
import type { Weave } from '../../line/weave.ts';
import { isOutside } from '../../operations.ts';
import type { Context } from '../context.ts';
import { hearsOfAgents } from '../origins/event-folder.ts';
import { placeName, type Rejection } from './rejection-book.ts';

export interface StandingRejection {
  rejection: Rejection;
  place: RejectedPlace;
  /** The place's name in the book. */
  name: string;
}

export interface TextBack extends StandingRejection {
  /** Lines of the text; of lines that were taken out again, where they were. */
  span: LineSpan;
  /** The rows that are there again, or are gone again. */
  rows: readonly Row[];
}

/** Finds the places in a file whose rejections stand. `rejections`: all that are booked. */
export async function standingRejections(
  context: Context,
  { named }: Pick<LineFiles, 'named'>,
  { weave, names }: LineFile,
  rejections: readonly Rejection[],
): Promise<StandingRejection[]> {
  const found: StandingRejection[] = [];
  for (const rejection of rejections) {
    const event = named.get(rejection.commit);
    for (const [at, place] of event ? rejectedPlaces(weave, event).entries() : []) {
      const name = placeName(names[0]!, at);
      if (!rejection.ended.has(name) && !isCommitted(place) && !(await isConsented(context, place)))
        found.push({ rejection, place, name });
    }
  }
  return found;
}

/** True where HEAD came to hold the rejected text since. */
function isCommitted({ took, brought, event }: RejectedPlace): boolean {
  const isMoved = ({ headMoves }: Row): boolean => headMoves.some(at => at > event.at);
  return took.length > 0 ? took.every(isMoved) : brought.every(row => row.head === null && isMoved(row));
}

/** Finds in a text of the file what people rejected, and nobody who may do so put there. */
export function textsBack(standing: readonly StandingRejection[], weave: Weave): TextBack[] {
  const text = presentLines(weave);
  return standing.flatMap(one => {
    const { place } = one;
    const more = place.isDistinct ? timesRejected(place, text) - place.times : 0;
    if (more <= 0) return [];
    const { gap, runs } = lookAt(place, text);
    if (place.took.length === 0) return [{ ...one, span: gap, rows: place.brought }];
    const newest = ({ start, end }: LineSpan): number =>
      Math.max(...text.rows.slice(start, end).map(row => row.log.at(-1)!.event.at));
    const spans = [...runs].sort((a, b) => newest(b) - newest(a)).slice(0, more);
    return spans.map(span => ({ ...one, span, rows: text.rows.slice(span.start, span.end) }));
  });
}

/** True where a person did since what the rejection undid: in its rows, or with the same lines between those around them. */
async function isConsented(context: Context, place: RejectedPlace): Promise<boolean> {
  const { took, brought, event } = place;
  const isPut = took.length > 0;
  const own = (isPut ? took : brought).flatMap(({ log }) =>
    log.filter(flip => flip.event.at > event.at && (flip.text !== null) === isPut),
  );
  const again = isPut ? putAgain(place) : [];
  const commits = new Set([...own.map(flip => flip.event.id), ...again.map(row => putBy(row).id)]);
  const persons = new Set<string>();
  for (const commit of commits) if (await isConsent(context, commit)) persons.add(commit);
  if (own.some(flip => persons.has(flip.event.id))) return true;
  const isSaid = (row: Row): boolean => persons.has(putBy(row).id) || row.headMoves.length > 0;
  const said = new Set(again.filter(isSaid).map(row => bare(lastText(row))));
  return isPut && said.size > 0 && place.added.filter(saysSomething).every(line => said.has(line));
}

/** The rows that were put since between the lines around a place, and have one of its lines. */
function putAgain({ added, left, right, event }: RejectedPlace): Row[] {
  const wanted = new Set(added.filter(saysSomething));
  const found: Row[] = [];
  for (let row = left?.next ?? null; row && row !== right; row = row.next)
    if (row.log.length > 0 && putBy(row).at > event.at && wanted.has(bare(lastText(row)))) found.push(row);
  return found;
}

/**
 * True for what a person did with the engine, or committed. A change from outside may be an agent's, unless it is known here
 * when agents are at work.
 */
async function isConsent(context: Context, commit: string): Promise<boolean> {
  const entry = commit === '' ? null : await readEntryOrNull(context.objects, commit);
  if (!entry || !isPersons(entry)) return false;
  const isUnreject = entry.meta?.unrejects !== undefined;
  return isUnreject || !isOutside(entry.meta?.op) || hearsOfAgents(context);
}
