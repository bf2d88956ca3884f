/** show: one commit with its diff. */

import { type Command, command, may } from './command.ts';

export const show: Command = command({
  name: 'show',
  title: 'Show one edit',
  description: 'Show one commit: who, when, why, and its diff. Prefer it for all of one edit.',
  fields: {
    commit: may('text', 'An id, @ (the newest, default) or ~N.', { aliases: ['revision', 'id'] }),
  },
  example: { commit: '@' },
  run: (session, { commit }) => session.show(commit ?? '@'),
});
