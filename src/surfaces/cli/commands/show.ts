import type { ShowData } from '../../../queries/log/history.ts';
import { type Call, type CliCommand, defineCommand, type OptionsOf } from '../command.ts';
import { withEngine } from '../engine.ts';
import { statOption, trailOptions, wordOptions } from '../input/options.ts';
import { answer } from '../run.ts';
import { entryPieces } from '../views/log-view.ts';
import { shownDiff } from '../views/shown-diff.ts';
import { statPieces } from '../views/stat-view.ts';

const options = [statOption, ...wordOptions, ...trailOptions] as const;

type Options = OptionsOf<typeof options>;

export const command: CliCommand = defineCommand({
  details: 'Of a commit that joins two histories, what it brought to the first of them is shown.',
  arguments: [['[rev]', 'an id, @ for the newest (default), or ~N for N commits back']],
  options,
  examples: [
    ['vedit show', 'the last edit'],
    ['vedit show ~3 --stat', ''],
    ['vedit show 1a2b3c4', ''],
  ],
  run: call =>
    withEngine(call, async ({ run }) => {
      const result = await run('show', { commit: call.args[0] });
      return answer(call, result, ({ data }) => print(call, data));
    }),
});

async function print(
  { terminal, options }: Call<Options>,
  { diff, stats, ...entry }: ShowData,
): Promise<void> {
  const change = options.stat
    ? statPieces(stats, terminal.columns, terminal.quotePath)
    : await shownDiff(diff, terminal, options.word);
  await terminal.page();
  await terminal.print(entryPieces(entry), ...(diff === '' ? [] : ['\n', change]));
}
