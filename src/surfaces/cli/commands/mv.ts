/** mv: moves or renames a file or folder. */

import { type CliCommand, defineCommand } from '../command.ts';
import { editOptions } from '../input/options.ts';
import { runWriter } from '../run.ts';

export const command: CliCommand = defineCommand({
  details:
    'A folder is moved with all its files, as one commit; what git ignores stays where it is. It is not joined with a folder that is there.',
  arguments: [
    ['<from>', 'the file or folder'],
    ['<to>', 'its new path, the name included'],
  ],
  options: [['--overwrite', 'replace the file there, if there is one'], ...editOptions],
  examples: [
    ['vedit mv src/util.ts src/text.ts', ''],
    ['vedit mv src/util lib/util', 'a folder, one commit'],
  ],
  run(call) {
    const [from, to] = call.args;
    const { overwrite } = call.options;
    return runWriter(call, 'move', place => ({
      path: place.path(from!),
      new_path: place.path(to!),
      overwrite,
    }));
  },
});
