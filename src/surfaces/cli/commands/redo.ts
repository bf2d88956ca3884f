/** redo: puts back what was undone last. */

import { type CliCommand, defineCommand } from '../command.ts';
import { backOptions } from '../input/options.ts';
import { runWriter } from '../run.ts';
import { countIn, scopeOf } from './undo.ts';

export const command: CliCommand = defineCommand({
  details: 'A new edit after an undo ends what can be put back.',
  arguments: [['[n]', 'how many edits; default 1']],
  options: backOptions,
  examples: [['vedit redo', 'the opposite of vedit undo']],
  async run(call) {
    const own = { count: countIn(call), scope: scopeOf(call) };
    return runWriter(call, 'redo', () => own, 'back');
  },
});
