/** log for a person, entry by entry as they are read; for a program one JSON object a line. */

import type { RefusalRecord } from '../../../engine/change/refusals.ts';
import type { LogEntry } from '../../../queries/log/history.ts';
import type { LogOptions } from '../../../queries/read-options.ts';
import { type FilterOptions, filterOf } from '../../../table/options.ts';
import { UsageError } from '../../../table/usage.ts';
import type { Call } from '../command.ts';
import { type Engine, withEngine } from '../engine.ts';
import { EXIT } from '../exit-codes.ts';
import { namesIn } from '../input/names.ts';
import { type Piece, styled } from '../terminal/style.ts';
import { jsonLine } from './answer.ts';
import { entryPieces, onelinePieces } from './log-view.ts';
import { diffShower, type ShowDiff } from './shown-diff.ts';
import { statPieces } from './stat-view.ts';

type Options = FilterOptions & { [Name in 'turn' | 'author' | 'search' | 'op' | 'path']?: string } & {
  [Name in 'reverse' | 'oneline' | 'stat' | 'patch' | 'refusals' | 'word']?: boolean;
};

export function run(call: Call<Options>): Promise<number> {
  const work = async (engine: Engine): Promise<number> => {
    const options = await wanted(call, engine);
    const count = await (call.options.refusals ? printRefusals : printAll)(call, engine, options);
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

async function printRefusals(call: Call<Options>, engine: Engine, wanted: LogOptions): Promise<number> {
  const { options, terminal } = call;
  const { path, session, agent, op, since, limit } = wanted;
  const found = await engine.session.refusals({ path, session, agent, op, since, limit });
  for (const one of options.reverse ? found.reverse() : found) {
    if (!options.json) await terminal.page();
    await terminal.print(...(options.json ? [jsonLine(one)] : refusalPieces(one, call)));
  }
  return found.length;
}

async function printAll(call: Call<Options>, { session }: Engine, wanted: LogOptions): Promise<number> {
  const { terminal, options } = call;
  const showDiff: ShowDiff = options.patch ? await diffShower(terminal, options.word) : () => [];
  const newest = session.entries(wanted);
  let count = 0;
  try {
    for await (const one of options.reverse ? reversed(newest) : newest) {
      const isFirst = count++ === 0;
      if (isFirst && !options.json) await terminal.page();
      const printing = terminal.printSoon(shownEntry(call, one, showDiff, isFirst));
      if (printing) await printing;
    }
  } finally {
    await terminal.flush();
  }
  return count;
}

/** Yields all entries, the oldest first: they are read to the end before. */
async function* reversed<T>(newest: AsyncIterable<T>): AsyncGenerator<T> {
  const all: T[] = [];
  for await (const one of newest) all.push(one);
  yield* all.reverse();
}

/** Shows an entry and its changes; of a commit that joins two histories git shows none either. */
function* shownEntry(
  { options: { json, oneline }, terminal }: Call<Options>,
  entry: LogEntry,
  showDiff: ShowDiff,
  isFirst: boolean,
): Generator<Piece> {
  if (json) return yield jsonLine(entry);
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
