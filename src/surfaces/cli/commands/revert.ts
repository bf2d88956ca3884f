/** revert: takes one edit out of the middle. */

import { type CliCommand, defineCommand } from '../command.ts';
import { backOptions } from '../input/options.ts';
import { runWriter } from '../run.ts';

export const command: CliCommand = defineCommand({
  details:
    'All later edits stay: the edit is taken out by a three-way merge. Where later text depends on it, the revert is refused ' +
    'with the lines, and nothing is written. A revert is a commit like any other: vedit undo takes it back.',
  arguments: [['<rev>', 'the edit: an id, or ~N for N commits back']],
  options: backOptions,
  examples: [
    ['vedit revert 1a2b3c4', ''],
    ['vedit revert ~2 -n', 'what it would do'],
    ["vedit revert 1a2b3c4 -m 'the limit was right'", ''],
  ],
  run: call => runWriter(call, 'revert', () => ({ commit: call.args[0] })),
});
