/** log: the edits, newest first, read no further than they are looked at. */

import type { RefusalRecord } from '../../../engine/change/refusals.ts';
import type { LogEntry } from '../../../queries/log/history.ts';
import type { GraphEntry } from '../../../queries/log/log-graph.ts';
import type { LogOptions } from '../../../queries/read-options.ts';
import { type Call, type CliCommand, defineCommand, type OptionsOf } from '../command.ts';
import { type Engine, withEngine } from '../engine.ts';
import { EXIT } from '../exit-codes.ts';
import { namesIn } from '../input/names.ts';
import { filterOf, filterOnly, filterOptions, turnOption, wordOptions } from '../input/options.ts';
import { UsageError } from '../input/usage.ts';
import { linesOfPieces, type Piece, styled } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { Graph, glyphOf } from '../views/graph.ts';
import { jsonLine } from '../views/json.ts';
import { entryPieces, onelinePieces } from '../views/log-view.ts';
import { porcelainEntry, porcelainOption } from '../views/porcelain.ts';
import { shownDiff } from '../views/shown-diff.ts';
import { statPieces } from '../views/stat-view.ts';
import { localTime } from '../views/time-view.ts';

const options = [
  ...filterOptions,
  turnOption,
  ['--author <text>', 'only those whose author’s name or address holds this'],
  ['-S, --search <text>', 'only those that put this text in, or took it out'],
  ['--op <name>', 'only edits of this kind, such as str_replace'],
  ['--path <path>', 'only edits of this file or folder'],
  ['--reverse', 'the oldest of them first'],
  ['--oneline', 'one line each: when, who, what, where and why'],
  ['--graph', 'draw how the edits follow each other, and what came from people'],
  ['--stat', 'with how much changed in which file'],
  ['-p, --patch', 'with the diffs'],
  ['--refusals', 'what was refused instead, where --record-refusals kept it'],
  porcelainOption,
  ...wordOptions,
] as const;

type Options = OptionsOf<typeof options>;

export const command: CliCommand = defineCommand({
  details:
    'The graph has agents’ edits on the left, and what came from people to the right of them: commits of the branch that a ' +
    'history took in, and changes not through vedit that the next edit recorded. @ is where the history stands, o an edit, ' +
    'x one that is undone, < a way back, > a redo, + an outside change, * a commit made with git. ' +
    'What landed names the commit of the branch that says so.',
  arguments: [
    [
      '[revisions]',
      'only those after one commit and up to another, as main..@ or ~5..; or up to one',
      'commit',
    ],
    ['[path]', 'only edits of this file or folder; after -- a path may be named as a commit is', 'file'],
  ],
  rewrite: spelled,
  options,
  examples: [
    ['vedit log --oneline -5', 'as -n 5'],
    ['vedit log --graph --oneline', 'the picture'],
    ['vedit log src/auth.ts -p', 'every edit of a file'],
    ['vedit log ~3..', 'the newest three'],
    ['vedit log -S parseToken', 'what put it in or took it out'],
    ['vedit log --agent reviewer --since "2 hours ago" --stat', ''],
    ['vedit log --turn latest --oneline', 'what an agent did for the last prompt'],
    ['vedit log --json | jq -r .subject', 'one JSON object a line'],
    ['vedit log --refusals --oneline', 'what agents tried in vain'],
  ],
  run: call =>
    withEngine(filterOnly(call), async engine => {
      const { reverse, graph, porcelain, refusals } = call.options;
      if (porcelain && (graph || refusals))
        throw new UsageError('--porcelain is for the list of edits: leave --graph and --refusals out');
      if (reverse && graph)
        throw new UsageError('a graph is drawn from the newest commit down: leave --reverse or --graph out');
      const options = await wanted(call, engine);
      const count = await (refusals ? printRefusals : printAll)(call, engine, options);
      await call.terminal.endPage();
      if (count === 0 && !call.options.json && !porcelain)
        await call.terminal.tell(await noneWords(call, options));
      for (const one of await engine.session.elsewhere()) await call.terminal.tell(`note: ${one.message}`);
      return EXIT.done;
    }),
});

/** `-5` and `-p5` as git reads them, and what comes after `--` as paths. */
function spelled(args: readonly string[]): string[] {
  const end = args.indexOf('--');
  const options = (end < 0 ? args : args.slice(0, end)).flatMap(one => {
    const [, patch, count] = /^-(p?)(\d+)$/.exec(one) ?? [];
    return count === undefined ? [one] : [...(patch ? ['-p'] : []), '-n', count];
  });
  const paths = end < 0 ? [] : args.slice(end + 1);
  return [...options, ...paths.flatMap(path => ['--path', path])];
}

async function wanted(call: Call<Options>, engine: Engine): Promise<LogOptions> {
  const { path: option, turn, author, search, op, stat: stats, patch } = call.options;
  const { revisions, path: argument } = await named(call, engine);
  if (option !== undefined && argument !== undefined)
    throw new UsageError('one path only: a folder, or a file');
  const path = engine.place.scope(option ?? argument);
  return { ...filterOf(call.options), path, revisions, turn, author, search, op, stats, patch };
}

/** One range of commits, or commit, and one path at most. Throws UsageError. */
async function named(
  { args, folder }: Call<Options>,
  { workspace }: Engine,
): Promise<{ revisions: string | undefined; path: string | undefined }> {
  const { revisions, paths } = await namesIn(args, { folder, workspace });
  const extra = revisions[1] ?? paths[1];
  if (extra !== undefined)
    throw new UsageError(`${JSON.stringify(extra)} is one too many: give one range of commits and one path`);
  return { revisions: revisions[0], path: paths[0] };
}

async function noneWords({ options }: Call<Options>, wanted: LogOptions): Promise<string> {
  const { noEntries } = await import('../../../queries/log/history.ts');
  if (options.refusals) return 'No refusal was kept that fits; --record-refusals keeps them.';
  return noEntries(wanted);
}

async function printRefusals(
  { options, terminal }: Call<Options>,
  engine: Engine,
  wanted: LogOptions,
): Promise<number> {
  const { path, session, agent, op, since, limit } = wanted;
  const found = await engine.session.refusals({ path, session, agent, op, since, limit });
  for (const one of options.reverse ? found.reverse() : found) {
    if (!options.json) await terminal.page();
    await terminal.print(...(options.json ? [jsonLine(one)] : refusalPieces(one, options.oneline ?? false)));
  }
  return found.length;
}

async function printAll(call: Call<Options>, { session }: Engine, options: LogOptions): Promise<number> {
  const graph = call.options.graph ? new Graph() : null;
  const newest: AsyncIterable<LogEntry | GraphEntry> = graph
    ? session.lanes(options)
    : session.entries(options);
  const entries = call.options.reverse ? reversed(newest) : newest;
  const { terminal } = call;
  let count = 0;
  try {
    for await (const one of entries) {
      if (count++ === 0 && !call.options.json && !call.options.porcelain) await terminal.page();
      const shown = shownEntry(call, one, graph, count > 1);
      const printing = terminal.printSoon(shown instanceof Promise ? await shown : shown);
      if (printing) await printing;
    }
  } finally {
    await terminal.flush();
  }
  return count;
}

/** Without a wait where nothing is asked for with the entry. */
function shownEntry(
  call: Call<Options>,
  one: LogEntry | GraphEntry,
  graph: Graph | null,
  isLater: boolean,
): Iterable<Piece> | Promise<Iterable<Piece>> {
  const shown = 'entry' in one ? one : null;
  const entry = 'entry' in one ? one.entry : one;
  if (call.options.porcelain) return [porcelainEntry(entry)];
  if (call.options.json) return [jsonLine(shown ? { ...entry, lane: shown.lane } : entry)];
  const gap = isLater && !call.options.oneline;
  if (graph) return graphPieces(call, graph, shown!, gap);
  const before = gap ? ['\n'] : [];
  if (!entry.stats && !entry.diff) return [...before, ...headPieces(call, entry, 0)];
  return entryParts(call, entry, 0).then(parts => chained([before, ...parts]));
}

/** Words the entry itself, without its changes. */
function headPieces({ options, terminal }: Call<Options>, entry: LogEntry, indent: number): Piece[] {
  return options.oneline ? [...onelinePieces(entry, widthLeft(terminal, indent)), '\n'] : entryPieces(entry);
}

/** All of them, read to the end first. */
async function* reversed<T>(newest: AsyncIterable<T>): AsyncGenerator<T> {
  const all: T[] = [];
  for await (const one of newest) all.push(one);
  yield* all.reverse();
}

async function graphPieces(
  call: Call<Options>,
  graph: Graph,
  one: GraphEntry,
  gap: boolean,
): Promise<Iterable<Piece>> {
  const node = { commit: one.entry.commit, below: one.below, glyph: glyphOf(one) };
  const parts = await entryParts(call, one.entry, graph.widthOf(node));
  if (one.cut) parts.push(['(and older commits of the branch)\n']);
  return ended(graph.draw(node, linesOfPieces(chained(parts)), gap));
}

/** The entry, and what was asked for with it; the last line of each part is ended. */
async function entryParts(call: Call<Options>, entry: LogEntry, indent: number): Promise<Iterable<Piece>[]> {
  const { oneline } = call.options;
  const changes = await changeParts(call, entry, indent);
  return [headPieces(call, entry, indent), ...changes.flatMap(part => (oneline ? [part] : [['\n'], part]))];
}

/** Shows the changes of an entry. Of a commit that joins two histories, git shows none either. */
async function changeParts(
  { options, terminal }: Call<Options>,
  { stats, diff }: LogEntry,
  indent: number,
): Promise<Iterable<Piece>[]> {
  const parts: Iterable<Piece>[] = [];
  if (stats && stats.length > 0) parts.push(statPieces(stats, terminal.columns - indent, terminal.quotePath));
  if (diff) parts.push(await shownDiff(diff, terminal, options.word));
  return parts;
}

/** On a terminal a line is cut at its edge; elsewhere it is whole. */
function widthLeft(terminal: Terminal, indent: number): number {
  return terminal.isOutputTerminal ? terminal.columns - indent : Number.POSITIVE_INFINITY;
}

function* chained(parts: Iterable<Iterable<Piece>>): Generator<Piece> {
  for (const part of parts) yield* part;
}

function* ended(lines: Iterable<readonly Piece[]>): Generator<Piece> {
  for (const line of lines) {
    yield* line;
    yield '\n';
  }
}

function refusalPieces(one: RefusalRecord, oneline: boolean): Piece[] {
  const who = one.agent ?? one.session;
  const [first = '', ...more] = one.message.split('\n');
  const what = one.path === null ? one.op : `${one.op} ${one.path}`;
  if (oneline) return [styled('red', one.code), ` ${what}: ${first}\n`];
  const head = [
    styled('red', one.code),
    ` ${what}, `,
    styled('cyan', who),
    `, ${localTime(new Date(one.time))}`,
  ];
  return [...head, '\n', ...[first, ...more].flatMap(line => ['    ', line, '\n'])];
}
