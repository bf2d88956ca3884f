/** restore: makes files what they were in a commit, or brings back what is gone. */

import { UsageError } from '../../../table/usage.ts';
import { type CliCommand, defineCommand } from '../command.ts';
import { backOptions } from '../input/options.ts';
import { attempt, runWork, runWriter } from '../run.ts';

export const command: CliCommand = defineCommand({
  details:
    'Several files are one commit: all of them, or none. A folder stands for the files in it that were edited through vedit. ' +
    'Without --at, and with --missing, only files that are gone or as HEAD has them come back, as after git reset --hard ' +
    'and git clean: what anybody else wrote in a file stays. With --at a file becomes what it was, and what others changed ' +
    'in it since the newest edit stays, or the restore is refused. It is a commit like any other: history keeps everything since, secrets ' +
    'too, and vedit undo takes it back.',
  arguments: [['[paths...]', 'files, or folders', 'file']],
  options: [
    ['--at <rev>', 'as they were in this commit: an id, or ~N for N commits back; default: the newest edit'],
    ['--missing', 'only files that are gone or as HEAD has them; without paths: all of them'],
    ...backOptions,
  ],
  examples: [
    ['vedit restore src/auth.ts --at ~3', ''],
    ['vedit restore a.txt b.txt --at ~3', 'two files, one commit'],
    ['vedit restore --missing -n', 'what git reset --hard and git clean took, to look at first'],
    ['vedit restore src', 'what they took below src'],
  ],
  async run(call) {
    const { base, missing, versionOf, at } = call.options;
    const { args } = call;
    if (args.length === 0 && !missing)
      throw new UsageError(
        'name the files or folders to restore, or give --missing for all that is gone; vedit rollback is for all files',
      );
    if (args.length <= 1)
      return runWriter(call, 'restore', place => ({
        path: args.length === 0 ? '.' : place.path(args[0]!),
        from: at,
        missing,
      }));
    if (versionOf !== undefined)
      throw new UsageError('a version is one file’s: with --version-of name one file');
    return runWork(call, ({ session, place }) => {
      const { dryRun, reason, editId, allowSecret } = call.options;
      const path = args.map(one => place.path(one));
      const common = { base, dryRun, reason, editId, allowSecret };
      return attempt(() => session.restore({ path, from: at, missing, ...common }));
    });
  },
});
