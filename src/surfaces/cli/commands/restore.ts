/** restore: one file as it was. */

import { runBack } from '../back.ts';
import { type CliCommand, defineCommand } from '../command.ts';
import { type BackOptions, backOptions } from '../options.ts';
import { UsageError } from '../usage.ts';

interface Options extends BackOptions {
  from?: string;
}

export const restore: CliCommand = defineCommand<Options>({
  details:
    'A file that was deleted since comes back. What others changed in it since the newest edit stays, or the restore is ' +
    'refused. It is a commit like any other: vedit undo takes it back.',
  arguments: [['<file>', 'the file']],
  options: [
    { flags: '--from <rev>', description: 'the commit to take it from: an id, or ~N for N commits back' },
    ...backOptions,
  ],
  examples: [
    ['vedit restore src/auth.ts --from ~3', ''],
    ['vedit restore src/auth.ts --from main -n', 'what it would do'],
  ],
  async run(call) {
    const { from } = call.options;
    if (from === undefined)
      throw new UsageError('the commit is missing: give --from <rev>, an id or ~N; vedit log lists them');
    return runBack(call, 'restore', ({ place }) => ({ path: place.path(call.args[0]!), from }));
  },
});
