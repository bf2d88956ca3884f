/** status: the history's place and head, and what others changed. */

import { type CliCommand, defineCommand } from '../command.ts';
import { answer } from '../done.ts';
import { withEngine } from '../engine.ts';
import { type TrailOptions, trailOptions } from '../options.ts';

export const status: CliCommand = defineCommand<TrailOptions>({
  options: trailOptions,
  examples: [['vedit status', '']],
  run: call =>
    withEngine(call, async ({ run }) => {
      const result = await run('status', {});
      return answer(call, result, () => call.terminal.print(`${result.message}\n`));
    }),
});
