/** delete: a file goes away, or all files of a folder; the content stays in history. */

import * as z from 'zod';
import { EditError } from '../errors.ts';
import { counted } from '../text/words.ts';
import { ifOption, pathName } from '../wording.ts';
import { type Edit, ownEdit, presentFile, withoutSlash } from './edit.ts';
import { filePath, flag } from './fields.ts';

export interface DeleteInput {
  path: string;
  recursive?: boolean | null | undefined;
}

const input = () =>
  z.strictObject({
    path: filePath('File, or with recursive folder, to delete, relative to the workspace.'),
    recursive: flag(
      'true: path may be a folder, of which all files are deleted. Otherwise a folder is refused.',
    ),
  });

export const deleteFile: Edit<DeleteInput, 'delete'> = ownEdit({
  name: 'delete',
  description:
    'Delete a file, or with recursive all files of a folder. Prefer it to rm: it stays in history, and can be undone.',
  input,
  aliases: { path: ['file_path', 'file', 'filename'] },
  example: { path: 'src/old.ts' },
  addressesLines: false,
  paths: ({ path }) => [path],
  folder: {
    path: ({ path }) => path,
    check({ recursive }, { path, files }) {
      if (recursive) return;
      const message = `${pathName(path)} is a folder with ${counted(files, 'file')} in it and below, so nothing was deleted. Name a file in it${ifOption('recursive', true, option => `, or send ${option} to delete all of them`)}.`;
      throw new EditError('IS_DIRECTORY', message, { path, files });
    },
    each: (given, below) => ({ ...given, path: withoutSlash(given.path) + below }),
  },
  plan({ path }, files) {
    presentFile(files, path, 'delete');
    return [{ kind: 'delete', path }];
  },
});
