/** show: one commit with its diff. */

import * as option from '../engine/calls/option.ts';
import { defineTool, type Tool } from './tool.ts';

export const showTool: Tool = defineTool({
  name: 'show',
  title: 'Show one edit',
  description: 'Show one commit: who, when, why, and its diff. Prefer it for all of one edit.',
  input: { commit: () => option.text('An id, @ (the newest, default) or ~N.') },
  aliases: { commit: ['revision', 'id'] },
  example: { commit: '@' },
  readOnly: true,
  run: (session, { commit }) => session.show(commit ?? '@'),
});
