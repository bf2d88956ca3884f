/** mv: a file gets another path (the edit move). */

import { type CliCommand, defineCommand } from '../command.ts';
import { runEdit } from '../edit.ts';
import { type EditOptions, editOptions } from '../options.ts';

interface Options extends EditOptions {
  overwrite?: boolean;
}

export const mv: CliCommand = defineCommand<Options>({
  arguments: [
    ['<from>', 'the file'],
    ['<to>', 'its new path, the name included'],
  ],
  options: [{ flags: '--overwrite', description: 'replace the file there, if there is one' }, ...editOptions],
  examples: [['vedit mv src/util.ts src/text.ts', '']],
  run(call) {
    const [from, to] = call.args;
    const overwrite = call.options.overwrite ? { overwrite: true } : {};
    return runEdit(call, 'move', place => ({
      path: place.path(from!),
      new_path: place.path(to!),
      ...overwrite,
    }));
  },
});
