/** insert: the edit insert by hand. */

import { wholeNumber } from '../../../table/usage.ts';
import { type CliCommand, defineCommand } from '../command.ts';
import { editOptions } from '../input/options.ts';
import { requireText } from '../input/text-source.ts';
import { runWriter } from '../run.ts';

export const command: CliCommand = defineCommand({
  details:
    'A line number is a claim about a version of the file: say which with --version-of, as vedit view prints it, or with ' +
    '--base. If the file is another one by then, nothing is done.',
  arguments: [
    ['<file>', 'the file'],
    ['<line>', 'insert after this line; 0 is the top of the file'],
    ['[text]', 'the lines; - is standard input. A missing final line end is added'],
  ],
  options: [
    ['--before', 'insert before the line instead'],
    ['--text <text>', 'the lines, taken as they are'],
    ['--file <file>', 'the lines, from a file; - is standard input'],
    ...editOptions,
  ],
  examples: [
    ['vedit insert src/app.ts 3 \'import { log } from "./log.ts";\' --version-of 8f2c', ''],
    ['vedit insert CHANGES.md 1 --before --file entry.md --base @', ''],
  ],
  async run(call) {
    const [file, line, argument] = call.args;
    const number = wholeNumber('LINE', line!, 0);
    const missing = 'the text is missing: give TEXT, --text, --file, or - for standard input';
    const insert_text = await requireText(call, 'TEXT', argument, call.options, missing);
    const where = call.options.before ? { before_line: number } : { insert_line: number };
    return runWriter(call, 'insert', place => ({ path: place.path(file!), ...where, insert_text }));
  },
});
