/** replace: the edit str_replace by hand. */

import { UsageError } from '../../../table/usage.ts';
import { type CliCommand, defineCommand } from '../command.ts';
import { editOptions } from '../input/options.ts';
import { readText } from '../input/text-source.ts';
import { runWriter } from '../run.ts';

export const command: CliCommand = defineCommand({
  details:
    'OLD and NEW are plain text, never patterns, and are taken exactly as given, line ends included. As an argument, - is ' +
    'standard input; after -- a text may begin with a dash. An empty NEW deletes OLD.',
  arguments: [
    ['<file>', 'the file'],
    ['[old]', 'the text that is there'],
    ['[new]', 'the text to put in its place'],
  ],
  options: [
    ['--all', 'replace every occurrence, at least one'],
    ['--old <text>', 'the text that is there'],
    ['--old-file <file>', 'the same, from a file; - is standard input'],
    ['--new <text>', 'the text to put in its place'],
    ['--new-file <file>', 'the same, from a file; - is standard input'],
    ...editOptions,
  ],
  examples: [
    ["vedit replace src/auth.ts 'ttl = 60' 'ttl = 3600' -m 'sessions ended too early'", ''],
    ['vedit replace src/auth.ts --old-file old.txt --new - < new.txt', ''],
    ['vedit replace README.md -n --all colour color', 'only show what would change'],
  ],
  async run(call) {
    const { old, oldFile, new: fresh, newFile, all: replace_all } = call.options;
    const [file, ...texts] = call.args;
    const given = old === undefined && oldFile === undefined ? texts.shift() : undefined;
    const old_str = await readText(call, 'OLD', given, { text: old, file: oldFile });
    const new_str = await readText(call, 'NEW', texts.shift(), { text: fresh, file: newFile });
    if (old_str === undefined)
      throw new UsageError('the text to replace is missing: give OLD, --old or --old-file');
    if (new_str === undefined)
      throw new UsageError("the new text is missing: give NEW, --new or --new-file; '' deletes OLD");
    if (texts.length > 0) throw new UsageError('OLD is given twice; give it once');
    return runWriter(call, 'str_replace', place => ({
      path: place.path(file!),
      old_str,
      new_str,
      replace_all,
    }));
  },
});
