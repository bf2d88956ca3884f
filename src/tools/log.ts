/** log: the edits, newest first. */

import * as z from 'zod';
import { parseSince } from '../queries/log/since.ts';
import { defineTool, type Tool } from './tool.ts';

const DEFAULT_LIMIT = 20;

export const logTool: Tool = defineTool({
  name: 'log',
  title: 'History of edits',
  description:
    'List edits, newest first: commit, time, who and what; with what became of each. Prefer it to learn what was edited, and why.',
  input: () => ({
    path: z.string().optional().describe('Only edits of this file or folder.'),
    session: z.string().optional().describe('Only edits of this session.'),
    agent: z.string().optional().describe('Only edits of this agent.'),
    turn: z.string().optional().describe('Only edits of this turn, or latest.'),
    op: z.string().optional().describe('Only edits of this kind, such as str_replace.'),
    since: z.string().optional().describe('Only edits since this time: ISO 8601, or "2 hours ago".'),
    limit: z.int().positive().optional().describe(`How many; default ${DEFAULT_LIMIT}.`),
  }),
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
