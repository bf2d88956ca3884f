/** context_patch: hunks of one file, placed by their lines and by `@@` anchors. */

import * as z from 'zod';
import { EditError } from '../errors.ts';
import { type Edit, ownEdit } from './edit.ts';
import { filePath, text } from './fields.ts';
import { parseContextPatch } from './patch/context-form.ts';
import type { Format, Patch } from './patch/patch.ts';
import { namesFile } from './patch/patch-text.ts';
import { patchEdit } from './patch/plan-patch.ts';

export interface ContextPatchInput {
  path: string;
  patch_text: string;
}

const input = () =>
  z.strictObject({
    path: filePath(),
    patch_text: text(
      'Hunks, with or without "*** Begin Patch", "*** Update File: path" before and "*** End Patch" after them.',
    ),
  });

const format: Format = { word: 'hunk', ordered: true, bareTail: true, addsToEmptyEnd: true, finalLine: true };

export const contextPatch: Edit<ContextPatchInput, 'context_patch'> = ownEdit({
  name: 'context_patch',
  description:
    'Change one file by hunks: "@@", or "@@ " and a whole line that occurs once, then lines that begin with " " ' +
    '(context), "-" (removed) or "+" (added). Lines are added after the anchor, or next to the context given. Each hunk ' +
    'must fit at exactly one place, or at the first after its anchor; hunks are in the order of the file. Prefer it for several places of one file.',
  input,
  aliases: { path: ['file_path', 'file', 'filename'], patch_text: ['patch', 'diff'] },
  example: {
    path: 'src/app.ts',
    patch_text: '@@ function start() {\n-  listen(80);\n+  listen(8080);',
  },
  addressesLines: false,
  ...patchEdit(format, parse),
});

function parse({ path, patch_text }: ContextPatchInput): Patch {
  const { named, hunks } = parseContextPatch(patch_text);
  if (named !== null && !namesFile(named, path)) throw otherFile(path, named);
  return { operations: [{ kind: 'update', at: 1, path, hunks }], notes: [] };
}

function otherFile(path: string, named: string): EditError {
  const message = `The header of patch_text names ${JSON.stringify(named)}, but path is ${JSON.stringify(path)}. Nothing was changed. Name the same file in both, or leave the header out.`;
  return new EditError('INVALID_INPUT', message, { path, named, fields: ['path', 'patch_text'] });
}
