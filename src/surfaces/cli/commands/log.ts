/** log: the edits, newest first, read no further than they are looked at. */

import type { LogEntry, LogOptions } from '../../../workspace/reading/history.ts';
import type { LaneEntry } from '../../../workspace/reading/lanes.ts';
import { type Call, type CliCommand, defineCommand } from '../command.ts';
import { type Engine, withEngine } from '../engine.ts';
import { EXIT } from '../exit-codes.ts';
import { Graph } from '../graph.ts';
import { glyphOf } from '../graph-view.ts';
import { jsonLine } from '../json.ts';
import { entryPieces, onelinePieces } from '../log-view.ts';
import { type TrailOptions, trailOptions, type WordOptions, wordOptions } from '../options.ts';
import { refusalPieces } from '../refusal-view.ts';
import { shownDiff } from '../shown-diff.ts';
import { parseSince } from '../since.ts';
import { statPieces } from '../stat-view.ts';
import { linesOfPieces, type Piece } from '../style.ts';
import { wholeNumber } from '../usage.ts';

interface Options extends TrailOptions, WordOptions {
  maxCount?: number;
  session?: string;
  agent?: string;
  op?: string;
  since?: Date;
  oneline?: boolean;
  graph?: boolean;
  stat?: boolean;
  patch?: boolean;
  refusals?: boolean;
}

export const log: CliCommand = defineCommand<Options>({
  details:
    'The graph has agents’ edits on the left, and what came from people to the right of them: commits of the branch that a ' +
    'sync joined, and changes outside the engine that the next edit recorded. @ is where the history stands, o an edit, ' +
    'x one that is undone, < a way back, > a redo, + an outside change, * a commit made with git. ' +
    'What landed names the commit of the branch that says so.',
  arguments: [['[path]', 'only edits of this file or folder']],
  options: [
    {
      flags: '-n, --max-count <n>',
      description: 'at most so many',
      parse: text => wholeNumber('-n', text, 1),
    },
    { flags: '--session <id>', description: 'only edits of this session' },
    { flags: '--agent <name>', description: 'only edits of this agent' },
    { flags: '--op <name>', description: 'only edits of this kind, such as str_replace' },
    {
      flags: '--since <time>',
      description: 'only since a time: 2026-11-20, 15:00, yesterday, 3h, "2 days ago"',
      parse: parseSince,
    },
    { flags: '--oneline', description: 'one line each' },
    { flags: '--graph', description: 'draw how the edits follow each other, and what came from people' },
    { flags: '--stat', description: 'with how much changed in which file' },
    { flags: '-p, --patch', description: 'with the diffs' },
    { flags: '--refusals', description: 'what was refused instead, where --record-refusals kept it' },
    ...wordOptions,
    ...trailOptions,
  ],
  examples: [
    ['vedit log --oneline -n 10', ''],
    ['vedit log --graph --oneline', 'the picture'],
    ['vedit log src/auth.ts -p', 'every edit of a file'],
    ['vedit log --agent reviewer --since "2 hours ago" --stat', ''],
    ['vedit log --json | jq -r .subject', 'one JSON object a line'],
    ['vedit log --refusals --oneline', 'what agents tried in vain'],
  ],
  run: call =>
    withEngine(filterOnly(call), async engine => {
      const options = wanted(call.options, engine.place.scope(call.args[0]));
      if (call.options.refusals) await printRefusals(call, engine, options);
      else await printAll(call, engine, options);
      await call.terminal.endPage();
      for (const one of await engine.session.elsewhere()) await call.terminal.tell(`note: ${one.message}`);
      return EXIT.done;
    }),
});

/** Here session and agent choose what is shown; they do not say who is looking. */
function filterOnly(call: Call<Options>): Call<TrailOptions> {
  const { session: _session, agent: _agent, ...options } = call.options;
  return { ...call, options };
}

function wanted(options: Options, path: string | undefined): LogOptions {
  const { session, agent, op, since, maxCount: limit, stat: stats, patch } = options;
  return { path, session, agent, op, since, limit, stats, patch };
}

async function printRefusals(
  { options, terminal }: Call<Options>,
  engine: Engine,
  wanted: LogOptions,
): Promise<void> {
  for (const one of await engine.session.refusals(wanted)) {
    if (!options.json) await terminal.page();
    await terminal.print(...(options.json ? [jsonLine(one)] : refusalPieces(one, options.oneline ?? false)));
  }
}

async function printAll(call: Call<Options>, { session }: Engine, options: LogOptions): Promise<void> {
  const graph = call.options.graph ? new Graph() : null;
  const entries = graph ? session.lanes(options) : session.entries(options);
  let count = 0;
  for await (const one of entries) {
    const shown = 'entry' in one ? one : null;
    const entry = 'entry' in one ? one.entry : one;
    if (call.options.json) {
      await call.terminal.print(jsonLine(shown ? { ...entry, lane: shown.lane } : entry));
      continue;
    }
    await call.terminal.page();
    const gap = count++ > 0 && !call.options.oneline;
    await call.terminal.print(
      graph
        ? await graphPieces(call, graph, shown!, gap)
        : chained([gap ? ['\n'] : [], ...(await entryParts(call, entry, 0))]),
    );
  }
}

async function graphPieces(
  call: Call<Options>,
  graph: Graph,
  one: LaneEntry,
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
  return [
    oneline ? [...onelinePieces(entry), '\n'] : entryPieces(entry),
    ...changes.flatMap(part => (oneline ? [part] : [['\n'], part])),
  ];
}

/** Of a commit that joins two histories, git shows no changes either. */
async function changeParts(
  { options, terminal }: Call<Options>,
  { stats, diff }: LogEntry,
  indent: number,
): Promise<Iterable<Piece>[]> {
  const parts: Iterable<Piece>[] = [];
  if (stats && stats.length > 0) parts.push(statPieces(stats, terminal.columns - indent));
  if (diff) parts.push(await shownDiff(diff, terminal, options.word));
  return parts;
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
