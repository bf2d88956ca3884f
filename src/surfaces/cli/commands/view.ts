import { shownName } from '../../../c-quote.ts';
import type { Answer } from '../../../engine/answer.ts';
import { type Call, type CliCommand, defineCommand, type OptionsOf } from '../command.ts';
import { withEngine } from '../engine.ts';
import { parseFileRange } from '../input/names.ts';
import { trailOptions, viewerOptions } from '../input/options.ts';
import { answer } from '../run.ts';
import { type Piece, styled } from '../terminal/style.ts';

const options = [
  ['--at <rev>', 'as it was in this commit'],
  ['-L, --lines <A,B>', 'only these lines: 10,40 or 10,+5 or 10,'],
  ['--max-characters <n>', 'cut the answer there', 'natural'],
  ...viewerOptions,
  ...trailOptions,
] as const;

type Options = OptionsOf<typeof options>;

export const command: CliCommand = defineCommand({
  details:
    'Lines go to standard output; what else there is to know (the version and commit to cite in an edit, what was cut) ' +
    'goes to standard error.',
  arguments: [['[path[:A-B]]', 'a file or folder, and the lines wanted; default: this folder']],
  options,
  examples: [
    ['vedit view', 'the files here'],
    ['vedit view src/auth.ts:10-40', 'some lines'],
    ['vedit view src/auth.ts --at ~3', 'as it was three commits ago'],
  ],
  run: call =>
    withEngine(call, async ({ run, place }) => {
      const { at, maxCharacters: max_characters, lines } = call.options;
      const { path, range } = parseFileRange(call.args[0] ?? '.', call.folder, lines);
      const result = await run('view', {
        path: place.scope(path) ?? '.',
        view_range: range,
        at,
        // A person reads on; an agent's tool shows less.
        max_characters: max_characters ?? MOST_SHOWN,
      });
      return answer(call, result, done => print(call, done));
    }),
});

const MOST_SHOWN = 60_000;

type Shown = { entries: string[] } | { from: number; to: number; lines: number };

/** Prints a view: the lines or entries, with which the message begins, and apart from them the rest, which is about them. */
async function print({ terminal }: Call<Options>, { message, data }: Answer<unknown>): Promise<void> {
  const shown = data as Shown;
  const isFolder = 'entries' in shown;
  const parts = message.split('\n').filter(line => !isFolder || line !== '');
  const count = isFolder ? shown.entries.length : shown.lines === 0 ? 0 : shown.to - shown.from + 1;
  await terminal.page();
  const own = isFolder
    ? shown.entries.map(entry => [shownName(entry)])
    : parts.slice(0, count).map(numberedPieces);
  for (const pieces of own) await terminal.print(...pieces, '\n');
  await terminal.endPage();
  for (const notice of parts.slice(count)) await terminal.tell(notice);
}

function numberedPieces(line: string): Piece[] {
  const tab = line.indexOf('\t') + 1;
  return [styled('dim', line.slice(0, tab)), line.slice(tab)];
}
