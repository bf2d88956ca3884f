/** show: one commit with its diff. */

import type { LogEntry } from '../../../workspace/history.ts';
import { type CliCommand, defineCommand } from '../command.ts';
import { diffPieces } from '../diff-view.ts';
import { answer } from '../done.ts';
import { withEngine } from '../engine.ts';
import { entryPieces } from '../log-view.ts';
import { type TrailOptions, trailOptions } from '../options.ts';

export const show: CliCommand = defineCommand<TrailOptions>({
  arguments: [['[rev]', 'an id, @ for the newest (default), or ~N for N commits back']],
  options: trailOptions,
  examples: [
    ['vedit show', 'the last edit'],
    ['vedit show 1a2b3c4', ''],
  ],
  run: call =>
    withEngine(call, async ({ run }) => {
      const result = await run('show', call.args[0] === undefined ? {} : { commit: call.args[0] });
      return answer(call, result, async () => {
        const { diff, ...entry } = result.data as LogEntry & { diff: string };
        await call.terminal.page();
        await call.terminal.print(...entryPieces(entry), ...(diff === '' ? [] : ['\n', ...diffPieces(diff)]));
      });
    }),
});
