/** log: the edits, newest first, read no further than they are looked at. */

import type { LogEntry, LogOptions } from '../../../workspace/history.ts';
import { type Call, type CliCommand, defineCommand } from '../command.ts';
import { diffPieces, statPieces, statsOf } from '../diff-view.ts';
import { type Engine, withEngine } from '../engine.ts';
import { EXIT } from '../exit-codes.ts';
import { jsonLine } from '../json.ts';
import { entryPieces, onelinePieces } from '../log-view.ts';
import { type TrailOptions, trailOptions } from '../options.ts';
import { parseSince } from '../since.ts';
import type { Piece } from '../style.ts';
import { wholeNumber } from '../usage.ts';

interface Options extends TrailOptions {
  maxCount?: number;
  session?: string;
  agent?: string;
  op?: string;
  since?: Date;
  oneline?: boolean;
  stat?: boolean;
  patch?: boolean;
}

export const log: CliCommand = defineCommand<Options>({
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
      description: 'only since a time, such as 2026-11-20, 3h or "2 days ago"',
      parse: parseSince,
    },
    { flags: '--oneline', description: 'one line each' },
    { flags: '--stat', description: 'with how much changed in which file' },
    { flags: '-p, --patch', description: 'with the diffs' },
    ...trailOptions,
  ],
  examples: [
    ['vedit log --oneline -n 10', ''],
    ['vedit log src/auth.ts -p', 'every edit of a file'],
    ['vedit log --agent reviewer --since 2h', ''],
    ['vedit log --json | jq -r .subject', 'one JSON object a line'],
  ],
  run: call =>
    withEngine(filterOnly(call), async engine => {
      await printEntries(call, engine);
      return EXIT.done;
    }),
});

/** Here session and agent choose what is shown; they do not say who is looking. */
function filterOnly(call: Call<Options>): Call<TrailOptions> {
  const { session: _session, agent: _agent, ...options } = call.options;
  return { ...call, options };
}

async function printEntries(call: Call<Options>, engine: Engine): Promise<void> {
  const { args, options, terminal } = call;
  const { session, agent, op, since, maxCount: limit } = options;
  const path = engine.place.scope(args[0]);
  const wanted: LogOptions = { path, session, agent, op, since, limit };
  let count = 0;
  for await (const entry of engine.session.entries(wanted)) {
    if (options.json) {
      await terminal.print(jsonLine(entry));
      continue;
    }
    await terminal.page();
    if (count++ > 0 && !options.oneline) await terminal.print('\n');
    await terminal.print(...(options.oneline ? onelinePieces(entry) : entryPieces(entry)));
    await terminal.print(...(await changePieces(call, engine, entry)));
  }
}

/** Of a commit that joins two histories, git shows no changes either. */
async function changePieces(
  { options, terminal }: Call<Options>,
  { session }: Engine,
  entry: LogEntry,
): Promise<Piece[]> {
  if ((!options.stat && !options.patch) || entry.parents.length > 1) return [];
  const { diff } = (await session.show(entry.commit)).data as { diff: string };
  const parts: Piece[][] = [];
  if (options.stat) parts.push(statPieces(statsOf(diff), terminal.columns));
  if (options.patch) parts.push(diffPieces(diff));
  const separator = options.oneline ? [] : ['\n'];
  return parts.flatMap(part => [...separator, ...part]);
}
