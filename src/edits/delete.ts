/** delete: a file goes away; its content stays in history. */

import * as z from 'zod';
import { defineEdit, type Edit, presentFile } from './edit.ts';

export interface DeleteInput {
  path: string;
}

const input = z.strictObject({
  path: z.string().min(1).describe('File to delete, relative to the workspace.'),
});

export const deleteFile: Edit<DeleteInput, 'delete'> = defineEdit({
  name: 'delete',
  description: 'Delete a file. Its content stays in history, so this can be undone.',
  input,
  aliases: { path: ['file_path', 'file', 'filename'] },
  example: { path: 'src/old.ts' },
  addressesLines: false,
  paths: ({ path }) => [path],
  plan({ path }, files) {
    presentFile(files, path);
    return [{ kind: 'delete', path }];
  },
});
