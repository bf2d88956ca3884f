/** preview: the diff that edits would make, or why they would be refused. Nothing is written. */

import * as z from 'zod';
import { editNamed } from '../edits/index.ts';
import * as option from '../engine/calls/option.ts';
import { commonFields } from '../engine/change/edit-input.ts';
import { EditError } from '../errors.ts';
import { fieldName } from '../wording.ts';
import { defineTool, type Tool } from './tool.ts';

/** The edit that a replacement is, whose names of fields it takes. */
const replacing = editNamed('str_replace')!;

export const previewTool: Tool = defineTool({
  name: 'preview',
  title: 'Preview an edit',
  description:
    'Show the diff that a replacement (path, old_str, new_str) or edits would make, or why not. Prefer it where you are not sure of an edit. Nothing is written.',
  input: {
    path: () => z.string().min(1).optional().describe('The file, of one replacement.'),
    old_str: () => option.text('The exact text to replace in it.'),
    new_str: () => option.text('The text that takes its place.'),
    replace_all: () => option.flag('Every occurrence.'),
    edits: () =>
      z
        .array(z.record(z.string(), z.unknown()))
        .min(1)
        .optional()
        .describe('Instead: edits in order, each the input of an edit with its name in "edit".'),
    base: commonFields.base,
    version: commonFields.version,
    on_stale: commonFields.on_stale,
  },
  aliases: {
    path: ['file_path', 'filePath', 'file'],
    old_str: replacing.aliases.old_str!,
    new_str: replacing.aliases.new_str!,
    base: ['base_commit'],
  },
  example: replacing.example,
  readOnly: true,
  run: (session, { base, version, on_stale: onStale, edits, ...replacement }) => {
    const common = { base, version, onStale, dryRun: true };
    const isReplacement = Object.values(replacement).some(value => value !== undefined);
    if (isReplacement === (edits !== undefined)) throw whichOne(isReplacement);
    const steps = edits ?? [{ edit: 'str_replace', ...replacement }];
    return session.change(steps as never, common);
  },
});

function whichOne(both: boolean): EditError {
  const one = ['path', 'old_str', 'new_str'].map(fieldName).join(', ');
  const message = `Give one of the two: ${one} of a replacement, or edits; ${both ? 'both were' : 'neither was'} given. Nothing was done.`;
  return new EditError('INVALID_INPUT', message, { fields: ['path', 'old_str', 'new_str', 'edits'] });
}
