/** blame: who wrote each line, and why. */

import { type Command, command, may } from './command.ts';
import { file, lines } from './fields.ts';

/** A longer range is cut, with a notice. */
const MAX_LINES = 2_000;

export const blame: Command = command({
  name: 'blame',
  title: 'Who wrote each line',
  description:
    'Show for each line of a file which edit wrote it: commit, agent, time and kind of edit. Prefer it to learn why a line is there.',
  fields: {
    path: file('The file.'),
    view_range: lines,
    at: may('text', 'A commit; default: the newest.', { aliases: ['commit'] }),
  },
  example: { path: 'src/auth.ts', view_range: [1, 20] },
  run: (session, input) => session.blame({ ...input, maxLines: MAX_LINES }),
});
