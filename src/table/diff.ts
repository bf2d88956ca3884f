/** diff: between two points of history. */

import { type Command, command, may } from './command.ts';
import { onlyOf } from './fields.ts';
import { statOption, wordOptions } from './options.ts';
import { UsageError } from './usage.ts';
import { type Use, use } from './use.ts';

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

export const line: Use = /* @__PURE__ */ use({
  details:
    'Without A: all that was edited beside your branch, or the last commit where the history is the branch itself. ' +
    'A file that was renamed is shown as git diff -M shows it. With --turn, files that others changed in between are shown in several parts. --outside looks at the files that were edited, and at the one that --path names.',
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
