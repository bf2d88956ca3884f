/** The accepted text of a file, as rows: the text of a mark, placed among the rows that there were. */

import { align, type Token } from '../text/diff/alignment.ts';
import { changesOf } from '../text/diff/line-diff.ts';
import { isAgents, isPersons, type LineEvent } from './event.ts';
import { byOf, isIn, putBy, type Row, textOf } from './row.ts';
import type { Weave } from './weave.ts';

/** The text that a reviewer accepted, at a commit of the history; what people did since, and HEAD, is accepted beside it. */
export interface Mark {
  /** Where the history has it no more, it is as if it was the newest. */
  at: string;
  /** The accepted text of a file that had these names, as rows. */
  rows(names: readonly string[]): Promise<readonly Token[]>;
}

/** Makes the accepted text of a file what a mark says: rows that the file has, or had there. */
export function placeAccepted(weave: Weave, text: readonly Token[]): void {
  const { live, list } = weave;
  const { to } = align(weave.text, text, at => live[at]!.accepted !== null);
  const changes = changesOf(to, text.length);
  const gone = changes.map(({ oldStart, oldEnd, newStart, newEnd }) => {
    const rows = list.between(live[oldStart - 1] ?? null, live[oldEnd] ?? null);
    return { rows, put: text.slice(newStart, newEnd) };
  });
  for (const row of weave.rows()) row.accepted = null;
  for (const [at, row] of live.entries()) if (to[at]! >= 0) row.accepted = textOf(row);
  for (const { rows, put } of gone) placeAmong(rows, put);
}

/** Finds lines among rows that are out, or that a formatter gave another text since: the newest one that a row had. */
function placeAmong(rows: readonly Row[], put: readonly Token[]): void {
  if (put.length === 0) return;
  const wanted = new Set(put);
  const texts = rows.map(
    ({ log }, at) => log.findLast(({ text }) => text !== null && wanted.has(text))?.text ?? `\0${at}`,
  );
  const { to } = align(texts, put);
  for (const [at, row] of rows.entries()) if (to[at]! >= 0) row.accepted = texts[at]!;
}

/**
 * Accepts what the file has, or lost, as HEAD. `isByCommand`: not what HEAD got last at such a place of the line. Of what HEAD
 * never had, it says nothing.
 */
export function acceptHead(weave: Weave, isByCommand: (at: number) => boolean): void {
  for (const row of weave.rows()) {
    if (row.head !== textOf(row) || (row.head === null && row.headMoves.length === 0)) continue;
    if (isByCommand(row.headMoves.at(-1) ?? -1)) continue;
    row.beforeHead = row.accepted;
    row.accepted = row.head;
  }
}

/** Accepts what a rejection left: it is as the person wants it. */
export function settle(weave: Weave, event: LineEvent): void {
  for (const row of weave.rows()) {
    if (row.log.at(-1)?.event.id !== event.id) continue;
    const put = putBy(row);
    if (isIn(row)) row.accepted = textOf(row);
    else if (put.at >= 0 && isPersons(put)) row.accepted = null;
  }
}

/** The accepted text, as rows. `isLate`: of these events, the newest ones, nothing is accepted yet. */
export function acceptedText(weave: Weave, isLate?: (event: LineEvent) => boolean): Token[] {
  return weave.rows().flatMap(row => (isLate ? acceptedBefore(row, isLate) : row.accepted) ?? []);
}

function acceptedBefore({ log, accepted }: Row, isLate: (event: LineEvent) => boolean): Token | null {
  if (log[0] && isLate(log[0].event)) return null;
  const first = log.find(flip => isLate(flip.event) && flip.accepted !== undefined);
  return first ? first.accepted! : accepted;
}

/** Finds whose doing it is that a row is not as it was accepted: an agent's, where there is one that did it. */
export function doerOf(row: Row): LineEvent {
  const isHere = isIn(row);
  if (isHere && row.accepted === null && isAgents(putBy(row))) return putBy(row);
  const flips = row.log.filter(({ text }) => (text !== null) === isHere);
  return byOf(flips.findLast(flip => isAgents(byOf(flip))) ?? flips.at(-1)!);
}
