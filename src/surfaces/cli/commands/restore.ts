/** restore: files as they were. */

import { attempt } from '../attempt.ts';
import { runBack } from '../back.ts';
import { type CliCommand, defineCommand } from '../command.ts';
import { type BackOptions, backOptions } from '../input/options.ts';
import { UsageError } from '../input/usage.ts';
import { runWork, writerInput } from '../views/done.ts';

interface Options extends BackOptions {
  from?: string;
}

export const restore: CliCommand = defineCommand<Options>({
  details:
    'Several files are one commit: all of them, or none. A file that was deleted since comes back. What others changed in it since the newest edit stays, or the restore is ' +
    'refused. It is a commit like any other: vedit undo takes it back.',
  arguments: [['<files...>', 'the files', 'file']],
  options: [
    {
      flags: '--from <rev>',
      description: 'the commit to take them from: an id, or ~N for N commits back',
    },
    ...backOptions,
  ],
  examples: [
    ['vedit restore src/auth.ts --from ~3', ''],
    ['vedit restore a.txt b.txt --from ~3', 'two files, one commit'],
    ['vedit restore src/auth.ts --from main -n', 'what it would do'],
  ],
  async run(call) {
    const { from } = call.options;
    if (from === undefined)
      throw new UsageError('the commit is missing: give --from <rev>, an id or ~N; vedit log lists them');
    if (call.args.length === 1)
      return runBack(call, 'restore', ({ place }) => ({ path: place.path(call.args[0]!), from }));
    const { base, versionOf } = call.options;
    if (versionOf !== undefined)
      throw new UsageError('a version is one file’s: with --version-of name one file');
    return runWork(call, ({ session, place }) => {
      const paths = call.args.map(path => place.path(path));
      return attempt(() => session.restore(paths, from, { base, ...writerInput(call.options) }));
    });
  },
});
