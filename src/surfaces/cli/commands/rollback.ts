/** rollback: the files edited since a commit become what they were then. */

import { meansAll, runBack } from '../back.ts';
import { type CliCommand, defineCommand } from '../command.ts';
import { type BackOptions, backOptions } from '../input/options.ts';

interface Options extends BackOptions {
  withOthers?: boolean;
}

export const rollback: CliCommand = defineCommand<Options>({
  details:
    'A rollback is a commit on top: history keeps everything since, secrets too, and vedit undo takes the rollback back. ' +
    'Only files that were edited through vedit since then are touched. Without --session anybody’s edits are taken back; ' +
    'with it, a rollback by ~N that would take back what other sessions edited is refused, with their names.',
  arguments: [
    ['<rev>', 'a commit: an id, or ~N for N commits back'],
    ['[paths...]', 'only these files or folders'],
  ],
  options: [
    {
      flags: '--with-others',
      description: 'also what other sessions edited since: with --session and ~N that is refused otherwise',
    },
    ...backOptions,
  ],
  examples: [
    ['vedit rollback ~3', 'the last three commits'],
    ['vedit rollback ~3 --base 5e6f7a8', 'counted from there: refused if there are newer ones'],
    ['vedit rollback 1a2b3c4 src -n', 'what it would do, below src'],
  ],
  run(call) {
    const [commit, ...paths] = call.args;
    const with_others = call.options.withOthers || meansAll(call);
    return runBack(
      call,
      'rollback',
      ({ place }) => {
        const scopes = paths.map(path => place.scope(path));
        const only = scopes.filter(path => path !== undefined);
        const isScoped = only.length === scopes.length && only.length > 0;
        return { commit, with_others, paths: isScoped ? only : undefined };
      },
      'back',
    );
  },
});
