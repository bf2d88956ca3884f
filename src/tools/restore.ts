/** restore: files as they were. */

import * as z from 'zod';
import * as option from '../engine/calls/option.ts';
import { restoreFields } from '../engine/undo/back-fields.ts';
import { defineTool, type Tool } from './tool.ts';

export const restoreTool: Tool = defineTool({
  name: 'restore',
  title: 'Restore files',
  description:
    'Make a file, or the edited files of a folder, what they were in a commit. Prefer it for one file that is lost or spoiled. Without `from` it brings back what was lost outside, such as by git reset or git clean.',
  input: {
    path: () =>
      z.string().describe('The file, or a folder: the files in it that were edited. `.` is all of them.'),
    from: () => option.text('The commit to take it from: an id, or ~N. Default: the newest edit.'),
    ...restoreFields,
  },
  aliases: { path: ['file_path', 'file'], from: ['commit', 'revision', 'source'] },
  example: { path: 'src/auth.ts', from: '~3' },
  readOnly: false,
  run: (session, { path, from, ...options }) => session.restore(path, from, options),
});
