/** restore: files as they were. */

import { type Command, command, may, RECORDED } from './command.ts';
import { file, stillSo } from './fields.ts';

export const restore: Command = command({
  name: 'restore',
  title: 'Restore files',
  description:
    'Make a file, or the edited files of a folder, what they were in a commit. Prefer it for one file that is lost or spoiled. Without `from` it brings back what was lost outside, such as by git reset or git clean.',
  fields: {
    path: file('The file, or a folder: the files in it that were edited. `.` is all of them.'),
    from: may('text', 'The commit to take it from: an id, or ~N. Default: the newest edit.', {
      aliases: ['commit', 'revision', 'source'],
    }),
    missing: may('flag', 'Only files that are gone, or as HEAD has them: so it is without `from`, too.'),
    ...stillSo,
  },
  common: RECORDED,
  example: { path: 'src/auth.ts', from: '~3' },
  run: (session, options) => session.restore(options),
});
