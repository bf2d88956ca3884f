import type { Timeline } from '../../../queries/timeline/timeline.ts';
import { type Call, type CliCommand, defineCommand, type OptionsOf } from '../command.ts';
import { withEngine } from '../engine.ts';
import { EXIT } from '../exit-codes.ts';
import { filterOf, filterOnly, filterOptions } from '../input/options.ts';
import { UsageError } from '../input/usage.ts';
import { replaceFile } from '../replace-file.ts';
import { jsonLine } from '../views/json.ts';
import { counted } from '../views/words.ts';

const options = [
  ['-o, --output <file>', 'where to write it; - is standard output'],
  ['-f, --force', 'also over a file that is no such page'],
  ['--max-bytes <n>', 'how much text to put in, the newest first; default: 8388608', 'natural'],
  ...filterOptions,
] as const;

type Options = OptionsOf<typeof options>;

export const command: CliCommand = defineCommand({
  details:
    'One file that needs no network: the edits in a lane for each session, the diff of each, a replay of every file, ' +
    'blame, search, light and dark. Without -n the newest 1000 entries. With --json and no file, the data of the page.',
  arguments: [['[path]', 'only edits of this file or folder']],
  options,
  examples: [
    ['vedit html -o history.html', 'then open it in a browser'],
    ['vedit html src/auth.ts -o auth.html', 'the life of one file'],
    ['vedit html --session 7f3a -o - > session.html', 'what one session did'],
  ],
  async run(call) {
    const file = target(call);
    return withEngine(filterOnly(call), async ({ session, place }) => {
      const { maxBytes } = call.options;
      const path = place.scope(call.args[0]);
      await answer(call, file, await session.timeline({ path, ...filterOf(call.options), maxBytes }));
      return EXIT.done;
    });
  },
});

/** Returns the file to write; `-` is standard output. Throws UsageError where that is a terminal. */
function target({ options, terminal }: Call<Options>): string {
  if (options.output !== undefined) return options.output;
  if (options.json || !terminal.isOutputTerminal) return '-';
  throw new UsageError('the page goes to a file: name one, as in vedit html -o history.html');
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
  const words = [
    `${entries.length} ${entries.length === 1 ? 'entry' : 'entries'}`,
    counted(files.size, 'file'),
  ];
  if (more) words.push('older entries left out (-n)');
  if (leftOut > 0) words.push(`${counted(leftOut, 'text')} left out (--max-bytes)`);
  return words.join(', ');
}
