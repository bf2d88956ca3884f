/** create: a new file, or a whole file written anew if asked. */

import * as z from 'zod';
import { sameBytes } from '../bytes.ts';
import { EditError } from '../errors.ts';
import { encodeOver } from '../text/document.ts';
import { ifOption, ifTool, Look, pathName } from '../wording.ts';
import { type Edit, noChange, ownEdit } from './edit.ts';
import { filePath, flag, text } from './fields.ts';

export interface CreateInput {
  path: string;
  file_text: string;
  overwrite?: boolean | null | undefined;
}

const input = () =>
  z.strictObject({
    path: filePath('File to create, relative to the workspace; missing folders are made.'),
    file_text: text('The whole content, written exactly as given.'),
    overwrite: flag('true: replace the file if there is one. Otherwise an existing file is refused.'),
  });

export const create: Edit<CreateInput, 'create'> = ownEdit({
  name: 'create',
  description:
    'Create a file with the given content. Prefer it for new files, an edit for others. An existing file is refused unless overwrite is true.',
  input,
  aliases: {
    path: ['file_path', 'file', 'filename'],
    file_text: ['content', 'contents', 'text', 'file_content'],
  },
  example: { path: 'docs/notes.md', file_text: '# Notes\n' },
  addressesLines: false,
  paths: ({ path }) => [path],
  plan({ path, file_text, overwrite }, files) {
    const file = files.get(path) ?? null;
    const same = file !== null && sameBytes(file.bytes, encodeOver(file, file_text));
    if (file !== null && !overwrite) throw exists(path, same);
    if (same) throw noChange(path, 'it has exactly this content already.');
    return [{ kind: 'create', path, text: file_text }];
  },
});

function exists(path: string, same: boolean): EditError {
  const message = same
    ? `${pathName(path)} exists already, with exactly this content: nothing is left to do.`
    : `${pathName(path)} exists already. ${Look()} it and change it${ifTool('str_replace', tool => ` with ${tool}`)}${ifOption('overwrite', true, option => `, or send ${option} to replace all of it`)}.`;
  return new EditError('FILE_EXISTS', message, { path, same_content: same, can_overwrite: !same });
}
