/** rollback: makes all files that were edited since a commit what they were in it. */

import { type CliCommand, defineCommand } from '../command.ts';
import { backOptions } from '../input/options.ts';
import { runWriter } from '../run.ts';
import { scopeOf } from './undo.ts';

export const command: CliCommand = defineCommand({
  details:
    'Files that came since go. What others changed since the newest edit stays, or the rollback is refused. Files that were ' +
    'never edited through vedit stay as they are. It is a commit like any other: history keeps everything since, secrets ' +
    'too, and vedit undo takes it back.',
  arguments: [
    ['<commit>', 'an id, or ~N for N commits back'],
    ['[paths...]', 'only these files or folders', 'file'],
  ],
  options: [
    [
      '--with-others',
      'with --session and ~N: also what other sessions edited since, which is refused otherwise',
    ],
    ...backOptions,
  ],
  examples: [
    ['vedit rollback ~3', 'everything that was edited in the last three commits'],
    ['vedit rollback 1a2b3c4 src -n', 'what that would do, below src'],
  ],
  run(call) {
    const [commit, ...paths] = call.args;
    const with_others = call.options.withOthers || scopeOf(call) === 'trail';
    return runWriter(
      call,
      'rollback',
      place => ({ commit, with_others, paths: place.scopes(paths) }),
      'back',
    );
  },
});
