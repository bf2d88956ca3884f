/** log: the edits, newest first. */

import * as option from '../engine/calls/option.ts';
import { parseSince } from '../queries/log/since.ts';
import { defineTool, type Tool } from './tool.ts';

const DEFAULT_LIMIT = 20;

export const logTool: Tool = defineTool({
  name: 'log',
  title: 'History of edits',
  description:
    'List edits, newest first: commit, time, who and what; with what became of each. Prefer it to learn what was edited, and why.',
  input: {
    path: () => option.text('Only edits of this file or folder.'),
    session: () => option.text('Only edits of this session.'),
    agent: () => option.text('Only edits of this agent.'),
    turn: () => option.text('Only edits of this turn, or latest.'),
    op: () => option.text('Only edits of this kind, such as str_replace.'),
    since: () => option.text('Only edits since this time: ISO 8601, or "2 hours ago".'),
    limit: () => option.positive(`How many; default ${DEFAULT_LIMIT}.`),
  },
  aliases: { path: ['file_path', 'filePath', 'file'], limit: ['n', 'count', 'max_count'] },
  example: { path: 'src/auth.ts', limit: 5 },
  readOnly: true,
  run: (session, { since, limit, ...rest }) =>
    session.log({
      ...rest,
      limit: limit ?? DEFAULT_LIMIT,
      since: since === undefined ? undefined : parseSince(since),
    }),
});
