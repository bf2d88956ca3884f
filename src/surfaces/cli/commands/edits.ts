/** The edits by hand of one file or a few: replace, insert, lines, create, rm, mv. Each is an edit that agents have too. */

import { type CliCommand, defineCommand } from '../command.ts';
import { editOptions } from '../input/options.ts';
import { readText, requireText } from '../input/text-source.ts';
import { UsageError, wholeNumber } from '../input/usage.ts';
import { runWriter } from '../run.ts';

const replace = defineCommand({
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

const insert = defineCommand({
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

const lines = defineCommand({
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

const create = defineCommand({
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
    const [path, argument] = call.args;
    if (argument !== undefined && argument !== '-')
      throw new UsageError('the content is given with --text, --file or -');
    const missing =
      "the content is missing: give --text, --file, or - for standard input; --text '' makes an empty file";
    const file_text = await requireText(call, 'the content', argument, call.options, missing);
    const { overwrite } = call.options;
    return runWriter(call, 'create', place => ({ path: place.path(path!), file_text, overwrite }));
  },
});

const rm = defineCommand({
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

const mv = defineCommand({
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

export const commands: Readonly<Record<string, CliCommand>> = { replace, insert, lines, create, rm, mv };
