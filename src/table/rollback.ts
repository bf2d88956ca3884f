/** rollback: what the engine changed since a commit becomes as it was then. */

import { type Command, command, may, must, RECORDED } from './command.ts';
import { scopeOf, stillSo } from './fields.ts';
import { type Use, use } from './use.ts';

export const rollback: Command = command({
  name: 'rollback',
  title: 'Roll back to a commit',
  description:
    'Make every file that was edited since a commit what it was then. Prefer it only to drop all work since. Itself an edit: undo takes it back.',
  fields: {
    commit: must('text', 'An id, or ~N for N commits back.', {
      aliases: ['to', 'revision'],
      arg: '<commit>',
    }),
    paths: may('paths', 'Only these files or folders.', { arg: '[paths...]' }),
    with_others: may('flag', 'Also what other sessions edited since: with ~N that is refused otherwise.', {
      flag: '--with-others',
    }),
    ...stillSo,
  },
  common: RECORDED,
  example: { commit: '~3' },
  run: (session, { commit, ...options }) => session.rollback(commit, options),
});

export const line: Use = /* @__PURE__ */ use({
  details:
    'Files that came since go. What others changed since the newest edit stays, or the rollback is refused. Files that were ' +
    'never edited through vedit stay as they are. It is a commit like any other: history keeps everything since, secrets ' +
    'too, and vedit undo takes it back.',
  examples: [
    ['vedit rollback ~3', 'everything that was edited in the last three commits'],
    ['vedit rollback 1a2b3c4 src -n', 'what that would do, below src'],
  ],
  inSession: () => true,
  read: (_, options) => ({ with_others: options.withOthers || scopeOf(options) === 'trail' }),
});
