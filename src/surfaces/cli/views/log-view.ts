/** One entry of the history, as people read it. */

import { editorName } from '../../../workspace/editor-name.ts';
import type { LogEntry } from '../../../workspace/queries/log/history.ts';
import { dimmed, type Piece, styled, textOf } from '../terminal/style.ts';
import { columnsOf, startOf } from '../terminal/width.ts';
import { localMinute, localTime } from './time-view.ts';

/** The columns that a reason has at least. */
const LEAST_REASON = 12;

/** `1a2b3c4 2026-11-20 15:04 fixer: str_replace src/a.ts (+1 -1): why (undone)`; the reason gives way to `columns`. */
export function onelinePieces(entry: LogEntry, columns: number): Piece[] {
  const { commit, time, subject, reason, undone, taken_back } = entry;
  const marks = markPieces(entry);
  const pieces: Piece[] = [
    styled('yellow', commit.slice(0, 7)),
    ' ',
    styled('dim', localMinute(new Date(time))),
    ' ',
    styled('cyan', editorName(entry)),
    `: ${subject.split('\n')[0]}`,
  ];
  const [why = ''] = reason.split('\n');
  const left = why === '' ? 0 : columns - columnsOf([...pieces, ...marks].map(textOf).join('')) - 2;
  if (left >= LEAST_REASON) pieces.push(`: ${cut(why, left)}`);
  const all = [...pieces, ...marks];
  return undone || taken_back ? dimmed(all) : all;
}

function cut(text: string, columns: number): string {
  return columnsOf(text) <= columns ? text : `${startOf(text, columns - 2)}..`;
}

/** `(landed 5e6f7a8)` names the branch's commit, where that is another one. */
function markPieces(entry: LogEntry): Piece[] {
  const { commit, undone, landed, taken_back, put_aside, sets_aside = [] } = entry;
  const aside = [...new Set(sets_aside.map(one => one.commit.slice(0, 7)))].join(', ');
  const where = landed === null || landed === commit ? '' : ` ${landed.slice(0, 7)}`;
  return [
    ...(undone ? [' (undone)'] : []),
    ...(taken_back ? [' (taken back by hand)'] : []),
    ...(put_aside ? [` (put aside by ${put_aside.map(one => one.slice(0, 7)).join(', ')})`] : []),
    ...(aside === '' ? [] : [` (puts aside ${aside})`]),
    ...(landed === null ? [] : [' ', styled('green', `(landed${where})`)]),
  ];
}

/** As `git log` shows a commit, with the agent and the session as well. */
export function entryPieces(entry: LogEntry): Piece[] {
  const { commit, undone, subject, reason } = entry;
  const fields = Object.entries(fieldsOf(entry)).filter(([, value]) => value !== null);
  const pieces: Piece[] = [
    styled('yellow', `commit ${commit}`),
    ...markPieces(entry),
    '\n',
    ...fields.map(([name, value]) => `${`${name}:`.padEnd(9)}${value}\n`),
    '\n',
    ...indented(reason === '' ? subject : `${subject}\n\n${reason}`),
  ];
  return undone ? dimmed(pieces) : pieces;
}

function fieldsOf(entry: LogEntry): Record<string, string | null> {
  const { author, agent, model, session, base, time, parents, restores } = entry;
  const ids = (commits: readonly string[]): string | null =>
    commits.length > 0 ? commits.map(commit => commit.slice(0, 7)).join(' ') : null;
  return {
    Merge: parents.length > 1 ? ids(parents) : null,
    Author: agent === author ? null : author,
    Agent: agent && (model ? `${agent} (${model})` : agent),
    Session: session,
    Base: base,
    Undoes: ids(entry.undoes),
    Redoes: ids(entry.redoes),
    Restores: restores && ids([restores]),
    Date: localTime(new Date(time)),
  };
}

function indented(text: string): string[] {
  return text.split('\n').map(line => (line === '' ? '\n' : `    ${line}\n`));
}
