/** rollback: the files edited since a commit become what they were then. */

import { type CliCommand, defineCommand } from '../command.ts';
import { runWriter } from '../done.ts';
import { type WriterOptions, writerOptions } from '../options.ts';

export const rollback: CliCommand = defineCommand<WriterOptions>({
  details:
    'A rollback is a commit on top: history keeps everything since, secrets too, and vedit undo takes the rollback back. ' +
    'Only files that were edited through vedit since then are touched.',
  arguments: [
    ['<rev>', 'a commit: an id, or ~N for N commits back'],
    ['[paths...]', 'only these files or folders'],
  ],
  options: writerOptions,
  examples: [
    ['vedit rollback ~3', 'the last three commits'],
    ['vedit rollback 1a2b3c4 src -n', 'what it would do, below src'],
  ],
  run(call) {
    const [commit, ...paths] = call.args;
    return runWriter(call, 'rollback', ({ place }) => {
      const scopes = paths.map(path => place.scope(path));
      const only = scopes.filter(path => path !== undefined);
      return { commit, ...(only.length === scopes.length && only.length > 0 ? { paths: only } : {}) };
    });
  },
});
