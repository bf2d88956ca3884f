/** lines: other lines, or none, in place of a run of lines (the edit replace_lines). */

import { type CliCommand, defineCommand } from '../command.ts';
import { editOptions } from '../input/options.ts';
import { readText } from '../input/text-source.ts';
import { UsageError } from '../input/usage.ts';
import { runEdit } from '../run.ts';

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
    const { start_line, end_line } = parseLines(range!);
    const new_content = await readText(call, 'TEXT', argument, call.options);
    checkIntent(new_content, call.options.delete ?? false);
    return runEdit(call, 'replace_lines', place => ({
      path: place.path(file!),
      start_line,
      end_line,
      new_content,
    }));
  },
});

function parseLines(range: string): { start_line: number; end_line: number } {
  const parts = /^(\d{1,15})(?:[-:,](\d{1,15}))?$/.exec(range);
  if (!parts)
    throw new UsageError(`RANGE must be a line or two, such as 4 or 4-5, not ${JSON.stringify(range)}`);
  return { start_line: Number(parts[1]), end_line: Number(parts[2] ?? parts[1]) };
}

/** A forgotten text, or a variable that was empty, must not delete lines. */
function checkIntent(text: string | undefined, wantsDelete: boolean): void {
  if (wantsDelete && text !== undefined)
    throw new UsageError('give either the new lines or --delete, not both');
  if (!wantsDelete && !text) {
    throw new UsageError(
      'there are no new lines: give TEXT, --text or --file, or --delete to delete the lines',
    );
  }
}
