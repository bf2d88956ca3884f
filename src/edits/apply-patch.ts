/** apply_patch: the `*** Begin Patch` format for several files, and its one-file form. */

import * as z from 'zod';
import { EditError } from '../errors.ts';
import { fieldName, toolName } from '../wording.ts';
import { type Edit, ownEdit } from './edit.ts';
import { optionalText } from './fields.ts';
import type { Format, Patch } from './patch/patch.ts';
import { patchEdit } from './patch/plan-patch.ts';
import { parseCreate, parseDelete, parseEnvelope, parseUpdate } from './patch/v4a/envelope.ts';

/** Names of the one-file operations, also as OpenAI's tools send them. */
export type PatchOperation = 'create' | 'update' | 'delete' | 'create_file' | 'update_file' | 'delete_file';

const OPERATIONS = ['create', 'update', 'delete', 'create_file', 'update_file', 'delete_file'] as const;

export interface ApplyPatchInput {
  /** The whole patch; or `path` and `diff` for one file. */
  patch?: string | null | undefined;
  path?: string | null | undefined;
  diff?: string | null | undefined;
  operation?: PatchOperation | null | undefined;
  move_to?: string | null | undefined;
}

const input = () =>
  z.strictObject({
    patch: optionalText(
      'The whole patch, from "*** Begin Patch" to "*** End Patch": several files, all of them or none.',
    ),
    path: z.string().min(1).nullish().describe('Instead of patch, with diff: the one file that diff is for.'),
    diff: optionalText('The part of a patch for that file, without its header lines.'),
    operation: z
      .enum(OPERATIONS)
      .nullish()
      .describe('What diff does to path: create, update (the default) or delete.'),
    move_to: z.string().min(1).nullish().describe('Where an updated file goes.'),
  });

const format: Format = { word: 'hunk', ordered: true, unmarked: true, bareTail: true, finalLine: true };

export const applyPatch: Edit<ApplyPatchInput, 'apply_patch'> = ownEdit({
  name: 'apply_patch',
  description:
    'Apply a patch in the format "*** Begin Patch" ... "*** End Patch" with "*** Add File: path" (all lines "+"), ' +
    '"*** Update File: path" (optionally "*** Move to: path", then hunks) and "*** Delete File: path". A hunk is "@@", or ' +
    '"@@ " and a whole line of the file that it comes after, then lines that begin with " ", "-" or "+". It must fit at ' +
    'exactly one place; hunks are in the order of the file. All files or none. Prefer it for several files or places at once.',
  input,
  aliases: {
    patch: ['input', 'patch_text'],
    path: ['file_path', 'file', 'filename'],
    operation: ['type', 'mode', 'action'],
    move_to: ['new_path', 'to'],
  },
  example: {
    patch:
      '*** Begin Patch\n*** Update File: src/app.ts\n@@ function start() {\n-  listen(80);\n+  listen(8080);\n*** End Patch',
  },
  addressesLines: false,
  ...patchEdit(format, parse),
});

function parse({ patch, path, diff, operation, move_to }: ApplyPatchInput): Patch {
  if (patch != null) {
    checkAbsent({ path, diff, operation, move_to }, `${fieldName('patch')} holds the paths itself`);
    return parseEnvelope(patch);
  }
  if (path == null)
    throw missing(
      'patch',
      `Send the whole patch as ${fieldName('patch')}, or ${fieldName('path')} and ${fieldName('diff')} for one file.`,
    );
  const kind = (operation ?? 'update').replace('_file', '');
  if (kind !== 'update') checkAbsent({ move_to }, 'only an update can move a file');
  if (kind === 'delete') return parseDelete(path, diff ?? '');
  if (diff == null && (kind === 'create' || move_to == null))
    throw missing('diff', 'Send the lines of the patch.');
  return kind === 'create' ? parseCreate(path, diff!) : parseUpdate(path, diff ?? '', move_to ?? undefined);
}

function checkAbsent(fields: Record<string, unknown>, why: string): void {
  const given = Object.keys(fields).filter(name => fields[name] != null);
  if (given.length === 0) return;
  const message = `${toolName('apply_patch')}: leave ${given.map(fieldName).join(', ')} out, ${why}. Nothing was changed.`;
  throw new EditError('INVALID_INPUT', message, { fields: given });
}

function missing(field: string, advice: string): EditError {
  return new EditError(
    'INVALID_INPUT',
    `${toolName('apply_patch')}: ${fieldName(field)} is missing. ${advice}`,
    { fields: [field] },
  );
}
