import type { DiffData } from '../../../queries/diff/compare.ts';
import { UsageError } from '../../../table/usage.ts';
import { type Call, type CliCommand, defineCommand, type OptionsOf } from '../command.ts';
import { withEngine } from '../engine.ts';
import { statOption, trailOptions, turnOption, wordOptions } from '../input/options.ts';
import { answer } from '../run.ts';
import { shownDiff } from '../views/shown-diff.ts';
import { statPieces } from '../views/stat-view.ts';

const options = [
  turnOption,
  ['--outside', 'what others changed in the files and is not recorded yet'],
  ['--path <path>', 'only this file or folder'],
  statOption,
  ...wordOptions,
  ...trailOptions,
] as const;

type Options = OptionsOf<typeof options>;

export const command: CliCommand = defineCommand({
  details:
    'Without A: all that was edited beside your branch, or the last commit where the history is the branch itself. ' +
    'A file that was renamed is shown as git diff -M shows it. With --turn, files that others changed in between are shown in several parts. --outside looks at the files that were edited, and at the one that --path names.',
  arguments: [
    ['[a]', 'a commit, or a range as main..@', 'commit'],
    ['[b]', 'another one; default: the newest', 'commit'],
  ],
  options,
  examples: [
    ['vedit diff', 'everything the agents did'],
    ['vedit diff ~5 ~2 --path src', 'a stretch of it'],
    ['vedit diff main @ --stat', ''],
    ['vedit diff --turn latest', 'what an agent did for the last prompt'],
    ['vedit diff --outside', 'what the next edit records first'],
  ],
  async run(call) {
    const [from, to] = endsOf(call);
    const { outside, path, turn } = call.options;
    if (turn !== undefined && (outside || from !== undefined))
      throw new UsageError('--turn says what is compared: leave A, B and --outside out');
    if (outside && from !== undefined)
      throw new UsageError('--outside compares the files with the newest commit: leave A and B out');
    return withEngine(call, async ({ run, place }) => {
      const result = await run('diff', { from, to, path: place.scope(path), outside, turn });
      return answer(call, result, ({ data, message }) => print(call, data, message));
    });
  },
});

/** Two commits, or one range of them. Throws UsageError. */
function endsOf({ args: [from, to] }: Call<Options>): [from: string | undefined, to: string | undefined] {
  const [, after, last] = /^(.*?)\.\.(.*)$/.exec(from ?? '') ?? [];
  if (after === undefined || last === undefined) return [from, to];
  if (to !== undefined) throw new UsageError('a range is two commits already: leave B out');
  return [after || undefined, last || undefined];
}

async function print({ terminal, options }: Call<Options>, data: DiffData, message: string): Promise<void> {
  if (data.diff === '' && !data.unreadable?.length) return terminal.tell(message);
  const change = options.stat
    ? statPieces(data.paths, terminal.columns, terminal.quotePath)
    : await shownDiff(data.diff, terminal, options.word);
  await terminal.page();
  await terminal.print(change);
  await terminal.endPage();
  for (const { path, code } of data.unreadable ?? [])
    await terminal.tell(`${path} changed, and cannot be read: ${code}`);
}
