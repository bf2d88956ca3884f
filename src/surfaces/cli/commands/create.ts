/** create: a new file. */

import { type CliCommand, defineCommand } from '../command.ts';
import { editOptions } from '../input/options.ts';
import { readText } from '../input/text-source.ts';
import { UsageError } from '../input/usage.ts';
import { runEdit } from '../run.ts';

export const command: CliCommand = defineCommand({
  arguments: [
    ['<file>', 'the new file'],
    ['[-]', 'take the content from standard input'],
  ],
  options: [
    ['--text <text>', 'the content, exactly as given'],
    ['--file <file>', 'the content, from another file; - is standard input'],
    ['--overwrite', 'replace the file if it exists'],
    ...editOptions,
  ],
  examples: [
    ['vedit create docs/notes.md - < draft.md', ''],
    ["vedit create .nvmrc --text '20'", ''],
  ],
  async run(call) {
    const { options } = call;
    const [path, argument] = call.args;
    if (argument !== undefined && argument !== '-')
      throw new UsageError('the content is given with --text, --file or -');
    const file_text = await readText(call, 'the content', argument, options);
    if (file_text === undefined)
      throw new UsageError(
        "the content is missing: give --text, --file, or - for standard input; --text '' makes an empty file",
      );
    const { overwrite } = options;
    return runEdit(call, 'create', place => ({ path: place.path(path!), file_text, overwrite }));
  },
});
