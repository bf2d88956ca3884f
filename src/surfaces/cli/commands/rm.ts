/** rm: a file goes; its content stays in history (the edit delete). */

import { type CliCommand, defineCommand } from '../command.ts';
import { runEdit } from '../edit.ts';
import { type EditOptions, editOptions } from '../options.ts';

export const rm: CliCommand = defineCommand<EditOptions>({
  arguments: [['<file>', 'the file']],
  options: editOptions,
  examples: [
    ["vedit rm old.txt -m 'nobody reads it'", ''],
    ['vedit undo', 'and it is back'],
  ],
  run: call => runEdit(call, 'delete', place => ({ path: place.path(call.args[0]!) })),
});
