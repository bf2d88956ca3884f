/** revert: take one edit out of the middle of history. */

import * as z from 'zod';
import { wayBackFields } from '../engine/undo/back-fields.ts';
import { defineTool, type Tool } from './tool.ts';

export const revertTool: Tool = defineTool({
  name: 'revert',
  title: 'Revert one edit',
  description:
    'Take one edit back, keeping all later ones. Prefer it for an edit in the middle. Refused as CONFLICT where later text depends on it.',
  input: { commit: () => z.string().describe('The edit: an id, or ~N.'), ...wayBackFields },
  aliases: { commit: ['revision', 'id'] },
  example: { commit: '~2' },
  readOnly: false,
  run: (session, { commit, ...options }) => session.revert(commit, options),
});
