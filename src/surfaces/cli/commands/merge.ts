/** merge: the edits of another clone come into the own history and files. */

import { attempt } from '../attempt.ts';
import { type CliCommand, defineCommand } from '../command.ts';
import { type WriterOptions, writerOptions } from '../input/options.ts';
import { UsageError } from '../input/usage.ts';
import { runWork } from '../views/done.ts';

interface Options extends WriterOptions {
  edits?: string;
  keep?: 'mine' | 'theirs';
}

export const merge: CliCommand = defineCommand<Options>({
  details:
    'One commit with both histories behind it, by three-way merge; what you typed and did not save in history is recorded ' +
    'first. Where both sides changed the same lines, nothing is merged, and both sides are named. A peer that stands on commits ' +
    'that are not here is refused, with where to get them. vedit undo takes a merge back, vedit revert one edit of it.',
  arguments: [
    ['[peer]', 'a history of another clone, <clone>/<branch>, or a clone that has one (vedit peers)'],
    ['[paths...]', 'with --keep: only these files', 'file'],
  ],
  options: [
    { flags: '--edits <range>', description: 'only these edits of it: <after>..<last>, or one commit' },
    {
      flags: '--keep <side>',
      description: 'take files whole from one side where both changed the same lines: mine or theirs',
      words: ['mine', 'theirs'],
    },
    // Done twice, nothing is left to do.
    ...writerOptions.filter(({ flags }) => !flags.startsWith('--edit-id')),
  ],
  examples: [
    ['vedit merge ada-12345678 -n', 'what would come'],
    ['vedit merge ada-12345678/main', ''],
    ['vedit merge ada-12345678/main --keep theirs src/auth.ts', ''],
    ['vedit merge ada-12345678/main --edits ~2..@', 'her last two edits'],
  ],
  run: call => {
    const { edits, keep, dryRun, reason, agent, session } = call.options;
    const [peer = '', ...files] = call.args;
    if (files.length > 0 && keep === undefined)
      throw new UsageError('files go with --keep mine or --keep theirs: the others merge by themselves');
    return runWork(call, ({ workspace, place }) => {
      const paths = files.length > 0 ? files.map(file => place.path(file)) : undefined;
      const input = { peer, edits, keep, paths, dryRun, reason, agent, session };
      return attempt(() => workspace.merge(input));
    });
  },
});
