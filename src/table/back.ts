/** The ways back: undo, redo, revert, rollback and restore. */

import {
  type Command,
  command,
  file,
  may,
  must,
  onlyOf,
  RECORDED,
  scopeOf,
  stillSo,
  whichEdits,
} from './command.ts';
import { UsageError, type Use, use, wholeNumber } from './use.ts';

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

export const undoLine: Use = /* @__PURE__ */ use({
  details:
    'An undo is a commit like any other, and can be redone. Without --session anybody’s newest edits are taken back, with it those of that session. What others changed since in other lines stays; where they changed the same lines, the undo is refused. With a commit it is vedit revert: that edit is taken back, whenever it was made.',
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

export const redo: Command = command({
  name: 'redo',
  title: 'Redo edits',
  description:
    'Put back the edits that you undid last. Prefer it where an undo was wrong. A new edit ends what can be put back.',
  fields: {
    ...whichEdits,
    path: onlyOf('Only edits of this file or folder.'),
    ...stillSo,
  },
  common: RECORDED,
  example: { count: 1 },
  run: (session, input) => session.redo(input),
});

export const redoLine: Use = /* @__PURE__ */ use({
  details: 'A new edit after an undo ends what can be put back.',
  arguments: [['[n]', 'how many edits; default 1']],
  examples: [['vedit redo', 'the opposite of vedit undo']],
  inSession: () => true,
  read: ([count = '1'], options) => ({ count: wholeNumber('N', count, 1), scope: scopeOf(options) }),
});

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

export const revertLine: Use = /* @__PURE__ */ use({
  details:
    'All later edits stay: the edit is taken out by a three-way merge. Where later text depends on it, the revert is refused with the lines, and nothing is written. A revert is a commit like any other: vedit undo takes it back.',
  examples: [
    ['vedit revert 1a2b3c4', ''],
    ['vedit revert ~2 -n', 'what it would do'],
    ["vedit revert 1a2b3c4 -m 'the limit was right'", ''],
  ],
});

export const rollback: Command = command({
  name: 'rollback',
  title: 'Roll back to a commit',
  description:
    'Take back every edit since a commit; what people typed stays. Prefer it only to drop all work since. Itself an edit: undo takes it back.',
  fields: {
    commit: must('text', 'An id, or ~N for N commits back.', {
      aliases: ['to', 'revision'],
      arg: '<commit>',
    }),
    paths: may('paths', 'Only these files or folders.', { arg: '[paths...]' }),
    with_others: may('flag', 'Also what other sessions edited since: with ~N that is refused otherwise.', {
      flag: '--with-others',
    }),
    ...stillSo,
  },
  common: RECORDED,
  example: { commit: '~3' },
  run: (session, { commit, ...options }) => session.rollback(commit, options),
});

export const rollbackLine: Use = /* @__PURE__ */ use({
  details:
    'Files that came since go. What people typed since stays, and is told, or the rollback is refused. It is a commit like any other: history keeps everything since, secrets too, and vedit undo takes it back.',
  examples: [
    ['vedit rollback ~3', 'everything that was edited in the last three commits'],
    ['vedit rollback 1a2b3c4 src -n', 'what that would do, below src'],
  ],
  inSession: () => true,
  read: (_, options) => ({ with_others: options.withOthers || scopeOf(options) === 'trail' }),
});

export const restore: Command = command({
  name: 'restore',
  title: 'Restore files',
  description:
    'Make a file, or the edited files of a folder, what they were in a commit. Prefer it for one file that is lost or spoiled. Without `from` it brings back what was lost outside, such as by git reset or git clean.',
  fields: {
    path: file('The file, or a folder: the files in it that were edited. `.` is all of them.'),
    from: may('text', 'The commit to take it from: an id, or ~N. Default: the newest edit.', {
      aliases: ['commit', 'revision', 'source'],
      flag: '--at <rev>',
    }),
    missing: may(
      'flag',
      'Only files that are gone, or as HEAD has them: so it is where no commit is named, too.',
      {
        flag: '--missing',
      },
    ),
    ...stillSo,
  },
  common: RECORDED,
  example: { path: 'src/auth.ts', from: '~3' },
  run: (session, options) => session.restore(options),
});

export const restoreLine: Use = /* @__PURE__ */ use({
  details:
    'Several files are one commit: all of them, or none. A folder stands for the files in it that were edited through vedit. Without --at, and with --missing, only files that are gone or as HEAD has them come back, as after git reset --hard and git clean. What others changed since the newest edit stays, or the restore is refused. It is a commit like any other: vedit undo takes it back.',
  arguments: [['[paths...]', 'files, or folders; with --missing all of them where none is named']],
  examples: [
    ['vedit restore src/auth.ts --at ~3', ''],
    ['vedit restore a.txt b.txt --at ~3', 'two files, one commit'],
    ['vedit restore --missing -n', 'what git reset --hard and git clean took, to look at first'],
    ['vedit restore src', 'what they took below src'],
  ],
  read(paths, { missing, versionOf }) {
    if (paths.length === 0 && !missing)
      throw new UsageError(
        'name the files or folders to restore, or give --missing for all that is gone; vedit rollback is for all files',
      );
    if (paths.length > 1 && versionOf !== undefined)
      throw new UsageError('a version is one file’s: with --version-of name one file');
    return { paths };
  },
  run: (session, { paths: path = ['.'], ...options }: { paths?: string[] }) =>
    session.restore({ path, ...options }),
});
