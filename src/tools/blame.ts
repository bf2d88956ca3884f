/** blame: who wrote each line, and why. */

import { blameFields } from '../queries/read-options.ts';
import { defineTool, type Tool } from './tool.ts';

/** A longer range is cut, with a notice. */
const MAX_LINES = 2_000;

export const blameTool: Tool = defineTool({
  name: 'blame',
  title: 'Who wrote each line',
  description:
    'Show for each line of a file which edit wrote it: commit, agent, time and kind of edit. Prefer it to learn why a line is there.',
  input: blameFields,
  aliases: { path: ['file_path', 'file'], view_range: ['range', 'lines'], at: ['commit'] },
  example: { path: 'src/auth.ts', view_range: [1, 20] },
  readOnly: true,
  run: (session, input) => session.blame({ ...input, maxLines: MAX_LINES }),
});
