/** One entry of the history, as people read it. */

import type { LogEntry } from '../../workspace/history.ts';
import { type Piece, styled } from './style.ts';

/** `1a2b3c4 str_replace src/a.ts (+1 -1) (undone)` */
export function onelinePieces({ commit, subject, undone }: LogEntry): Piece[] {
  return [
    styled('yellow', commit.slice(0, 7)),
    ` ${subject}`,
    ...(undone ? [styled('dim', ' (undone)')] : []),
    '\n',
  ];
}

/** As `git log` shows a commit, with the agent and the session as well. */
export function entryPieces(entry: LogEntry): Piece[] {
  const { commit, undone, subject, reason } = entry;
  const fields = Object.entries(fieldsOf(entry)).filter(([, value]) => value !== null);
  return [
    styled('yellow', `commit ${commit}`),
    ...(undone ? [styled('dim', ' (undone)')] : []),
    '\n',
    ...fields.map(([name, value]) => `${`${name}:`.padEnd(9)}${value}\n`),
    '\n',
    ...indented(reason === '' ? subject : `${subject}\n\n${reason}`),
  ];
}

function fieldsOf(entry: LogEntry): Record<string, string | null> {
  const { author, agent, model, session, base, time } = entry;
  return {
    Author: agent === author ? null : author,
    Agent: agent && (model ? `${agent} (${model})` : agent),
    Session: session,
    Base: base,
    Date: localTime(new Date(time)),
  };
}

/** `2026-11-20 15:04:05 +0100` */
export function localTime(time: Date): string {
  const minutes = -time.getTimezoneOffset();
  const two = (number: number): string => String(Math.floor(number)).padStart(2, '0');
  const zone = `${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}${two(Math.abs(minutes) % 60)}`;
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-');
  return `${day} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':')} ${zone}`;
}

function indented(text: string): string[] {
  return text.split('\n').map(line => (line === '' ? '\n' : `    ${line}\n`));
}
