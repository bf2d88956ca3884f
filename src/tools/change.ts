/** change: several edits as one commit, or none of them. */

import * as z from 'zod';
import { commonFields } from '../engine/change/edit-input.ts';
import { defineTool, type Tool } from './tool.ts';

export const changeTool: Tool = defineTool({
  name: 'change',
  title: 'Several edits at once',
  description:
    'Make several edits as one commit, all of them or none: each is the input of an edit, with its name in "edit". ' +
    'Prefer it where edits make sense only together.',
  input: {
    edits: () =>
      z
        .array(z.record(z.string(), z.unknown()))
        .min(1)
        .describe(
          'Edits in order, each the input of an edit with its name in "edit". Prefer it where edits make sense only together.',
        ),
    ...commonFields,
  },
  aliases: { edits: ['changes', 'operations'] },
  example: {
    edits: [
      { edit: 'str_replace', path: 'a.ts', old_str: 'x', new_str: 'y' },
      { edit: 'create', path: 'b.ts', file_text: 'export {};\n' },
    ],
  },
  readOnly: false,
  run: (session, { edits, ...common }) => session.change(edits as never, common),
});
