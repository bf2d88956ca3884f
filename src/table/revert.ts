/** revert: take one edit out of the middle of history. */

import { type Command, command, must, RECORDED } from './command.ts';
import { stillSo } from './fields.ts';
import type { Use } from './use.ts';

export const revert: Command = command({
  name: 'revert',
  title: 'Revert one edit',
  description:
    'Take one edit back, keeping all later ones. Prefer it for an edit in the middle. Refused as CONFLICT where later text depends on it.',
  fields: {
    commit: must('text', 'The edit: an id, or ~N.', { aliases: ['revision', 'id'], arg: '<rev>' }),
    ...stillSo,
  },
  common: RECORDED,
  example: { commit: '~2' },
  run: (session, { commit, ...options }) => session.revert(commit, options),
});

export const line: Use = {
  details:
    'All later edits stay: the edit is taken out by a three-way merge. Where later text depends on it, the revert is refused ' +
    'with the lines, and nothing is written. A revert is a commit like any other: vedit undo takes it back.',
  examples: [
    ['vedit revert 1a2b3c4', ''],
    ['vedit revert ~2 -n', 'what it would do'],
    ["vedit revert 1a2b3c4 -m 'the limit was right'", ''],
  ],
};
