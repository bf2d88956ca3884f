/** undo: take back the newest edits, or one that is named. */

import { type Command, command, may, RECORDED } from './command.ts';
import { onlyOf, scopeOf, stillSo, whichEdits } from './fields.ts';
import { UsageError, wholeNumber } from './usage.ts';
import { type Use, use } from './use.ts';

export const undo: Command = command({
  name: 'undo',
  title: 'Undo edits',
  description:
    'Take back your newest edits, or a turn. Prefer it to typing the old text again. Refused as CONFLICT if the same lines changed since.',
  fields: {
    ...whichEdits,
    path: onlyOf('Only edits of this file or folder.', { flag: '--path <path>' }),
    turn: may('text', 'All edits of this turn, or latest.', { flag: '--turn <id>' }),
    rest: may('flag', 'Of a turn: what can be undone.', { flag: '--rest' }),
    ...stillSo,
  },
  common: RECORDED,
  example: { count: 1 },
  run: (session, input) => session.undo(input),
});

export const line: Use = /* @__PURE__ */ use({
  details:
    'An undo is a commit like any other, and can be redone. Without --session anybody’s newest edits are taken back, with ' +
    'it those of that session. What others changed since in other lines stays; where they changed the same lines, the undo is ' +
    'refused. With a commit it is vedit revert: that edit is taken back, whenever it was made.',
  arguments: [
    [
      '[what]',
      'how many edits, at most 999; default 1; or one edit: an id, or ~N; or a file or folder',
      'commit',
    ],
  ],
  examples: [
    ['vedit undo', 'like Ctrl-Z'],
    ['vedit undo 3 -n', 'what taking back three would do'],
    ['vedit undo 1a2b3c4', 'that edit'],
    ['vedit undo src/auth.ts', 'the last edit of a file'],
    ['vedit undo --turn latest', 'all that an agent did for the last prompt'],
    ['vedit undo --session 7f3a', 'only what that session did'],
  ],
  inSession: input => !('commit' in input),
  async read([what], options, line) {
    const { turn, path } = options;
    const isFile = what !== undefined && line.isFile(what);
    if (isFile && isCommit(what) && (await line.isEdit(what)))
      throw new UsageError(
        `${what} is both a file and an edit: ./${what} is the file; vedit revert ${what} takes the edit back`,
      );
    if (what !== undefined && isCommit(what) && !isFile) {
      if (turn !== undefined) throw new UsageError('a turn is taken back as a whole: name no edit with it');
      if (path !== undefined) throw new UsageError('one edit is taken back whole: leave --path out');
      return { commit: what };
    }
    const file = what === undefined || /^\d{1,3}$/.test(what) ? undefined : what;
    if (file !== undefined && path !== undefined)
      throw new UsageError('the path is given twice: leave --path out');
    if (file !== undefined) return { path: file, scope: scopeOf(options) };
    if (what !== undefined && turn !== undefined)
      throw new UsageError('a turn is taken back as a whole: leave the number out');
    const count = turn === undefined ? wholeNumber('N', what ?? '1', 1) : undefined;
    return { count, scope: scopeOf(options) };
  },
  run: (session, { commit, ...input }: { commit?: string }) =>
    commit === undefined ? session.undo(input) : session.revert(commit, input),
});

/** Nobody takes back a thousand edits, and an id may be all digits. */
function isCommit(what: string): boolean {
  return /^\d{4,}$/.test(what) || /^[~@]|^[0-9a-f]{4,40}([~^].*)?$/i.test(what);
}
