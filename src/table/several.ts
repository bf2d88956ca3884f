/** Several edits at once: as one commit, or only looked at. */

import { editNamed } from '../edits/index.ts';
import { EditError } from '../errors.ts';
import { fieldName } from '../wording.ts';
import { type Command, command, may, must, onlyOf } from './command.ts';

export const change: Command = command({
  name: 'change',
  title: 'Several edits at once',
  description:
    'Make several edits as one commit, all of them or none: each is the input of an edit, with its name in "edit". Prefer it where edits make sense only together.',
  fields: {
    edits: must(
      'edits',
      'Edits in order, each the input of an edit with its name in "edit". Prefer it where edits make sense only together.',
      { aliases: ['changes', 'operations'] },
    ),
  },
  common: ['base', 'version', 'on_stale', 'dry_run', 'edit_id', 'reason', 'call_id', 'allow_secret'],
  example: {
    edits: [
      { edit: 'str_replace', path: 'a.ts', old_str: 'x', new_str: 'y' },
      { edit: 'create', path: 'b.ts', file_text: 'export {};\n' },
    ],
  },
  run: (session, { edits, ...common }) => session.change(edits as never, common),
});

/** The edit that a replacement is, whose names of fields it takes. */
const replacing = editNamed('str_replace')!;

export const preview: Command = command({
  name: 'preview',
  title: 'Preview an edit',
  description:
    'Show the diff that a replacement (path, old_str, new_str) or edits would make, or why not. Prefer it where you are not sure of an edit. Nothing is written.',
  fields: {
    path: onlyOf('The file, of one replacement.'),
    old_str: may('text', 'The exact text to replace in it.', { aliases: replacing.aliases.old_str! }),
    new_str: may('text', 'The text that takes its place.', { aliases: replacing.aliases.new_str! }),
    replace_all: may('flag', 'Every occurrence.'),
    edits: may('edits', 'Instead: edits in order, each the input of an edit with its name in "edit".'),
  },
  common: ['base', 'version', 'on_stale'],
  example: replacing.example,
  run: (session, { base, version, onStale, edits, ...replacement }) => {
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
