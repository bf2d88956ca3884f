/** Answers for a person, of commands that need no more: show, view, diff, blame, status, sessions, peers, and events as they come. */

import { gitName, shownName } from '../../../c-quote.ts';
import type { Answer } from '../../../engine/answer.ts';
import { editorWithModel, UNNAMED } from '../../../engine/editor-name.ts';
import { COUNTED } from '../../../engine/status/newest.ts';
import { statusWords } from '../../../engine/status/status-words.ts';
import type { SessionInfo, SessionsData } from '../../../engine/trails/sessions.ts';
import { failedCheckpointWords } from '../../../engine/transaction/journal/failed-checkpoint.ts';
import type { TrailEvent } from '../../../events/trail-event.ts';
import { isOutside, isRejection, saysReason } from '../../../operations.ts';
import type { BlameData, BlameLine } from '../../../queries/blame.ts';
import type { DiffData } from '../../../queries/diff/compare.ts';
import type { ShowData } from '../../../queries/log/history.ts';
import {
  awayWords,
  MANY_MISSING,
  NAMED,
  type StatusData,
  unexplainedCount,
} from '../../../queries/status.ts';
import type { PeersData } from '../../../sync/fetch/mirrors.ts';
import type { Call } from '../command.ts';
import { type Piece, styled, styleOf } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { columnsOf, cut, padded } from '../terminal/width.ts';
import { counted } from '../terminal/words.ts';
import { shortTrail } from './done.ts';
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

/** Prints each line with what wrote it. */
export async function showBlame(
  { terminal, options }: Call<BlameOptions>,
  { data }: Answer<BlameData>,
): Promise<void> {
  await terminal.page();
  await terminal.print(blamePieces(data.lines, options, terminal));
  await terminal.endPage();
  if (!data.recorded)
    await terminal.tell(`[${data.path} was changed, not through vedit: these are the recorded lines]`);
  if (data.fetch_may_know)
    await terminal.tell(
      '[some of these commits landed work of others: vedit fetch may bring who made it, and why]',
    );
}

interface Column {
  text(line: BlameLine): string;
  /** In columns of the terminal; a longer text ends with `..`. */
  most: number;
}

type BlameOptions = { short?: boolean };

/** The fewest columns in which a reason says anything, and the most that it takes in a line. */
const REASON = { least: 8, most: 72 };

/**
 * Draws each column as wide as its longest text, and leaves out a column without any. The reason has what the lines leave
 * of the terminal: it is cut first.
 */
function* blamePieces(
  lines: readonly BlameLine[],
  { short }: BlameOptions,
  terminal: Terminal,
): Generator<Piece> {
  const named = [
    { text: whoOf, most: 14 },
    { text: (line: BlameLine) => terminal.when(line.time), most: 30 },
  ];
  const columns = [{ text: (line: BlameLine) => line.commit.slice(0, 7), most: 7 }, ...(short ? [] : named)];
  const most = (size: (line: BlameLine) => number): number =>
    lines.reduce((so, line) => Math.max(so, size(line)), 0);
  const digits = String(most(({ line }) => line)).length;
  let abouts = aboutsOf(lines, columns);
  const taken = most(line => columnsOf(abouts.get(originOf(line))!)) + most(({ text }) => columnsOf(text));
  const left = terminal.room - taken - digits - 4;
  const why = ({ reason, op }: BlameLine): string => reason.split('\n')[0] || (op ?? '');
  if (left >= REASON.least)
    abouts = aboutsOf(lines, [...columns, { text: why, most: Math.min(left, REASON.most) }]);
  for (const line of lines) {
    const about = abouts.get(originOf(line))!;
    yield sessionOf(line) !== null ? styled(styleOf(whoOf(line)), about) : about;
    yield styled('dim', `${String(line.line).padStart(digits + 1)}) `);
    yield `${line.text}\n`;
  }
}

/** Makes what stands before a line, by where it comes from: of a million lines many have it in common. */
function aboutsOf(lines: readonly BlameLine[], columns: readonly Column[]): Map<string, string> {
  const origins = new Map<string, BlameLine>();
  for (const line of lines) origins.set(originOf(line), line);
  const abouts = new Map([...origins.keys()].map(origin => [origin, '']));
  for (const { text, most } of columns) {
    const texts = new Map([...origins].map(([origin, line]) => [origin, cut(text(line), most)]));
    const width = [...texts.values()].reduce((longest, one) => Math.max(longest, columnsOf(one)), 0);
    if (width === 0) continue;
    for (const [origin, one] of texts) abouts.set(origin, `${abouts.get(origin)}${padded(one, width)} `);
  }
  return abouts;
}

/** The commit and the file's path in it: all that the columns tell is the same for these. */
function originOf(line: BlameLine): string {
  return `${line.commit}${line.path ?? ''}`;
}

/** A change outside the engine is nobody's: the session that recorded it did not make it. */
function sessionOf(line: BlameLine): string | null {
  return isOutside(line.op) || isRejection(line.op) ? null : line.session;
}

function whoOf(line: BlameLine): string {
  return line.agent ?? line.author;
}

export function showStatus({ terminal }: Call, { data }: Answer<StatusData>): Promise<void> {
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
