/** view: a file with line numbers, or a folder. */

import * as z from 'zod';
import { lineNumber } from '../edits/line-number.ts';
import { defineTool } from './define.ts';
import type { Tool } from './tool.ts';

const input = z.object({
  path: z.string().describe('File or folder, relative to the workspace; "." is its root.'),
  view_range: z
    .array(lineNumber)
    .length(2)
    .optional()
    .describe('First and last line, from 1; -1 as last is the end.'),
  at: z.string().optional().describe('A commit, to see the file as it was then.'),
  max_characters: z
    .int()
    .positive()
    .optional()
    .describe('Show no more of it than this; default 60000, at least 50.'),
});

export const viewTool: Tool = defineTool({
  name: 'view',
  title: 'View a file or folder',
  description: 'Show a file with line numbers, or list a folder. Answers the version to cite in edits.',
  input,
  aliases: { view_range: ['range', 'lines'], path: ['file_path', 'filePath', 'file'] },
  example: { path: 'src/auth.ts', view_range: [1, 40] },
  readOnly: true,
  ownLimit: true,
  run: (session, { path, view_range, at, max_characters }) =>
    session.view({ path, view_range, at, max_characters }),
});
