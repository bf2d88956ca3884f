/** rm: a file goes; its content stays in history (the edit delete). */

import { type CliCommand, defineCommand } from '../command.ts';
import { runEdit } from '../edit.ts';
import { type EditOptions, editOptions } from '../options.ts';
import { UsageError } from '../usage.ts';

export const rm: CliCommand = defineCommand<EditOptions>({
  details: 'Several files are one commit: all of them, or none.',
  arguments: [['<files...>', 'the files', 'file']],
  options: editOptions,
  examples: [
    ["vedit rm old.txt -m 'nobody reads it'", ''],
    ['vedit rm a.txt b.txt', 'two files, one commit'],
    ['vedit undo', 'and they are back'],
  ],
  async run(call) {
    const [first, ...more] = call.args;
    if (more.length === 0) return runEdit(call, 'delete', place => ({ path: place.path(first!) }));
    if (call.options.versionOf !== undefined)
      throw new UsageError('a version is one file’s: with --version-of name one file');
    return runEdit(call, 'change', place => ({
      edits: call.args.map(path => ({ edit: 'delete', path: place.path(path) })),
    }));
  },
});
