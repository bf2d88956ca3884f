/** restore: files as they were. */

import { attempt } from '../attempt.ts';
import { runBack } from '../back.ts';
import { type CliCommand, defineCommand } from '../command.ts';
import { type BackOptions, backOptions } from '../input/options.ts';
import { UsageError } from '../input/usage.ts';
import { runWork, writerInput } from '../views/done.ts';

interface Options extends BackOptions {
  from?: string;
  missing?: boolean;
}

export const restore: CliCommand = defineCommand<Options>({
  details:
    'Several files are one commit: all of them, or none. A folder stands for the files in it that were edited through vedit. ' +
    'Without --from, and with --missing, only files that are gone or as HEAD has them come back, as after git reset --hard ' +
    'and git clean: what anybody else wrote in a file stays. With --from a file becomes what it was, and what others changed ' +
    'in it since the newest edit stays, or the restore is refused. It is a commit like any other: vedit undo takes it back.',
  arguments: [['[paths...]', 'files, or folders', 'file']],
  options: [
    {
      flags: '--from <rev>',
      description: 'the commit to take them from: an id, or ~N for N commits back; default: the newest edit',
    },
    {
      flags: '--missing',
      description: 'only files that are gone or as HEAD has them; without paths: all of them',
    },
    ...backOptions,
  ],
  examples: [
    ['vedit restore src/auth.ts --from ~3', ''],
    ['vedit restore a.txt b.txt --from ~3', 'two files, one commit'],
    ['vedit restore src/auth.ts --from main -n', 'what it would do'],
    ['vedit restore --missing -n', 'what git reset --hard and git clean took, to look at first'],
    ['vedit restore src', 'what they took below src'],
  ],
  async run(call) {
    const { from, base, missing, versionOf } = call.options;
    if (call.args.length === 0 && !missing)
      throw new UsageError('name the files or folders to restore, or give --missing for all that is gone');
    const given = call.args.length === 0 ? null : call.args;
    if (given === null || given.length === 1)
      return runBack(call, 'restore', ({ place }) => ({
        path: given ? place.path(given[0]!) : '.',
        from,
        missing,
      }));
    if (versionOf !== undefined)
      throw new UsageError('a version is one file’s: with --version-of name one file');
    return runWork(call, ({ session, place }) => {
      const paths = given.map(path => place.path(path));
      return attempt(() => session.restore(paths, from, { base, missing, ...writerInput(call.options) }));
    });
  },
});
