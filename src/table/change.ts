/** change: several edits as one commit, or none of them. */

import { type Command, command, must } from './command.ts';

export const change: Command = command({
  name: 'change',
  title: 'Several edits at once',
  description:
    'Make several edits as one commit, all of them or none: each is the input of an edit, with its name in "edit". ' +
    'Prefer it where edits make sense only together.',
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
