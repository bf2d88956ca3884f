/** The edits by hand: what a command line gives an edit. What the edit takes, and its words for models, are its own (src/edits). */

import type { EditName } from '../edits/index.ts';
import type { EditStep } from '../engine/change/edit-calls.ts';
import { type Command, type CommandFields, may, must } from './command.ts';
import {
  type Line,
  type OptionSpec,
  type TextOptions,
  UsageError,
  type Use,
  type UseOf,
  use,
  wholeNumber,
} from './use.ts';

/** `name`: the tool. */
export interface EditCommand extends Pick<Command, 'fields'> {
  name: EditName;
  edit: true;
  use: Use;
}

function edit<const List extends readonly OptionSpec[] = readonly []>(
  name: EditName,
  fields: CommandFields,
  given: UseOf<List>,
): EditCommand {
  return { name, edit: true, fields, use: use(given) };
}

function fail(words: string): never {
  throw new UsageError(words);
}

const theFile = must('path', 'the file', { arg: '<file>' });

const CLAIM =
  'A line number is a claim about a version of the file: say which with --version-of, as vedit view prints it, or with --base. If the file is another one by then, nothing is done.';

export const replace: EditCommand = edit(
  'str_replace',
  { path: theFile, replace_all: may('flag', 'replace every occurrence, at least one', { flag: '--all' }) },
  {
    details:
      'OLD and NEW are plain text, never patterns, and are taken exactly as given, line ends included. As an argument, - is standard input; after -- a text may begin with a dash. An empty NEW deletes OLD.',
    arguments: [
      ['[old]', 'the text that is there'],
      ['[new]', 'the text to put in its place'],
    ],
    options: [
      ['--old <text>', 'the text that is there'],
      ['--old-file <file>', 'the same, from a file; - is standard input'],
      ['--new <text>', 'the text to put in its place'],
      ['--new-file <file>', 'the same, from a file; - is standard input'],
    ],
    examples: [
      ["vedit replace src/auth.ts 'ttl = 60' 'ttl = 3600' -m 'sessions ended too early'", ''],
      ['vedit replace src/auth.ts --old-file old.txt --new - < new.txt', ''],
      ['vedit replace README.md -n --all colour color', 'only show what would change'],
    ],
    async read([, ...texts], options, line) {
      const [old, fresh] = [
        { text: options.old, file: options.oldFile },
        { text: options.new, file: options.newFile },
      ];
      const given = old.text === undefined && old.file === undefined ? texts.shift() : undefined;
      const input = {
        old_str: await line.text(
          'OLD',
          given,
          old,
          'the text to replace is missing: give OLD, --old or --old-file',
        ),
        new_str: await line.text(
          'NEW',
          texts.shift(),
          fresh,
          "the new text is missing: give NEW, --new or --new-file; '' deletes OLD",
        ),
      };
      return texts.length > 0 ? fail('OLD is given twice; give it once') : input;
    },
  },
);

export const insert: EditCommand = edit(
  'insert',
  { path: theFile },
  {
    details: CLAIM,
    arguments: [
      ['<line>', 'insert after this line; 0 is the top of the file'],
      ['[text]', 'the lines; - is standard input. A missing final line end is added'],
    ],
    options: [
      ['--before', 'insert before the line instead'],
      ['--text <text>', 'the lines, taken as they are'],
      ['--file <file>', 'the lines, from a file; - is standard input'],
    ],
    examples: [
      ['vedit insert src/app.ts 3 \'import { log } from "./log.ts";\' --version-of 8f2c', ''],
      ['vedit insert CHANGES.md 1 --before --file entry.md --base @', ''],
    ],
    async read([, line = '', argument], { before, ...options }, { text }) {
      const number = wholeNumber('LINE', line, 0);
      const missing = 'the text is missing: give TEXT, --text, --file, or - for standard input';
      const insert_text = await text('TEXT', argument, options, missing);
      return { ...(before ? { before_line: number } : { insert_line: number }), insert_text };
    },
  },
);

export const lines: EditCommand = edit(
  'replace_lines',
  { path: theFile },
  {
    details: CLAIM,
    arguments: [
      ['<range>', 'A, A-B or A:B, from 1, both included'],
      ['[text]', 'the new lines; - is standard input. A missing final line end is added'],
    ],
    options: [
      ['--delete', 'delete the lines'],
      ['--text <text>', 'the new lines, taken as they are'],
      ['--file <file>', 'the new lines, from a file; - is standard input'],
    ],
    examples: [
      ["vedit lines src/app.ts 4-5 'const limit = 20;' --version-of 8f2c", ''],
      ['vedit lines src/app.ts 12 --delete --base @', ''],
    ],
    async read([, range = '', argument], options, { text }) {
      const [start_line, end_line] = lineRange(range);
      return { start_line, end_line, new_content: await newLines(argument, options, text) };
    },
  },
);

function lineRange(range: string): [first: number, last: number] {
  const [, first, last = first] = /^(\d{1,15})(?:[-:,](\d{1,15}))?$/.exec(range) ?? [];
  if (first === undefined)
    fail(`RANGE must be a line or two, such as 4 or 4-5, not ${JSON.stringify(range)}`);
  return [Number(first), Number(last)];
}

/** A forgotten text, or a variable that was empty, must not delete lines. */
async function newLines(
  argument: string | undefined,
  options: TextOptions & { delete?: boolean },
  text: Line['text'],
): Promise<string | undefined> {
  const given = await text('TEXT', argument, options);
  if (options.delete && given !== undefined) fail('give either the new lines or --delete, not both');
  if (!options.delete && !given)
    fail('there are no new lines: give TEXT, --text or --file, or --delete to delete the lines');
  return given;
}

export const replaceSymbol: EditCommand = edit(
  'replace_symbol',
  {
    path: theFile,
    symbol: must('text', 'its name: Class.method, function, #heading, scripts.build', { arg: '<symbol>' }),
    with_doc: may('flag', 'its doc comment and decorators, too', { flag: '--with-doc' }),
  },
  {
    details: CLAIM.replace('line number', 'symbol'),
    arguments: [['[text]', 'the new lines; - is standard input. A missing final line end is added']],
    options: [
      ['--delete', 'delete it'],
      ['--text <text>', 'the new lines, taken as they are'],
      ['--file <file>', 'the new lines, from a file; - is standard input'],
    ],
    examples: [
      ['vedit replace-symbol src/app.ts App.limit --file limit.ts --base @', ''],
      ['vedit replace-symbol package.json scripts.build \'    "build": "tsc"\' --base @', ''],
    ],
    async read([, , argument], options, { text }) {
      return { new_content: await newLines(argument, options, text) };
    },
  },
);

export const moveLines: EditCommand = edit(
  'move_lines',
  {
    path: theFile,
    symbol: may('text', 'what to move, in place of lines', { flag: '--symbol <name>' }),
    new_path: may('path', 'another file to move them to', { flag: '--to <file>' }),
    before_line: may('count', 'move them before this line', { flag: '--before <line>' }),
    before_symbol: may('text', 'or before this symbol', { flag: '--before-symbol <name>' }),
    after_symbol: may('text', 'or after this symbol', { flag: '--after-symbol <name>' }),
  },
  {
    details: CLAIM,
    arguments: [['[range]', 'A, A-B or A:B, from 1, both included; none with --symbol']],
    examples: [
      ['vedit move-lines src/app.ts 10-24 --before 3 --base @', ''],
      ['vedit move-lines src/app.ts --symbol limit --to src/limits.ts --base @', ''],
    ],
    read([, range]) {
      if (range === undefined) return {};
      const [start_line, end_line] = lineRange(range);
      return { start_line, end_line };
    },
  },
);

export const create: EditCommand = edit(
  'create',
  {
    path: must('path', 'the new file', { arg: '<file>' }),
    overwrite: may('flag', 'replace the file if it exists', { flag: '--overwrite' }),
    exact: may('flag', 'as given: without the byte order mark or the CRLF of the file that is there', {
      flag: '--exact',
    }),
  },
  {
    arguments: [['[-]', 'take the content from standard input']],
    options: [
      ['--text <text>', 'the content'],
      ['--file <file>', 'the content, from another file; - is standard input'],
    ],
    examples: [
      ['vedit create docs/notes.md - < draft.md', ''],
      ["vedit create .nvmrc --text '20'", ''],
    ],
    async read([, argument], options, { text }) {
      if (argument !== undefined && argument !== '-') fail('the content is given with --text, --file or -');
      const missing =
        "the content is missing: give --text, --file, or - for standard input; --text '' makes an empty file";
      return { file_text: await text('the content', argument, options, missing) };
    },
  },
);

export const rm: EditCommand = edit(
  'delete',
  { recursive: may('flag', 'folders too, with all files in them', { flag: '-r, --recursive' }) },
  {
    details:
      'Several files are one commit: all of them, or none. So is a folder, with -r: files that nobody recorded are recorded first, and what git ignores stays where it is.',
    arguments: [['<files...>', 'the files', 'file']],
    examples: [
      ["vedit rm old.txt -m 'nobody reads it'", ''],
      ['vedit rm a.txt b.txt', 'two files, one commit'],
      ['vedit rm -r src/old --dry-run', 'which files of a folder would go'],
      ['vedit undo', 'and they are back'],
    ],
    read(paths, { recursive, versionOf }) {
      if (paths.length === 1) return { path: paths[0] };
      if (versionOf !== undefined) fail('a version is one file’s: with --version-of name one file');
      return { recursive: undefined, edits: paths.map(path => ({ edit: 'delete', path, recursive })) };
    },
    run: (session, { edits, ...input }: { edits?: EditStep[] }) =>
      edits ? session.change(edits, input) : session.edit('delete', input as never),
  },
);

export const mv: EditCommand = edit(
  'move',
  {
    path: must('path', 'the file or folder', { arg: '<from>' }),
    new_path: must('path', 'its new path, the name included', { arg: '<to>' }),
    overwrite: may('flag', 'replace the file there, if there is one', { flag: '--overwrite' }),
  },
  {
    details:
      'A folder is moved with all its files, as one commit; what git ignores stays where it is. It is not joined with a folder that is there.',
    examples: [
      ['vedit mv src/util.ts src/text.ts', ''],
      ['vedit mv src/util lib/util', 'a folder, one commit'],
    ],
  },
);

const FORMS = ['apply_patch', 'unified_diff', 'context_patch', 'search_replace'] as const;

type PatchForm = (typeof FORMS)[number];

/** By form, of those whose patches do not hold the path of their file, the field of the patch. */
const PATHLESS: Readonly<Record<string, string>> = { context_patch: 'patch_text', search_replace: 'blocks' };

export const patch: EditCommand = edit(
  'apply_patch',
  { path: may('path', 'the file that hunks or blocks without a name are for', { flag: '--path <file>' }) },
  {
    details:
      'The format is told by its first lines: "*** Begin Patch", a unified diff as git prints it, "@@" hunks, or blocks of "<<<<<<< SEARCH". All files are changed, or none: a hunk that fits nowhere, or in several places, is named with the line where it first differs. Paths in a patch are from the top of the work tree; hunks and blocks that name no file are for --path.',
    arguments: [['[file]', 'the file with the patch; - is standard input, which is the default']],
    options: [
      ['--form <form>', `the format, where it should not be told by its lines: ${FORMS.join(', ')}`, FORMS],
    ],
    examples: [
      ['git diff main topic | vedit patch -m "take over the fix"', ''],
      ['vedit patch answer.patch -n', 'only show what would change'],
      ['vedit patch --path src/app.ts < blocks.txt', ''],
    ],
    async read([file = '-'], { form, path }, line) {
      const text = await line.text('the patch', undefined, { file }, '');
      const edit =
        form ??
        (await patchForm(text)) ??
        fail(`no line tells the format of the patch; give --form ${FORMS.join('|')}`);
      const field = PATHLESS[edit];
      if (field && path === undefined) fail(`${edit} does not hold the path of its file: give --path`);
      if (!field && path !== undefined) fail(`${edit} holds its paths itself: leave --path out`);
      return { edit, [field ?? 'patch']: text };
    },
    run: (session, { edit, ...input }: { edit: string }) => session.edit(edit, input),
  },
);

/** The edit whose form of patch the text has; `null` when no line tells. */
export async function patchForm(text: string): Promise<PatchForm | null> {
  const { formOf } = await import('../edits/patch/patch-text.ts');
  const lines = text.split(/\r?\n/);
  const forms = lines.map((line, i) => formOf(line, lines[i + 1]));
  // Lines that no other format has; the two names alone may be lines that it removes and adds.
  const beginsFile = (i: number): boolean =>
    forms[i] === 'unified_diff' && (/^d/.test(lines[i]!) || /^@@ -\d/.test(lines[i + 2] ?? ''));
  for (const [i, line] of lines.entries()) {
    const form = forms[i] ?? (/^@@( (?!-\d)|$)/.test(line) ? 'context_patch' : null);
    if (form === 'search_replace' || form === 'unified_diff') return form;
    if (form) return lines.some((_, k) => k > i && beginsFile(k)) ? 'unified_diff' : form;
  }
  return null;
}
