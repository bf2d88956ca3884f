/** html: the history as one page for a browser. */

import type { Timeline, TimelineOptions } from '../../../workspace/queries/timeline/timeline.ts';
import { type Call, type CliCommand, defineCommand } from '../command.ts';
import { withEngine } from '../engine.ts';
import { EXIT } from '../exit-codes.ts';
import { type TrailOptions, trailOptions } from '../input/options.ts';
import { parseSince } from '../input/since.ts';
import { UsageError, wholeNumber } from '../input/usage.ts';
import { replaceFile } from '../replace-file.ts';
import { jsonLine } from '../views/json.ts';

interface Options extends TrailOptions {
  output?: string;
  force?: boolean;
  maxCount?: number;
  session?: string;
  agent?: string;
  since?: Date;
  maxBytes?: number;
}

export const html: CliCommand = defineCommand<Options>({
  details:
    'One file that needs no network: the edits in a lane for each session, the diff of each, a replay of every file, ' +
    'blame, search, light and dark. With --json and no file, the data of the page.',
  arguments: [['[path]', 'only edits of this file or folder']],
  options: [
    { flags: '-o, --output <file>', description: 'where to write it; - is standard output' },
    { flags: '-f, --force', description: 'also over a file that is no such page' },
    {
      flags: '-n, --max-count <n>',
      description: 'at most so many entries, the newest; default: 1000',
      parse: text => wholeNumber('-n', text, 1),
    },
    { flags: '--session <id>', description: 'only edits of this session' },
    { flags: '--agent <name>', description: 'only edits of this agent' },
    {
      flags: '--since <time>',
      description: 'only since a time, such as 2026-11-20 or 3h',
      parse: parseSince,
    },
    {
      flags: '--max-bytes <n>',
      description: 'how much text to put in, the newest first; default: 8388608',
      parse: text => wholeNumber('--max-bytes', text, 1),
    },
    ...trailOptions,
  ],
  examples: [
    ['vedit html -o history.html', 'then open it in a browser'],
    ['vedit html src/auth.ts -o auth.html', 'the life of one file'],
    ['vedit html --session 7f3a -o - > session.html', 'what one session did'],
  ],
  async run(call) {
    const file = target(call);
    return withEngine(filterOnly(call), async ({ session, place }) => {
      const { maxCount: limit, session: whose, agent, since, maxBytes } = call.options;
      const path = place.scope(call.args[0]);
      const wanted: TimelineOptions = { path, session: whose, agent, since, limit, maxBytes };
      await answer(call, file, await session.timeline(wanted));
      return EXIT.done;
    });
  },
});

/** The page is never printed to a terminal. */
function target({ options, terminal }: Call<Options>): string {
  if (options.output !== undefined) return options.output;
  if (options.json || !terminal.isOutputTerminal) return '-';
  throw new UsageError('the page goes to a file: name one, as in vedit html -o history.html');
}

/** Here session and agent choose what is shown; they do not say who is looking. */
function filterOnly(call: Call<Options>): Call<TrailOptions> {
  const { session: _session, agent: _agent, ...options } = call.options;
  return { ...call, options };
}

async function answer(call: Call<Options>, file: string, timeline: Timeline): Promise<void> {
  const { options, terminal } = call;
  if (options.json && file === '-') {
    await terminal.print(jsonLine({ ok: true, message: summary(timeline), data: timeline }));
    return;
  }
  const { htmlPage, PAGE_START } = await import('../../web/page.ts');
  const page = htmlPage(timeline);
  if (file === '-') {
    await terminal.print(page);
    return;
  }
  await replaceFile(call, file, page, options.force ? null : PAGE_START);
  const message = `${file}: ${summary(timeline)}`;
  const { entries, more, left_out } = timeline;
  const data = { file, bytes: Buffer.byteLength(page), entries: entries.length, more, left_out };
  if (options.json) await terminal.print(jsonLine({ ok: true, message, data }));
  else await terminal.tell(message);
}

function summary({ entries, more, left_out: leftOut }: Timeline): string {
  const changes = entries.flatMap(entry => entry.files);
  const files = new Set(changes.map(change => change.path));
  for (const { from } of changes) if (from !== null) files.delete(from);
  const count = (number: number, one: string, many: string): string =>
    `${number} ${number === 1 ? one : many}`;
  const words = [count(entries.length, 'entry', 'entries'), count(files.size, 'file', 'files')];
  if (more) words.push('older entries left out (-n)');
  if (leftOut > 0) words.push(`${count(leftOut, 'text', 'texts')} left out (--max-bytes)`);
  return words.join(', ');
}
