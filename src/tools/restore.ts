/** restore: one file as it was. */

import * as z from 'zod';
import { wayBackFields } from '../workspace/history/back-fields.ts';
import { defineTool } from './define.ts';
import type { Tool } from './tool.ts';

const input = z.object({
  path: z.string().describe('The file.'),
  from: z.string().describe('The commit to take it from: an id, or ~N.'),
  ...wayBackFields,
});

export const restoreTool: Tool = defineTool({
  name: 'restore',
  title: 'Restore one file',
  description: 'Make one file what it was in a commit.',
  input,
  aliases: { path: ['file_path', 'file'], from: ['commit', 'revision', 'source'] },
  example: { path: 'src/auth.ts', from: '~3' },
  readOnly: false,
  run: (session, { path, from, ...options }) => session.restore(path, from, options),
});
