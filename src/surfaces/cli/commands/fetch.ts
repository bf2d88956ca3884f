/** fetch: brings the histories of other clones. */

import { UsageError } from '../../../table/usage.ts';
import { type CliCommand, defineCommand } from '../command.ts';
import { withEngine } from '../engine.ts';
import { EXIT } from '../exit-codes.ts';
import { answer, attempt } from '../run.ts';
import { tellIfLong } from '../terminal/progress.ts';
import { remoteOptions, serverInput } from './push.ts';

export const command: CliCommand = defineCommand({
  details:
    'They are read with vedit log, show, diff or blame --trail <clone>/<branch>; the branches are merged by git. No ' +
    'file, branch or tag changes. What a server sends is looked at before it moves in: a history that was rewound or rewritten, ' +
    'or that holds names no edit could write, is refused and named (exit 1), and the others come all the same.',
  arguments: [['[clones...]', 'only of these clones; default: all']],
  options: [['--max-bytes <n>', 'the most that is taken at once; default 1 GiB', bytesIn], ...remoteOptions],
  examples: [
    ['vedit fetch', ''],
    ['vedit log --trail ada-12345678/main', 'what she and her agents did'],
  ],
  run: call =>
    withEngine(call, async ({ workspace }) => {
      const { maxBytes } = call.options;
      const clones = call.args.length > 0 ? call.args : undefined;
      const input = { ...(await serverInput(call)), maxBytes, clones };
      const result = await tellIfLong(call.terminal, 'fetching ...', () =>
        attempt(() => workspace.fetch(input)),
      );
      const code = await answer(call, result);
      return result.ok && result.data.refused.length > 0 ? EXIT.refused : code;
    }),
});

function bytesIn(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new UsageError(`--max-bytes must be a number of bytes, not ${JSON.stringify(text)}`);
}
