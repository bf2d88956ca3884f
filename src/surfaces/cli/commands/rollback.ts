/** rollback: the old name of restore --all. */

import { type CliCommand, defineCommand } from '../command.ts';
import { backOptions } from '../input/options.ts';
import { restoreAll, withOthersOption } from './restore.ts';

export const command: CliCommand = defineCommand({
  details: 'vedit help restore says more.',
  arguments: [
    ['<rev>', 'a commit: an id, or ~N for N commits back'],
    ['[paths...]', 'only these files or folders'],
  ],
  options: [withOthersOption, ...backOptions],
  examples: [['vedit restore --all ~3', 'the last three commits']],
  run: call => restoreAll(call),
});
