/** redo: put back what was undone last. */

import { backFields } from '../engine/undo/back-fields.ts';
import { defineTool, type Tool } from './tool.ts';

export const redoTool: Tool = defineTool({
  name: 'redo',
  title: 'Redo edits',
  description:
    'Put back the edits that you undid last. Prefer it where an undo was wrong. A new edit ends what can be put back.',
  input: backFields,
  aliases: { count: ['n', 'steps'], path: ['file_path', 'file'] },
  example: { count: 1 },
  readOnly: false,
  run: (session, input) => session.redo(input),
});
