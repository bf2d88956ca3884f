/** diff: between two points of history. */

import { type Command, command, may } from './command.ts';
import { onlyOf } from './fields.ts';

export const diff: Command = command({
  name: 'diff',
  title: 'Compare',
  description:
    'Show the difference between two commits, or what others changed since the newest, as a unified diff. Prefer it to compare two moments.',
  fields: {
    from: may('text', 'A commit; default: where the agents’ work began.', { aliases: ['a', 'base'] }),
    to: may('text', 'A commit; default: the newest.', { aliases: ['b', 'head'] }),
    path: onlyOf('Only this file or folder.'),
    turn: may('text', 'Instead of two commits: this turn, or latest.'),
    outside: may('flag', 'Instead of two commits: what others changed in the files, not recorded yet.'),
  },
  example: { from: '~2', to: '@' },
  run: (session, options) => session.diff(options),
});
