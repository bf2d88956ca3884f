/** The history, read: log, show, diff, blame, status and verify. */

import { parseSince } from '../queries/log/since.ts';
import type { VerifyData } from '../queries/verify.ts';
import type { Camelled } from '../spelling.ts';
import { type Command, command, file, type InputOf, lines, may, onlyOf } from './command.ts';
import { dateOption, linesOption, statOption, wordOptions } from './options.ts';
import { UsageError, type Use, use } from './use.ts';

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

export const logLine: Use = /* @__PURE__ */ use({
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
});

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

export const showLine: Use = /* @__PURE__ */ use({
  details: 'Of a commit that joins two histories, what it brought to the first of them is shown.',
  options: [statOption, dateOption, ...wordOptions],
  examples: [
    ['vedit show', 'the last edit'],
    ['vedit show ~3 --stat', ''],
    ['vedit show 1a2b3c4', ''],
  ],
});

export const diff: Command = command({
  name: 'diff',
  title: 'Compare',
  description:
    'Show the difference between two commits, or what others changed since the newest, as a unified diff. Prefer it to compare two moments.',
  fields: {
    from: may('text', 'A commit; default: where the agents’ work began.', { aliases: ['a', 'base'] }),
    to: may('text', 'A commit; default: the newest.', { aliases: ['b', 'head'] }),
    path: onlyOf('Only this file or folder.', { flag: '--path <path>' }),
    turn: may('text', 'Instead of two commits: this turn, or latest.', { flag: '--turn <id>' }),
    outside: may('flag', 'Instead of two commits: what others changed in the files, not recorded yet.', {
      flag: '--outside',
    }),
  },
  example: { from: '~2', to: '@' },
  run: (session, options) => session.diff(options),
});

export const diffLine: Use = /* @__PURE__ */ use({
  details:
    'Without A: all that was edited beside your branch, or the last commit where the history is the branch itself. A file that was renamed is shown as git diff -M shows it. With --turn, files that others changed in between are shown in several parts. --outside looks at the files that were edited, and at the one that --path names.',
  arguments: [
    ['[a]', 'a commit, or a range as main..@', 'commit'],
    ['[b]', 'another one; default: the newest', 'commit'],
    ['[path]', 'only this file or folder, also without commits'],
  ],
  options: [statOption, ...wordOptions],
  examples: [
    ['vedit diff', 'everything the agents did'],
    ['vedit diff ~5 ~2 src', 'a stretch of it'],
    ['vedit diff main @ --stat', ''],
    ['vedit diff --turn latest', 'what an agent did for the last prompt'],
    ['vedit diff --outside', 'what the next edit records first'],
  ],
  async read(args, { turn, outside, path: given }, line) {
    const [named, more] = args.filter(one => line.isFile(one));
    if (named !== undefined && (await line.isEdit(named)))
      throw new UsageError(
        `${named} is both a file and a commit: give ./${named} for the file, or ..${named}`,
      );
    if (more ?? (named && given)) throw new UsageError('one path only: a folder, or a file');
    const { from, to } = endsOf(args.filter(one => one !== named));
    if (turn !== undefined && (outside || from !== undefined))
      throw new UsageError('--turn says what is compared: leave A, B and --outside out');
    if (outside && from !== undefined)
      throw new UsageError('--outside compares the files with the newest commit: leave A and B out');
    return { from, to, path: given ?? named };
  },
});

/** Two commits, or one range of them. Throws UsageError. */
function endsOf([from, to]: readonly string[]): { from: string | undefined; to: string | undefined } {
  const [, after, last] = /^(.*?)\.\.(.*)$/.exec(from ?? '') ?? [];
  if (after === undefined || last === undefined) return { from, to };
  if (to !== undefined) throw new UsageError('a range is two commits already: leave B out');
  return { from: after || undefined, to: last || undefined };
}

/** A longer range is cut, with a notice. */
const MAX_LINES = 2_000;

const fields = {
  path: file('The file.'),
  view_range: lines,
  at: may('text', 'A commit; default: the newest.', { aliases: ['commit'], flag: '--at <rev>' }),
} as const;

export const blame: Command = command({
  name: 'blame',
  title: 'Who wrote each line',
  description:
    'Show for each line of a file which edit wrote it: commit, agent, time and kind of edit. Prefer it to learn why a line is there.',
  fields,
  example: { path: 'src/auth.ts', view_range: [1, 20] },
  run: (session, input) => session.blame({ ...input, maxLines: MAX_LINES }),
});

export const blameLine: Use = /* @__PURE__ */ use({
  details:
    'Each line with the commit that wrote it, the agent or person, when, and the reason given, or the kind of edit. Lines are followed through moved files and commits of your own. On a terminal each agent has a colour, and a narrow one shows less of the reason.',
  arguments: [['<file[:A-B]>', 'the file, and the lines wanted']],
  options: [
    linesOption,
    ['-s, --short', 'without who and when'],
    ['-w, --ignore-all-space', 'look past changes of white space alone'],
    dateOption,
  ],
  examples: [
    ['vedit blame src/auth.ts', ''],
    ['vedit blame -L 10,40 src/auth.ts -s', 'some lines; src/auth.ts:10-40 is the same'],
    ['vedit blame src/auth.ts --at ~5', ''],
  ],
  read: ([given], options, line) => ({
    ...line.range(given!, options.lines),
    ignore_space: options.ignoreAllSpace,
  }),
  run: (session, input: Camelled<InputOf<typeof fields>>) => session.blame(input),
});

export const status: Command = command({
  name: 'status',
  title: 'Status of the workspace',
  description:
    'Say where the history is, what its newest commit is, and which edited files others changed since. Prefer it to see where you stand.',
  fields: {},
  example: {},
  run: session => session.status(),
});

export const statusLine: Use = /* @__PURE__ */ use({
  details:
    'Changes of others are looked for in the files that were edited: beside your branch in all that differ from it, and everywhere in those of the newest 100 commits. The other changed files are those of git status whose text no edit explains; the look for them is cut at a second.',
  examples: [
    ['vedit status', ''],
    ['vedit status --json | jq .data.outside', ''],
  ],
});

export const verify: Command = command({
  name: 'verify',
  title: 'Check the history',
  description:
    'Check that every commit of the history can be read, changes what it says and nothing else, and that the files are those of the newest one. Prefer it where history or files look wrong. Changes nothing; lists what is wrong.',
  fields: {
    expect: may(
      'texts',
      'Commits noted earlier (ids) that must still be in the history: one that was cut off is found.',
      { aliases: ['commits', 'expected'], flag: '--expect <commit>' },
    ),
    since: may(
      'text',
      'A commit noted earlier (id), up to which all was sound: only newer commits, and the files that they name, are checked.',
      { aliases: ['after'], flag: '--since <commit>' },
    ),
  },
  example: {},
  run: (session, options) => session.verify(options),
});

export const verifyLine: Use = /* @__PURE__ */ use({
  details:
    'Every commit is read, compared with the one before it and with its own trailers; ways back are worked out again; files that differ from the newest commit are named, which is no fault. A history that was cut off, or rewritten with care, fits together all the same: note the id of the newest commit somewhere else, and expect it. Exits with 5 when a fault is found.',
  examples: [
    ['vedit verify', ''],
    ['vedit verify --expect 1a2b3c4d5e6f', 'also: is what I noted still there?'],
    ['vedit verify --since 1a2b3c4d5e6f', 'only what is newer than what I noted'],
    ['vedit verify --json | jq .data.faults', ''],
  ],
  exit: ({ sound }: VerifyData) => (sound ? undefined : 'faulty'),
  run: (session, options: object, tell) =>
    session.verify({ ...options, onCommit: count => tell(`${count} commits read`) }),
});
