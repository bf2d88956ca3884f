import { UsageError } from '../../../table/usage.ts';
import { type CliCommand, defineCommand } from '../command.ts';
import type { WorkingFolder } from '../input/names.ts';
import { editOptions } from '../input/options.ts';
import { readText } from '../input/text-source.ts';
import { runWriter } from '../run.ts';

const PATCH_FORMS = ['apply_patch', 'unified_diff', 'context_patch', 'search_replace'] as const;

type PatchForm = (typeof PATCH_FORMS)[number];

export const command: CliCommand = defineCommand({
  details:
    'The format is told by its first lines: "*** Begin Patch", a unified diff as git prints it, "@@" hunks, or blocks of ' +
    '"<<<<<<< SEARCH". All files are changed, or none: a hunk that fits nowhere, or in several places, is named with the ' +
    'line where it first differs. Paths in a patch are from the top of the work tree; hunks and blocks that name no file ' +
    'are for --path.',
  arguments: [['[file]', 'the file with the patch; - is standard input, which is the default']],
  options: [
    [
      '--form <form>',
      `the format, where it should not be told by its lines: ${PATCH_FORMS.join(', ')}`,
      PATCH_FORMS,
    ],
    ['--path <file>', 'the file that hunks or blocks without a name are for'],
    ...editOptions,
  ],
  examples: [
    ['git diff main topic | vedit patch -m "take over the fix"', ''],
    ['vedit patch answer.patch -n', 'only show what would change'],
    ['vedit patch --path src/app.ts < blocks.txt', ''],
  ],
  async run(call) {
    const { options } = call;
    const text = (await readText(call, 'the patch', undefined, { file: call.args[0] ?? '-' }))!;
    const form = options.form ?? patchForm(text);
    if (form === null)
      throw new UsageError(`no line tells the format of the patch; give --form ${PATCH_FORMS.join('|')}`);
    checkPath(form, options.path);
    return runWriter(call, form, place => fields(form, text, options.path, place));
  },
});

function checkPath(form: PatchForm, path: string | undefined): void {
  if (needsPath(form) && path === undefined)
    throw new UsageError(`${form} does not hold the path of its file: give --path`);
  if (!needsPath(form) && path !== undefined)
    throw new UsageError(`${form} holds its paths itself: leave --path out`);
}

function fields(form: PatchForm, text: string, path: string | undefined, place: WorkingFolder): object {
  if (path === undefined) return { patch: text };
  const file = place.path(path);
  return form === 'context_patch' ? { path: file, patch_text: text } : { path: file, blocks: text };
}

/** Forms whose patches do not hold the path of their file. */
function needsPath(form: PatchForm): boolean {
  return form === 'context_patch' || form === 'search_replace';
}

/** The edit whose form of patch the text has; `null` when no line tells. */
export function patchForm(text: string): PatchForm | null {
  const lines = text.split(/\r?\n/);
  for (const [i, line] of lines.entries()) {
    if (/^<{5,9} SEARCH/.test(line)) return 'search_replace';
    if (line.startsWith('diff --git ') || namesSides(lines, i)) return 'unified_diff';
    const form = markedForm(line);
    if (form !== null) return lines.some((_, k) => k > i && beginsFile(lines, k)) ? 'unified_diff' : form;
  }
  return null;
}

function markedForm(line: string): PatchForm | null {
  if (/^\s*\*\*\* Begin Patch/.test(line)) return 'apply_patch';
  return /^@@( (?!-\d)|$)/.test(line) ? 'context_patch' : null;
}

/** Lines that no other format has; the two names alone may be lines that it removes and adds. */
function beginsFile(lines: readonly string[], at: number): boolean {
  if (lines[at]!.startsWith('diff --git ')) return true;
  return namesSides(lines, at) && /^@@ -\d/.test(lines[at + 2] ?? '');
}

function namesSides(lines: readonly string[], at: number): boolean {
  return lines[at]!.startsWith('--- ') && (lines[at + 1]?.startsWith('+++ ') ?? false);
}
