/** The list of edits: a new edit is one file and one line here. */

import { create } from './create.ts';
import { deleteFile } from './delete.ts';
import type { Edit } from './edit.ts';
import { editLines } from './edit-lines.ts';
import { insert } from './insert.ts';
import { move } from './move.ts';
import { replaceLines } from './replace-lines.ts';
import { strReplace } from './str-replace.ts';

export const edits: readonly Edit[] = [strReplace, insert, replaceLines, editLines, create, deleteFile, move];

/** The edit with this name, or `undefined`. */
export function editNamed(name: string): Edit | undefined {
  return edits.find(edit => edit.name === name);
}
