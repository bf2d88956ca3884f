/** The list of edits: a new edit is one file and one line here. */

import { type ApplyPatchInput, applyPatch, type PatchOperation } from './apply-patch.ts';
import { type ContextPatchInput, contextPatch } from './context-patch.ts';
import { type CreateInput, create } from './create.ts';
import { type DeleteInput, deleteFile } from './delete.ts';
import type { Edit } from './edit.ts';
import { type EditLinesInput, editLines, type LineEdit } from './edit-lines.ts';
import { type InsertInput, insert } from './insert.ts';
import { type MoveInput, move } from './move.ts';
import { type MoveLinesInput, moveLines } from './move-lines.ts';
import { type ReplaceLinesInput, replaceLines } from './replace-lines.ts';
import { type ReplaceSymbolInput, replaceSymbol } from './replace-symbol.ts';
import { type SearchReplaceInput, searchReplace } from './search-replace.ts';
import { type StrReplaceInput, strReplace } from './str-replace.ts';
import { type UnifiedDiffInput, unifiedDiff } from './unified-diff.ts';

export type {
  ApplyPatchInput,
  ContextPatchInput,
  CreateInput,
  DeleteInput,
  EditLinesInput,
  InsertInput,
  LineEdit,
  MoveInput,
  MoveLinesInput,
  PatchOperation,
  ReplaceLinesInput,
  ReplaceSymbolInput,
  SearchReplaceInput,
  StrReplaceInput,
  UnifiedDiffInput,
};

export interface EditInputs {
  str_replace: StrReplaceInput;
  insert: InsertInput;
  replace_lines: ReplaceLinesInput;
  edit_lines: EditLinesInput;
  create: CreateInput;
  delete: DeleteInput;
  move: MoveInput;
  apply_patch: ApplyPatchInput;
  context_patch: ContextPatchInput;
  unified_diff: UnifiedDiffInput;
  search_replace: SearchReplaceInput;
  replace_symbol: ReplaceSymbolInput;
  move_lines: MoveLinesInput;
}

export type EditName = keyof EditInputs;

const registry: { readonly [Name in EditName]: Edit<EditInputs[Name], Name> } = {
  str_replace: strReplace,
  insert: insert,
  replace_lines: replaceLines,
  edit_lines: editLines,
  create: create,
  delete: deleteFile,
  move: move,
  apply_patch: applyPatch,
  context_patch: contextPatch,
  unified_diff: unifiedDiff,
  search_replace: searchReplace,
  replace_symbol: replaceSymbol,
  move_lines: moveLines,
};

export const edits: readonly Edit[] = Object.values(registry);

export function editNamed(name: string): Edit | undefined {
  return edits.find(edit => edit.name === name);
}
