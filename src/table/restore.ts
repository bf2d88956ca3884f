/** restore: files as they were. */

import { type Command, command, may, RECORDED } from './command.ts';
import { file, stillSo } from './fields.ts';
import { UsageError } from './usage.ts';
import { type Use, use } from './use.ts';

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
    missing: may('flag', 'Only files that are gone, or as HEAD has them: so it is without `from`, too.', {
      flag: '--missing',
    }),
    ...stillSo,
  },
  common: RECORDED,
  example: { path: 'src/auth.ts', from: '~3' },
  run: (session, options) => session.restore(options),
});

export const line: Use = /* @__PURE__ */ use({
  details:
    'Several files are one commit: all of them, or none. A folder stands for the files in it that were edited through vedit. Without ' +
    '--at, and with --missing, only files that are gone or as HEAD has them come back, as after git reset --hard and git clean. What ' +
    'others changed since the newest edit stays, or the restore is refused. It is a commit like any other: vedit undo takes it back.',
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
