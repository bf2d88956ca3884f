/** verify: the history checked against itself and the files. */

import { verifyFields } from '../queries/read-options.ts';
import { defineTool, type Tool } from './tool.ts';

export const verifyTool: Tool = defineTool({
  name: 'verify',
  title: 'Check the history',
  description:
    'Check that every commit of the history can be read, changes what it says and nothing else, and that the files are those of the newest one. Prefer it where history or files look wrong. Changes nothing; lists what is wrong.',
  input: verifyFields,
  aliases: { expect: ['commits', 'expected'], since: ['after'] },
  example: {},
  readOnly: true,
  run: (session, options) => session.verify(options),
});
