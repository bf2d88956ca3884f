/** status: trail, head, and files changed outside the engine. */

import { defineTool, type Tool } from './tool.ts';

export const statusTool: Tool = defineTool({
  name: 'status',
  title: 'Status of the workspace',
  description:
    'Say where the history is, what its newest commit is, and which edited files others changed since. Prefer it to see where you stand.',
  input: {},
  example: {},
  readOnly: true,
  run: session => session.status(),
});
