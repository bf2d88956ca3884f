/** show: one commit with its diff. */

import { type Command, command, may } from './command.ts';
import { dateOption, statOption, wordOptions } from './options.ts';
import type { Use } from './use.ts';

export const show: Command = command({
  name: 'show',
  title: 'Show one edit',
  description: 'Show one commit: who, when, why, and its diff. Prefer it for all of one edit.',
  fields: {
    commit: may('text', 'An id, @ (the newest, default) or ~N.', {
      aliases: ['revision', 'id'],
      arg: '[rev]',
    }),
  },
  example: { commit: '@' },
  run: (session, { commit }) => session.show(commit ?? '@'),
});

export const line: Use = {
  details: 'Of a commit that joins two histories, what it brought to the first of them is shown.',
  options: [statOption, dateOption, ...wordOptions],
  examples: [
    ['vedit show', 'the last edit'],
    ['vedit show ~3 --stat', ''],
    ['vedit show 1a2b3c4', ''],
  ],
};
