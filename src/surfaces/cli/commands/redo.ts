/** redo: put back what was undone last. */

import { backInput } from '../back.ts';
import { type CliCommand, defineCommand } from '../command.ts';
import { runWriter } from '../done.ts';
import { type WriterOptions, writerOptions } from '../options.ts';

export const redo: CliCommand = defineCommand<WriterOptions>({
  details: 'A new edit after an undo ends what can be put back.',
  arguments: [['[n]', 'how many edits; default 1']],
  options: writerOptions,
  examples: [['vedit redo', 'the opposite of vedit undo']],
  async run(call) {
    const input = backInput(call);
    return runWriter(call, 'redo', () => input);
  },
});
