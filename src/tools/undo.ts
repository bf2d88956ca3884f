/** undo: take back the newest edits. */

import { undoFields } from '../engine/undo/back-fields.ts';
import { defineTool, type Tool } from './tool.ts';

export const undoTool: Tool = defineTool({
  name: 'undo',
  title: 'Undo edits',
  description:
    'Take back your newest edits, or a turn. Prefer it to typing the old text again. Refused as CONFLICT if the same lines changed since.',
  input: undoFields,
  aliases: { count: ['n', 'steps'], path: ['file_path', 'file'] },
  example: { count: 1 },
  readOnly: false,
  run: (session, input) => session.undo(input),
});
