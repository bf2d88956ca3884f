import type { BlameData } from '../../../queries/blame.ts';
import { type Call, type CliCommand, defineCommand, type OptionsOf } from '../command.ts';
import { parseFileRange } from '../input/names.ts';
import { trailOptions } from '../input/options.ts';
import { runCall } from '../run.ts';
import { blamePieces } from '../views/blame-view.ts';

const options = [
  ['-L, --lines <A,B>', 'only these lines, as git has it: 10,40 or 10,+5 or 10,'],
  ['--at <rev>', 'the file as it was in this commit; default: the newest'],
  ['--long', 'whole ids, with session and kind of edit, reasons less shortened'],
  ...trailOptions,
] as const;

type Options = OptionsOf<typeof options>;

export const command: CliCommand = defineCommand({
  details:
    'Each line with the commit that wrote it, the agent or person, when, and the reason given, or the kind of edit. Lines ' +
    'are followed through moved files and commits of your own. On a terminal each session has a colour.',
  arguments: [['<file[:A-B]>', 'the file, and the lines wanted']],
  options,
  examples: [
    ['vedit blame src/auth.ts', ''],
    [
      'vedit blame -L 10,40 src/auth.ts --long',
      'some lines, with all that is known; src/auth.ts:10-40 is the same',
    ],
    ['vedit blame src/auth.ts --at ~5', ''],
  ],
  run: call =>
    runCall(
      call,
      ({ session, place }) => {
        const { at, lines } = call.options;
        const { path, range } = parseFileRange(call.args[0]!, call.folder, lines);
        return session.blame({ path: place.path(path), viewRange: range, at });
      },
      ({ data }) => print(call, data),
    ),
});

async function print({ terminal, options }: Call<Options>, data: BlameData): Promise<void> {
  await terminal.page();
  await terminal.print(blamePieces(data.lines, options.long ?? false));
  await terminal.endPage();
  if (!data.recorded)
    await terminal.tell(`[${data.path} was changed, not through vedit: these are the recorded lines]`);
  if (data.fetch_may_know)
    await terminal.tell(
      '[some of these commits landed work of others: vedit fetch may bring who made it, and why]',
    );
}
