/** log: the edits, newest first. */

import { parseSince } from '../queries/log/since.ts';
import { type Command, command, may } from './command.ts';
import { onlyOf } from './fields.ts';
import { dateOption, wordOptions } from './options.ts';
import type { Use } from './use.ts';

const DEFAULT_LIMIT = 20;

export const log: Command = command({
  name: 'log',
  title: 'History of edits',
  description:
    'List edits, newest first: commit, time, who and what; with what became of each. Prefer it to learn what was edited, and why.',
  fields: {
    path: onlyOf('Only edits of this file or folder.', { flag: '--path <path>' }),
    session: may('text', 'Only edits of this session.', { flag: '--session <id>' }),
    agent: may('text', 'Only edits of this agent.', { flag: '--agent <name>' }),
    turn: may('text', 'Only edits of this turn, or latest.', { flag: '--turn <id>' }),
    op: may('text', 'Only edits of this kind, such as str_replace.', { flag: '--op <name>' }),
    since: may('time', 'Only edits since this time: ISO 8601, or "2 hours ago".', { flag: '--since <time>' }),
    limit: may('count', `How many; default ${DEFAULT_LIMIT}.`, {
      aliases: ['n', 'count', 'max_count'],
      flag: '-n, --max-count <n>',
    }),
  },
  example: { path: 'src/auth.ts', limit: 5 },
  run: (session, { since, limit, ...rest }) =>
    session.log({
      ...rest,
      limit: limit ?? DEFAULT_LIMIT,
      since: since === undefined ? undefined : parseSince(since),
    }),
});

export const line: Use = {
  details:
    'What landed names the commit of the branch that says so. A picture is drawn by git: git log --graph vedit/main.',
  arguments: [
    [
      '[revisions]',
      'only those after one commit and up to another, as main..@ or ~5..; or up to one',
      'commit',
    ],
    ['[path]', 'only edits of this file or folder; after -- a path may be named as a commit is'],
  ],
  options: [
    ['--author <text>', 'only those whose author’s name or address holds this'],
    ['-S, --search <text>', 'only those that put this text in, or took it out'],
    ['--reverse', 'the oldest of them first'],
    ['--oneline', 'one line each: when, who, what, where and why'],
    ['--stat', 'with how much changed in which file'],
    ['-p, --patch', 'with the diffs'],
    ['--refusals', 'what was refused instead, where --record-refusals kept it'],
    dateOption,
    ...wordOptions,
  ],
  examples: [
    ['vedit log --oneline -5', 'as -n 5'],
    ['vedit log src/auth.ts -p', 'every edit of a file'],
    ['vedit log ~3..', 'the newest three'],
    ['vedit log -S parseToken', 'what put it in or took it out'],
    ['vedit log --agent reviewer --since "2 hours ago" --stat', ''],
    ['vedit log --turn latest --oneline', 'what an agent did for the last prompt'],
    ['vedit log --json | jq -r .subject', 'one JSON object a line'],
    ['vedit log --refusals --oneline', 'what agents tried in vain'],
  ],
};
