/** move: a file gets another path, with its content and mode, or a folder with all its files. */

import * as z from 'zod';
import { EditError } from '../errors.ts';
import { fieldName, ifOption, pathName } from '../wording.ts';
import { type Edit, noChange, ownEdit, presentFile, withoutSlash } from './edit.ts';
import { filePath, flag } from './fields.ts';

export interface MoveInput {
  path: string;
  new_path: string;
  overwrite?: boolean | null | undefined;
}

const input = () =>
  z.strictObject({
    path: filePath('File or folder to move or rename, relative to the workspace.'),
    new_path: filePath('Where it goes; missing folders are made.'),
    overwrite: flag('true: replace the file at new_path if there is one.'),
  });

export const move: Edit<MoveInput, 'move'> = ownEdit({
  name: 'move',
  description:
    'Move or rename a file, or a folder with all its files. Prefer it to mv: it can be undone. A file at new_path is refused unless overwrite is true; a folder there always is.',
  input,
  aliases: {
    path: ['old_path', 'file_path', 'file', 'from', 'source'],
    new_path: ['to', 'destination', 'new_file_path', 'target'],
  },
  example: { path: 'src/util.ts', new_path: 'src/text.ts' },
  addressesLines: false,
  paths: ({ path, new_path }) => [path, new_path],
  folder: {
    path: ({ path }) => path,
    to: ({ new_path }) => new_path,
    each: (given, below) => ({
      ...given,
      path: withoutSlash(given.path) + below,
      new_path: withoutSlash(given.new_path) + below,
    }),
  },
  plan({ path, new_path, overwrite }, files) {
    const file = presentFile(files, path, 'move');
    // Also under another spelling, such as ./a for a, or by way of a link.
    if (files.get(new_path) === file)
      throw noChange(path, `${fieldName('path')} and ${fieldName('new_path')} are the same.`);
    if (files.get(new_path) && !overwrite) {
      const message = `${pathName(new_path)} exists already, so ${pathName(path)} was not moved there. Choose another ${fieldName('new_path')}${ifOption('overwrite', true, option => `, or send ${option} to replace that file`)}.`;
      throw new EditError('FILE_EXISTS', message, { path: new_path, can_overwrite: true });
    }
    return [{ kind: 'move', path, to: new_path, spans: [] }];
  },
});
