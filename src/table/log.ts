/** log: the edits, newest first. */

import { parseSince } from '../queries/log/since.ts';
import { type Command, command, may } from './command.ts';
import { onlyOf } from './fields.ts';

const DEFAULT_LIMIT = 20;

export const log: Command = command({
  name: 'log',
  title: 'History of edits',
  description:
    'List edits, newest first: commit, time, who and what; with what became of each. Prefer it to learn what was edited, and why.',
  fields: {
    path: onlyOf('Only edits of this file or folder.'),
    session: may('text', 'Only edits of this session.'),
    agent: may('text', 'Only edits of this agent.'),
    turn: may('text', 'Only edits of this turn, or latest.'),
    op: may('text', 'Only edits of this kind, such as str_replace.'),
    since: may('text', 'Only edits since this time: ISO 8601, or "2 hours ago".'),
    limit: may('count', `How many; default ${DEFAULT_LIMIT}.`, { aliases: ['n', 'count', 'max_count'] }),
  },
  example: { path: 'src/auth.ts', limit: 5 },
  run: (session, { since, limit, ...rest }) =>
    session.log({
      ...rest,
      limit: limit ?? DEFAULT_LIMIT,
      since: since === undefined ? undefined : parseSince(since),
    }),
});
