/** create: makes a file. */

import { UsageError } from '../../../table/usage.ts';
import { type CliCommand, defineCommand } from '../command.ts';
import { editOptions } from '../input/options.ts';
import { requireText } from '../input/text-source.ts';
import { runWriter } from '../run.ts';

export const command: CliCommand = defineCommand({
  arguments: [
    ['<file>', 'the new file'],
    ['[-]', 'take the content from standard input'],
  ],
  options: [
    ['--text <text>', 'the content'],
    ['--file <file>', 'the content, from another file; - is standard input'],
    ['--overwrite', 'replace the file if it exists'],
    ['--exact', 'as given: without the byte order mark or the CRLF of the file that is there'],
    ...editOptions,
  ],
  examples: [
    ['vedit create docs/notes.md - < draft.md', ''],
    ["vedit create .nvmrc --text '20'", ''],
  ],
  async run(call) {
    const [path, argument] = call.args;
    if (argument !== undefined && argument !== '-')
      throw new UsageError('the content is given with --text, --file or -');
    const missing =
      "the content is missing: give --text, --file, or - for standard input; --text '' makes an empty file";
    const file_text = await requireText(call, 'the content', argument, call.options, missing);
    const { overwrite, exact } = call.options;
    return runWriter(call, 'create', place => ({ path: place.path(path!), file_text, overwrite, exact }));
  },
});
