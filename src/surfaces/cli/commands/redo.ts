/** redo: put back what was undone last. */

import { type CliCommand, defineCommand } from '../command.ts';
import { backOptions } from '../input/options.ts';
import { countInput, meansAll, runBack } from '../run.ts';

export const command: CliCommand = defineCommand({
  details: 'A new edit after an undo ends what can be put back.',
  arguments: [['[n]', 'how many edits; default 1']],
  options: backOptions,
  examples: [['vedit redo', 'the opposite of vedit undo']],
  async run(call) {
    const input = { ...countInput(call), scope: meansAll(call) ? 'trail' : 'session' };
    return runBack(call, 'redo', () => input, 'back');
  },
});
