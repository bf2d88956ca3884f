/** diff: between two points of history. */

import { diffFields } from '../queries/read-options.ts';
import { defineTool, type Tool } from './tool.ts';

export const diffTool: Tool = defineTool({
  name: 'diff',
  title: 'Compare',
  description:
    'Show the difference between two commits, or what others changed since the newest, as a unified diff. Prefer it to compare two moments.',
  input: diffFields,
  aliases: { path: ['file_path', 'filePath', 'file'], from: ['a', 'base'], to: ['b', 'head'] },
  example: { from: '~2', to: '@' },
  readOnly: true,
  run: (session, options) => session.diff(options),
});
