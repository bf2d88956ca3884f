/** log for a person, entry by entry as they are read; for a program one JSON object a line. */

import type { RefusalRecord } from '../../../engine/change/refusals.ts';
import { editorName } from '../../../engine/editor-name.ts';
import { commentWords } from '../../../engine/rejections/comments.ts';
import { isBack, statusWords } from '../../../engine/status/status-words.ts';
import { isWayBack, isWork, saysReason } from '../../../operations.ts';
import type { LogEntry } from '../../../queries/log/history.ts';
import type { LogOptions } from '../../../queries/read-options.ts';
import { type FilterOptions, filterOf } from '../../../table/options.ts';
import { UsageError } from '../../../table/use.ts';
import type { Session } from '../../../workspace/session.ts';
import { jsonLine } from '../answer.ts';
import type { Call } from '../command.ts';
import { type Engine, withEngine } from '../engine.ts';
import { EXIT } from '../exit-codes.ts';
import { namesIn } from '../input/names.ts';
import { dimmed, type Piece, styled, textOf } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { columnsOf, cut, endOf } from '../terminal/width.ts';
import { commentPieces } from './review-view.ts';
import { diffShower, type ShowDiff } from './shown-diff.ts';
import { statPieces } from './stat-view.ts';

type Options = FilterOptions & { [Name in 'turn' | 'author' | 'search' | 'op' | 'path']?: string } & {
  [Name in 'reverse' | 'oneline' | 'stat' | 'patch' | 'refusals' | 'word']?: boolean;
};

export function run(call: Call<Options>): Promise<number> {
  const work = async (engine: Engine): Promise<number> => {
    const options = await wanted(call, engine);
    const count = await printAll(call, engine, options);
    await call.terminal.endPage();
    if (count === 0 && !call.options.json) await call.terminal.tell(await noneWords(call, options));
    return EXIT.done;
  };
  return withEngine(call, work, { session: 'filters' });
}

/** `-5` and `-p5` as git reads them, and what comes after `--` as paths. */
export function rewrite(args: readonly string[]): string[] {
  const end = args.indexOf('--');
  const options = (end < 0 ? args : args.slice(0, end)).flatMap(one => {
    const [, patch, count] = /^-(p?)(\d+)$/.exec(one) ?? [];
    return count === undefined ? [one] : [...(patch ? ['-p'] : []), '-n', count];
  });
  const paths = end < 0 ? [] : args.slice(end + 1);
  return [...options, ...paths.flatMap(path => ['--path', path])];
}

/** One range of commits, or commit, and one path at most. Throws UsageError. */
async function wanted(call: Call<Options>, { workspace, place }: Engine): Promise<LogOptions> {
  const { path: option, turn, author, search, op, stat: stats, patch } = call.options;
  const names = await namesIn(call.args, { folder: call.folder, workspace });
  const [[revisions, further], [argument, more]] = [names.revisions, names.paths];
  const extra = further ?? more;
  if (extra !== undefined)
    throw new UsageError(`${JSON.stringify(extra)} is one too many: give one range of commits and one path`);
  if (option !== undefined && argument !== undefined)
    throw new UsageError('one path only: a folder, or a file');
  const path = place.scope(option ?? argument);
  return { ...filterOf(call.options), path, revisions, turn, author, search, op, stats, patch };
}

async function noneWords({ options }: Call<Options>, wanted: LogOptions): Promise<string> {
  const { noEntries } = await import('../../../queries/log/history.ts');
  if (options.refusals) return 'No refusal was kept that fits; --record-refusals keeps them.';
  return noEntries(wanted);
}

/** The most entries that are printed at once; the first ones come one by one. */
const AT_ONCE = 256;

async function printAll(call: Call<Options>, { session }: Engine, wanted: LogOptions): Promise<number> {
  const { terminal, options } = call;
  const showDiff: ShowDiff = options.patch ? await diffShower(terminal, options.word) : () => [];
  const found = options.refusals ? await refusalsOf(session, wanted) : session.entries(wanted);
  const waiting: Array<Iterable<Piece>> = [];
  let [count, most] = [0, 1];
  try {
    for await (const one of options.reverse ? reversed<Shown>(found) : found) {
      if (count === 0 && !options.json) await terminal.page();
      waiting.push(shownEntry(call, one, showDiff, count++ === 0));
      if (waiting.length < most) continue;
      await terminal.print(...waiting.splice(0));
      most = Math.min(most * 2, AT_ONCE);
    }
  } finally {
    await terminal.print(...waiting);
  }
  return count;
}

type Shown = LogEntry | RefusalRecord;

function refusalsOf(session: Session, wanted: LogOptions): Promise<RefusalRecord[]> {
  const { path, session: id, agent, op, since, limit } = wanted;
  return session.refusals({ path, session: id, agent, op, since, limit });
}

/** Yields all entries, the oldest first: they are read to the end before. */
async function* reversed<T>(newest: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T> {
  const all: T[] = [];
  for await (const one of newest) all.push(one);
  yield* all.reverse();
}

/** Shows an entry and its changes; of a commit that joins two histories git shows none either. */
function* shownEntry(
  call: Call<Options>,
  entry: Shown,
  showDiff: ShowDiff,
  isFirst: boolean,
): Generator<Piece> {
  const {
    options: { json, oneline },
    terminal,
  } = call;
  if (json) return yield jsonLine(entry);
  if ('code' in entry) return yield* refusalPieces(entry, call);
  if (!isFirst && !oneline) yield '\n';
  const { stats = [], diff } = entry;
  const gap = oneline ? '' : '\n';
  if (oneline) yield* [...onelinePieces(entry, terminal), '\n'];
  else yield* entryPieces(entry, terminal);
  if (stats.length > 0) yield* [gap, ...statPieces(stats, terminal.columns, terminal.quotePath)];
  if (!diff) return;
  yield gap;
  yield* showDiff(diff);
}

function refusalPieces(one: RefusalRecord, { options: { oneline }, terminal }: Call<Options>): Piece[] {
  const who = one.agent ?? one.session;
  const [first = '', ...more] = one.message.split('\n');
  const what = one.path === null ? one.op : `${one.op} ${one.path}`;
  if (oneline) return [styled('red', one.code), ` ${what}: ${first}\n`];
  const head = [styled('red', one.code), ` ${what}, `, styled('cyan', who), `, ${terminal.when(one.time)}`];
  return [...head, '\n', ...[first, ...more].flatMap(line => ['    ', line, '\n'])];
}

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
