/** lines: the edit replace_lines by hand. */

import { UsageError } from '../../../table/usage.ts';
import { type CliCommand, defineCommand } from '../command.ts';
import { editOptions } from '../input/options.ts';
import { readText } from '../input/text-source.ts';
import { runWriter } from '../run.ts';

export const command: CliCommand = defineCommand({
  details:
    'Line numbers are a claim about a version of the file: say which with --version-of, as vedit view prints it, or with ' +
    '--base. If the file is another one by then, nothing is done.',
  arguments: [
    ['<file>', 'the file'],
    ['<range>', 'A, A-B or A:B, from 1, both included'],
    ['[text]', 'the new lines; - is standard input. A missing final line end is added'],
  ],
  options: [
    ['--delete', 'delete the lines'],
    ['--text <text>', 'the new lines, taken as they are'],
    ['--file <file>', 'the new lines, from a file; - is standard input'],
    ...editOptions,
  ],
  examples: [
    ["vedit lines src/app.ts 4-5 'const limit = 20;' --version-of 8f2c", ''],
    ['vedit lines src/app.ts 12 --delete --base @', ''],
  ],
  async run(call) {
    const [file, range, argument] = call.args;
    const [, first, last = first] = /^(\d{1,15})(?:[-:,](\d{1,15}))?$/.exec(range!) ?? [];
    if (first === undefined)
      throw new UsageError(`RANGE must be a line or two, such as 4 or 4-5, not ${JSON.stringify(range)}`);
    const new_content = await readText(call, 'TEXT', argument, call.options);
    checkIntent(new_content, call.options.delete ?? false);
    const where = { start_line: Number(first), end_line: Number(last) };
    return runWriter(call, 'replace_lines', place => ({ path: place.path(file!), ...where, new_content }));
  },
});

/** A forgotten text, or a variable that was empty, must not delete lines. Throws UsageError. */
function checkIntent(text: string | undefined, wantsDelete: boolean): void {
  if (wantsDelete && text !== undefined)
    throw new UsageError('give either the new lines or --delete, not both');
  if (!wantsDelete && !text)
    throw new UsageError(
      'there are no new lines: give TEXT, --text or --file, or --delete to delete the lines',
    );
}
