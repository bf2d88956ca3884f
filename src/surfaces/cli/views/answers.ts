/** Answers for a person, of commands that need no more: show, view, diff, sessions, peers, and events as they come. */

import { shownName } from '../../../c-quote.ts';
import type { Answer } from '../../../engine/answer.ts';
import { editorWithModel, UNNAMED } from '../../../engine/editor-name.ts';
import type { SessionInfo, SessionsData } from '../../../engine/trails/sessions.ts';
import type { TrailEvent } from '../../../events/trail-event.ts';
import { saysReason } from '../../../operations.ts';
import type { DiffData } from '../../../queries/diff/compare.ts';
import type { ShowData } from '../../../queries/log/history.ts';
import type { PeersData } from '../../../sync/fetch/mirrors.ts';
import type { Call } from '../command.ts';
import { type Piece, styled } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { columnsOf, padded } from '../terminal/width.ts';
import { counted } from '../terminal/words.ts';
import { entryPieces } from './log.ts';
import { type ChangeOptions, shownChange } from './shown-diff.ts';

export async function showSessions(
  { terminal }: Call,
  { message, data: { sessions } }: Answer<SessionsData>,
): Promise<void> {
  if (sessions.length === 0) return terminal.tell(message);
  await terminal.page();
  await terminal.print(sessionPieces(sessions, terminal));
}

/** A line for each session, its columns as wide as they need to be. */
function sessionPieces(list: readonly SessionInfo[], terminal: Terminal): Piece[] {
  const rows = list.map(one => [one.session, editorWithModel(one), timesOf(one, terminal)] as const);
  const [id, who, times] = [0, 1, 2].map(at => Math.max(0, ...rows.map(row => columnsOf(row[at]!))));
  return list.flatMap(({ edits, open }, at) => [
    styled('yellow', padded(rows[at]![0], id!)),
    '  ',
    styled('cyan', padded(rows[at]![1], who!)),
    `  ${padded(rows[at]![2], times!)}  ${counted(edits, 'edit')}`,
    ...(open > 0 ? [', ', styled('bold', `${open} not landed`)] : []),
    '\n',
  ]);
}

function timesOf({ first, last }: SessionInfo, terminal: Terminal): string {
  const [from, to] = [terminal.when(first), terminal.when(last)];
  return from === to ? from : `${from} to ${to}`;
}

export async function showPeers(
  { terminal }: Call,
  { message, data: { peers: list } }: Answer<PeersData>,
): Promise<void> {
  if (list.length === 0) await terminal.tell(message);
  const width = Math.max(0, ...list.map(one => columnsOf(one.name)));
  for (const { name, head, last, subject } of list) {
    const id = styled('yellow', head.slice(0, 7));
    await terminal.print(padded(name, width), ' ', id, ` ${terminal.when(last)}  ${subject}\n`);
  }
}

/** `1a2b3c4 3 hours ago vedit/main fixer: refuse expired tokens (src/a.ts)` */
export function eventPieces(
  { kind, commit, time, trail, subject, reason, ...who }: TrailEvent,
  terminal: Terminal,
): Piece[] {
  if (kind === 'following') return [];
  const { agent, session, person, code } = who;
  const [why = ''] = reason.split('\n');
  return [
    styled('yellow', (commit ?? '-').slice(0, 7).padEnd(7)),
    ' ',
    styled('dim', terminal.when(time)),
    ' ',
    styled('green', code ?? trail ?? '-'),
    ' ',
    ...(kind === 'deleted' || kind === 'rewound'
      ? []
      : [styled('cyan', agent ?? person ?? session ?? UNNAMED), ': ']),
    subject.split('\n')[0]!,
    ...(why === '' || saysReason(subject, why) ? [] : [`: ${why}`]),
    '\n',
  ];
}

export async function showEntry(
  { terminal, options }: Call<ChangeOptions>,
  { data: { diff, stats, ...entry } }: Answer<ShowData>,
): Promise<void> {
  const change = await shownChange(diff, stats, terminal, options);
  await terminal.page();
  await terminal.print(entryPieces(entry, terminal), ...(diff === '' ? [] : ['\n', change]));
}

type Shown =
  | { entries: string[] }
  | { from: number; to: number; lines: number; outline?: readonly unknown[] };

/** Prints a view: the lines or entries, with which the message begins, and apart from them the rest, which is about them. */
export async function showView({ terminal }: Call, { message, data: shown }: Answer<Shown>): Promise<void> {
  const isFolder = 'entries' in shown;
  const parts = message.split('\n').filter(line => !isFolder || line !== '');
  const count = isFolder ? shown.entries.length : (shown.outline?.length ?? linesShown(shown));
  await terminal.page();
  const own = isFolder
    ? shown.entries.map(entry => [shownName(entry)])
    : parts.slice(0, count).map(numberedPieces);
  for (const pieces of own) await terminal.print(...pieces, '\n');
  await terminal.endPage();
  for (const notice of parts.slice(count)) await terminal.tell(notice);
}

function linesShown({ from, to, lines }: { from: number; to: number; lines: number }): number {
  return lines === 0 ? 0 : to - from + 1;
}

function numberedPieces(line: string): Piece[] {
  const tab = line.indexOf('\t') + 1;
  return [styled('dim', line.slice(0, tab)), line.slice(tab)];
}

export async function showDiff(
  { terminal, options }: Call<ChangeOptions>,
  { data, message }: Answer<DiffData>,
): Promise<void> {
  if (data.diff === '' && !data.unreadable?.length) return terminal.tell(message);
  await terminal.page();
  await terminal.print(await shownChange(data.diff, data.paths, terminal, options));
  await terminal.endPage();
  for (const { path, code } of data.unreadable ?? [])
    await terminal.tell(`${path} changed, and cannot be read: ${code}`);
}
