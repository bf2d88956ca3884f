/** rollback: what the engine changed since a commit becomes as it was then. */

import * as z from 'zod';
import { rollbackFields } from '../engine/undo/back-fields.ts';
import { defineTool, type Tool } from './tool.ts';

export const rollbackTool: Tool = defineTool({
  name: 'rollback',
  title: 'Roll back to a commit',
  description:
    'Make every file that was edited since a commit what it was then. Prefer it only to drop all work since. Itself an edit: undo takes it back.',
  input: { commit: () => z.string().describe('An id, or ~N for N commits back.'), ...rollbackFields },
  aliases: { commit: ['to', 'revision'] },
  example: { commit: '~3' },
  readOnly: false,
  run: (session, { commit, with_others: withOthers, ...options }) =>
    session.rollback(commit, { ...options, withOthers }),
});
