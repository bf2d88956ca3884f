/** restore: makes files what they were in a commit, or brings back what is gone. */

import { type Call, type CliCommand, defineCommand } from '../command.ts';
import { type BackOptions, backOptions } from '../input/options.ts';
import { UsageError } from '../input/usage.ts';
import { attempt, runWork, runWriter, writerInput } from '../run.ts';
import { scopeOf } from './undo.ts';

const withOthersOption = [
  '--with-others',
  'with --all, --session and ~N: also what other sessions edited since, which is refused otherwise',
] as const;

interface RestoreOptions extends BackOptions {
  at?: string;
  all?: boolean;
  missing?: boolean;
  withOthers?: boolean;
}

export const command: CliCommand = defineCommand({
  details:
    'Several files are one commit: all of them, or none. A folder stands for the files in it that were edited through vedit. ' +
    'Without --at, and with --missing, only files that are gone or as HEAD has them come back, as after git reset --hard ' +
    'and git clean: what anybody else wrote in a file stays. With --at a file becomes what it was, and what others changed ' +
    'in it since the newest edit stays, or the restore is refused. With --all that is done for all files that were edited ' +
    'since the commit, and files that came since go. It is a commit like any other: history keeps everything since, secrets ' +
    'too, and vedit undo takes it back.',
  arguments: [['[paths...]', 'files, or folders; with --all the commit first', 'file']],
  options: [
    ['--at <rev>', 'as they were in this commit: an id, or ~N for N commits back; default: the newest edit'],
    ['--all', 'all files that were edited since a commit, as in restore --all ~3'],
    ['--missing', 'only files that are gone or as HEAD has them; without paths: all of them'],
    withOthersOption,
    ...backOptions,
  ],
  examples: [
    ['vedit restore src/auth.ts --at ~3', ''],
    ['vedit restore a.txt b.txt --at ~3', 'two files, one commit'],
    ['vedit restore --all ~3', 'everything that was edited in the last three commits'],
    ['vedit restore --all 1a2b3c4 src -n', 'what that would do, below src'],
    ['vedit restore --missing -n', 'what git reset --hard and git clean took, to look at first'],
    ['vedit restore src', 'what they took below src'],
  ],
  async run(call) {
    const { base, missing, versionOf, all, withOthers, at } = call.options;
    const { args } = call;
    if (all) return restoreAll(call);
    if (withOthers)
      throw new UsageError('--with-others is for --all: name the commit, as in restore --all ~3');
    if (args.length === 0 && !missing)
      throw new UsageError(
        'name the files or folders to restore, or give --all <commit>, or --missing for all that is gone',
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
      const paths = args.map(path => place.path(path));
      return attempt(() => session.restore(paths, at, { base, missing, ...writerInput(call.options) }));
    });
  },
});

/** All files that were edited since a commit, or those named, become what they were in it. Throws UsageError. */
async function restoreAll(call: Call<RestoreOptions>): Promise<number> {
  const { at, missing, withOthers } = call.options;
  const [commit, ...paths] = at === undefined ? call.args : [at, ...call.args];
  if (commit === undefined)
    throw new UsageError('--all needs the commit: an id, or ~N, as in restore --all ~3');
  if (missing) throw new UsageError('--all and --missing are different things: give one of them');
  const own = { commit, with_others: withOthers || scopeOf(call) === 'trail' };
  return runWriter(call, 'rollback', place => ({ ...own, paths: place.scopes(paths) }), 'back');
}
