import { randomUUID } from 'node:crypto';
import { open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { EditError } from '../../../errors.ts';
import type { Timeline } from '../../../queries/timeline/timeline.ts';
import { type Call, type CliCommand, defineCommand, type OptionsOf } from '../command.ts';
import { withEngine } from '../engine.ts';
import { EXIT } from '../exit-codes.ts';
import { filterOf, filterOnly, filterOptions } from '../input/options.ts';
import { UsageError } from '../input/usage.ts';
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

/**
 * Writes `text` as UTF-8. A file that is there already is replaced only if it begins with `start`, so that a wrong
 * name destroys nothing; `null` replaces any. Throws FILE_EXISTS, SPECIAL_FILE, STORE_FAILED.
 */
async function replaceFile(
  { folder }: Call,
  name: string,
  text: string,
  start: string | null,
): Promise<void> {
  const path = resolve(folder, name);
  const beside = join(dirname(path), `.${randomUUID()}.tmp`);
  try {
    await checkPresent(path, name, start);
    await writeFile(beside, text, { flag: 'wx' });
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    if (error instanceof EditError) throw error;
    const cause = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new EditError('STORE_FAILED', `${name} cannot be written (${cause}). Name another file.`, {
      cause,
    });
  }
}

/** Throws FILE_EXISTS, SPECIAL_FILE. A pipe or device must not be opened: that could wait for ever. */
async function checkPresent(path: string, name: string, start: string | null): Promise<void> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (found && !found.isFile()) {
    const message = `${name} is no regular file. Name a file, or write to standard output with -.`;
    throw new EditError('SPECIAL_FILE', message, { path: name });
  }
  if (!found || start === null || (await beginsWith(path, start))) return;
  const message = `${name} is there and is no page of vedit. Name another file, or replace it with --force.`;
  throw new EditError('FILE_EXISTS', message, { path: name });
}

async function beginsWith(path: string, start: string): Promise<boolean> {
  const wanted = Buffer.from(start);
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(wanted.length), 0, wanted.length, 0);
    return buffer.equals(wanted);
  } finally {
    await file.close();
  }
}
