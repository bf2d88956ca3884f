/** view: a file with line numbers, or a folder. */

import * as z from 'zod';
import { viewFields } from '../workspace/reading/view.ts';
import { defineTool } from './define.ts';
import type { Tool } from './tool.ts';

export const viewTool: Tool = defineTool({
  name: 'view',
  title: 'View a file or folder',
  description: 'Show a file with line numbers, or list a folder. Answers the version to cite in edits.',
  input: z.object(viewFields),
  aliases: { view_range: ['range', 'lines'], path: ['file_path', 'filePath', 'file'] },
  example: { path: 'src/auth.ts', view_range: [1, 40] },
  readOnly: true,
  ownLimit: true,
  run: (session, input) => session.view(input),
});
