/** One entry of the history, as people read it. */

import { editorName } from '../../../engine/editor-name.ts';
import { commentWords } from '../../../engine/rejections/comments.ts';
import { isBack, statusWords } from '../../../engine/status/status-words.ts';
import { isWayBack, isWork, saysReason } from '../../../operations.ts';
import type { LogEntry } from '../../../queries/log/history.ts';
import { dimmed, type Piece, styled, textOf } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { columnsOf, cut, endOf } from '../terminal/width.ts';
import { commentPieces } from './review-view.ts';

/** The columns that a reason has at least, and a path where there is a reason. */
const LEAST_REASON = 12;
const LEAST_PATH = 12;

/**
 * `1a2b3c4 3 hours ago fixer: str_replace src/a.ts (+1 -1): why (undone)`. Where that is too long, the counts go, then the
 * operation, then the beginning of the path, and the end of the reason last.
 */
export function onelinePieces(entry: LogEntry, terminal: Pick<Terminal, 'when' | 'room'>): Piece[] {
  const { commit, time, reason, status } = entry;
  const marks = markPieces(entry);
  const pieces: Piece[] = [
    styled('yellow', commit.slice(0, 7)),
    ' ',
    styled('dim', terminal.when(time)),
    ' ',
    styled('cyan', editorName(entry)),
  ];
  const [why = ''] = reason.split('\n');
  const left = terminal.room - columnsOf([...pieces, ...marks].map(textOf).join('')) - 2;
  const all = [...pieces, `: ${subjectAndReason(entry, why, left)}`, ...marks];
  return isBack(status) ? dimmed(all) : all;
}

function subjectAndReason({ subject, op }: LogEntry, why: string, columns: number): string {
  const [line = ''] = subject.split('\n');
  const isSaid = why === '' || saysReason(line, why);
  const shapes = shapesOf(line, op);
  const fitting = shapes
    .map(shape => (isSaid ? shape : `${shape}: ${why}`))
    .find(text => columnsOf(text) <= columns);
  if (fitting !== undefined) return fitting;
  if (isSaid) return shapes.length > 1 ? cutAtStart(shapes.at(-1)!, columns) : cut(line, columns);
  const least = Math.max(LEAST_PATH, columns - LEAST_REASON - 2);
  const shape = shapes.length > 1 ? cutAtStart(shapes.at(-1)!, least) : line;
  const left = columns - columnsOf(shape) - 2;
  return left < LEAST_REASON ? shape : `${shape}: ${cut(why, left)}`;
}

/** An edit's subject, and what it is without the counts and without the operation; of a way back only that says what it did. */
function shapesOf(line: string, op: string | null): string[] {
  const parts = isWork(op) ? /^(\S+) (.*) \(\+\d+ -\d+\)$/.exec(line) : null;
  if (!parts) return [line];
  const [, word, what] = parts as unknown as [string, string, string];
  return isWayBack(op) ? [line, `${word} ${what}`] : [line, `${word} ${what}`, what];
}

function cutAtStart(text: string, columns: number): string {
  return columnsOf(text) <= columns ? text : `..${endOf(text, columns - 2)}`;
}

function markPieces(entry: LogEntry): Piece[] {
  return [...statusWords(entry), ...commentWords(entry)].flatMap(words =>
    words.startsWith('landed') ? [' ', styled('green', `(${words})`)] : [` (${words})`],
  );
}

/** As `git log` shows a commit, with the agent and the session as well. */
export function entryPieces(entry: LogEntry, terminal: Pick<Terminal, 'when'>): Piece[] {
  const { commit, status, subject, reason } = entry;
  const fields = Object.entries(fieldsOf(entry, terminal)).filter(([, value]) => value !== null);
  const pieces: Piece[] = [
    styled('yellow', `commit ${commit}`),
    ...markPieces(entry),
    '\n',
    ...fields.map(([name, value]) => `${`${name}:`.padEnd(9)}${value}\n`),
    '\n',
    ...indented(messageOf(subject, reason)),
    ...(entry.comments ?? []).flatMap(one => ['\n', ...commentPieces(one, terminal)]),
  ];
  return isBack(status) ? dimmed(pieces) : pieces;
}

/** The subject, and what of the reason it does not say. */
function messageOf(subject: string, reason: string): string {
  const [first = '', ...more] = reason.split('\n');
  const rest = first !== '' && subject.startsWith(first) ? more.join('\n').trim() : reason;
  return rest === '' ? subject : `${subject}\n\n${rest}`;
}

function fieldsOf(entry: LogEntry, terminal: Pick<Terminal, 'when'>): Record<string, string | null> {
  const { author, agent, model, subagent, session, turn, base, time, parents, restores } = entry;
  const ids = (commits: readonly string[]): string | null =>
    commits.length > 0 ? commits.map(commit => commit.slice(0, 7)).join(' ') : null;
  return {
    Merge: parents.length > 1 ? ids(parents) : null,
    Author: agent === author ? null : author,
    Agent: agent && agentWords(agent, model, subagent),
    Session: session,
    Turn: turn,
    Tool: saysReason(entry.subject, entry.reason) ? entry.op : null,
    Base: base,
    Undoes: ids(entry.undoes),
    Redoes: ids(entry.redoes),
    Restores: restores && ids([restores]),
    Date: terminal.when(time),
  };
}

function agentWords(agent: string, model: string | null, subagent: string | null): string {
  const more = [model, subagent && `sub-agent ${subagent}`].filter(Boolean).join(', ');
  return more === '' ? agent : `${agent} (${more})`;
}

function indented(text: string): string[] {
  return text.split('\n').map(line => (line === '' ? '\n' : `    ${line}\n`));
}
