/** diff: between two points of history. */

import * as z from 'zod';
import { defineTool } from './define.ts';
import type { Tool } from './tool.ts';

const input = z.object({
  from: z.string().optional().describe('A commit; default: where the agents’ work began.'),
  to: z.string().optional().describe('A commit; default: the newest.'),
  path: z.string().optional().describe('Only this file or folder.'),
  outside: z
    .boolean()
    .optional()
    .describe('Instead of two commits: what others changed in the files, not recorded yet.'),
});

export const diffTool: Tool = defineTool({
  name: 'diff',
  title: 'Compare',
  description:
    'Show the difference between two commits, or what others changed since the newest, as a unified diff.',
  input,
  aliases: { path: ['file_path', 'filePath', 'file'], from: ['a', 'base'], to: ['b', 'head'] },
  example: { from: '~2', to: '@' },
  readOnly: true,
  run: (session, options) => session.diff(options),
});
