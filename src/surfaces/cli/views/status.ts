/** status for a person. */

import { gitName } from '../../../c-quote.ts';
import type { Answer } from '../../../engine/answer.ts';
import { COUNTED } from '../../../engine/status/newest.ts';
import { statusWords } from '../../../engine/status/status-words.ts';
import { failedCheckpointWords } from '../../../engine/transaction/journal/failed-checkpoint.ts';
import {
  awayWords,
  MANY_MISSING,
  NAMED,
  type StatusData,
  unexplainedCount,
} from '../../../queries/status.ts';
import type { Call } from '../command.ts';
import { type Piece, styled } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { shortTrail } from './done.ts';

export function show({ terminal }: Call, { data }: Answer<StatusData>): Promise<void> {
  return terminal.print(...statusPieces(data, terminal));
}

function statusPieces(data: StatusData, terminal: Terminal): Piece[] {
  const { quotePath } = terminal;
  return [
    `History ${shortTrail(data.trail)}, ${data.checked_out ? 'which is the checked-out branch' : 'beside your branch'}\n`,
    ...newestPieces(data, terminal),
    ...(data.behind_head ? ['Your branch moved since; the next edit takes its commits in\n'] : []),
    ...leftPieces(data),
    ...outsidePieces(data, quotePath),
    ...unexplainedPieces(data, quotePath),
    ...noticePieces(data),
  ];
}

function newestPieces({ last }: StatusData, terminal: Terminal): Piece[] {
  if (!last) return ['Nothing was edited yet\n'];
  const became = statusWords(last).map(words => `, ${words}`);
  const about = ` (${last.agent ?? last.author}, ${terminal.when(last.time)}${became.join('')})\n`;
  const [subject] = last.subject.split('\n');
  return ['Newest: ', styled('yellow', last.commit.slice(0, 7)), ` ${subject}`, styled('dim', about)];
}

/** Shows what is open, which what was taken out by hand is as well, though no landing takes it. */
function leftPieces(data: StatusData): Piece[] {
  const { left, left_more: more, taken_back: takenBack, away } = data;
  const open = `${more ? 'At least ' : ''}${left} ${left === 1 ? 'edit is' : 'edits are'} open: not on your branch (vedit land)\n`;
  const back = `${takenBack} ${takenBack === 1 ? 'edit was' : 'edits were'} taken out by hand (vedit log)\n`;
  const cut = `Only the newest ${COUNTED} commits of the history were looked at (vedit log tells of all)\n`;
  return [
    ...(left > 0 ? [open] : []),
    ...(takenBack > 0 ? [back] : []),
    ...(away.length > 0 ? [`${awayWords(data)}\n`] : []),
    ...(more ? [cut] : []),
  ];
}

function outsidePieces({ outside, checked_paths: count }: StatusData, quotePath: boolean): Piece[] {
  if (count === 0) return [];
  if (outside.length === 0)
    return [`Nothing but vedit changed the ${count === 1 ? 'file' : `${count} files`} looked at\n`];
  return [
    '\nChanged, not through vedit; recorded first when an edit needs the file (vedit diff --outside):\n',
    ...changePieces(outside, quotePath),
  ];
}

function unexplainedPieces(data: StatusData, quotePath: boolean): Piece[] {
  const { unexplained, unexplained_more: more } = data;
  if (unexplained.length === 0 && !more) return [];
  const left = unexplained.length - NAMED;
  return [
    `\n${unexplainedCount(data)} (git status):\n`,
    ...changePieces(unexplained.slice(0, NAMED), quotePath),
    ...(left > 0 ? [`  and ${left} more\n`] : []),
  ];
}

function changePieces(changes: StatusData['outside'], quotePath: boolean): Piece[] {
  return changes.flatMap(({ path, kind, unreadable }) => [
    styled('red', `  ${`${kind}:`.padEnd(10)}${gitName(path, quotePath)}`),
    unreadable ? ` (cannot be read: ${unreadable})\n` : '\n',
  ]);
}

function noticePieces(data: StatusData): Piece[] {
  const { missing, interrupted, locked_by: holder } = data;
  const pieces: Piece[] = [];
  const notice = (text: string): unknown => pieces.push('\n', styled('yellow', text), '\n');
  if (missing >= MANY_MISSING)
    notice(
      `${missing} files of the history are gone, or as HEAD has them: vedit restore --missing brings them back (-n shows them)`,
    );
  for (const { message } of data.set_aside) notice(message);
  if (data.unsettled) notice(failedCheckpointWords(data.unsettled));
  if (data.packs_add_up !== null) notice(`Packs add up: ${data.packs_add_up}`);
  if (interrupted) notice('An edit was interrupted; the next edit finishes it or takes it back');
  if (holder) notice(`An edit is being made by process ${holder.pid} on ${holder.host}`);
  return pieces;
}
