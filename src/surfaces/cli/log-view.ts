/** One entry of the history, as people read it. */

import type { LogEntry } from '../../workspace/reading/history.ts';
import { dimmed, type Piece, styled } from './style.ts';
import { localTime } from './time-view.ts';

/** `1a2b3c4 str_replace src/a.ts (+1 -1) (undone)` */
export function onelinePieces(entry: LogEntry): Piece[] {
  const { commit, subject, undone, taken_back } = entry;
  const pieces = [styled('yellow', commit.slice(0, 7)), ` ${subject.split('\n')[0]}`, ...markPieces(entry)];
  return undone || taken_back ? dimmed(pieces) : pieces;
}

/** `(landed 5e6f7a8)` names the branch's commit, where that is another one. */
function markPieces({ commit, undone, landed, taken_back }: LogEntry): Piece[] {
  const where = landed === null || landed === commit ? '' : ` ${landed.slice(0, 7)}`;
  return [
    ...(undone ? [' (undone)'] : []),
    ...(taken_back ? [' (taken back by hand)'] : []),
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
