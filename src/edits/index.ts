/** The list of edits: a new edit is one file and one line here. */

import { applyPatch } from './apply-patch.ts';
import { contextPatch } from './context-patch.ts';
import { create } from './create.ts';
import { deleteFile } from './delete.ts';
import type { Edit } from './edit.ts';
import { editLines } from './edit-lines.ts';
import { insert } from './insert.ts';
import { move } from './move.ts';
import { replaceLines } from './replace-lines.ts';
import { searchReplace } from './search-replace.ts';
import { strReplace } from './str-replace.ts';
import { unifiedDiff } from './unified-diff.ts';

export const edits: readonly Edit[] = [
  strReplace,
  insert,
  replaceLines,
  editLines,
  create,
  deleteFile,
  move,
  applyPatch,
  contextPatch,
  unifiedDiff,
  searchReplace,
];

/** The edit with this name, or `undefined`. */
export function editNamed(name: string): Edit | undefined {
  return edits.find(edit => edit.name === name);
}
