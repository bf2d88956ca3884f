/** blame: who wrote each line, and why. */

import * as z from 'zod';
import { lineNumber } from '../edits/line-number.ts';
import { defineTool } from './define.ts';
import type { Tool } from './tool.ts';

const input = z.object({
  path: z.string().describe('The file.'),
  view_range: z
    .array(lineNumber)
    .length(2)
    .optional()
    .describe('First and last line, from 1; -1 as last is the end.'),
  at: z.string().optional().describe('A commit; default: the newest.'),
});

/** A longer range is cut, with a notice. */
const MAX_LINES = 2_000;

export const blameTool: Tool = defineTool({
  name: 'blame',
  title: 'Who wrote each line',
  description: 'Show for each line of a file which edit wrote it: commit, agent, time and kind of edit.',
  input,
  aliases: { path: ['file_path', 'file'], view_range: ['range', 'lines'], at: ['commit'] },
  example: { path: 'src/auth.ts', view_range: [1, 20] },
  readOnly: true,
  run: (session, input) => session.blame({ ...input, max_lines: MAX_LINES }),
});
