/** show: one commit with its diff. */

import * as z from 'zod';
import { defineTool, type Tool } from './tool.ts';

const input = () =>
  z.object({ commit: z.string().optional().describe('An id, @ (the newest, default) or ~N.') });

export const showTool: Tool = defineTool({
  name: 'show',
  title: 'Show one edit',
  description: 'Show one commit: who, when, why, and its diff. Prefer it for all of one edit.',
  input,
  aliases: { commit: ['revision', 'id'] },
  example: { commit: '@' },
  readOnly: true,
  run: (session, { commit }) => session.show(commit ?? '@'),
});
