/** rm: deletes files. */

import { UsageError } from '../../../table/usage.ts';
import { type CliCommand, defineCommand } from '../command.ts';
import { editOptions } from '../input/options.ts';
import { runWriter } from '../run.ts';

export const command: CliCommand = defineCommand({
  details:
    'Several files are one commit: all of them, or none. So is a folder, with -r: files that nobody recorded are recorded first, and what git ignores stays where it is.',
  arguments: [['<files...>', 'the files', 'file']],
  options: [['-r, --recursive', 'folders too, with all files in them'], ...editOptions],
  examples: [
    ["vedit rm old.txt -m 'nobody reads it'", ''],
    ['vedit rm a.txt b.txt', 'two files, one commit'],
    ['vedit rm -r src/old --dry-run', 'which files of a folder would go'],
    ['vedit undo', 'and they are back'],
  ],
  async run(call) {
    const { recursive, versionOf } = call.options;
    const [only, ...more] = call.args;
    if (more.length === 0)
      return runWriter(call, 'delete', place => ({ path: place.path(only!), recursive }));
    if (versionOf !== undefined)
      throw new UsageError('a version is one file’s: with --version-of name one file');
    return runWriter(call, 'change', place => ({
      edits: call.args.map(path => ({ edit: 'delete', path: place.path(path), recursive })),
    }));
  },
});
