/** trails: the histories of a repository. */

import { defineTool, type Tool } from './tool.ts';

export const trailsTool: Tool = defineTool({
  name: 'trails',
  title: 'Histories of the repository',
  description:
    'List the histories of edits in this repository: the newest commit of each, how many edits, by whom, and how many are not on a branch yet. Prefer it to find work of other branches.',
  input: {},
  example: {},
  readOnly: true,
  run: session => session.trails(),
});
