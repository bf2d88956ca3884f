import { type CliCommand, defineCommand } from '../command.ts';
import { withEngine } from '../engine.ts';
import { trailOptions } from '../input/options.ts';
import { answer } from '../run.ts';

export const command: CliCommand = defineCommand({
  details:
    'Changes of others are looked for in the files that were edited: beside your branch in all that differ from it, and ' +
    'everywhere in those of the newest 100 commits. The other changed files are those of git status whose text no edit ' +
    'explains; the look for them is cut at a second.',
  options: trailOptions,
  examples: [
    ['vedit status', ''],
    ['vedit status --json | jq .data.outside', ''],
  ],
  run: call =>
    withEngine(call, async ({ run }) =>
      answer(call, await run('status', {}), async ({ data }) => {
        const { statusPieces } = await import('../views/status-view.ts');
        await call.terminal.print(...statusPieces(data, call.terminal.quotePath));
      }),
    ),
});
