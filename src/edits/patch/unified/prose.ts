/** Text around the parts of a unified diff: it is left out only where it can be nothing of the patch. */

import { FORM_WORDS, type Form, type PatchLine, type PatchReader, patchSyntax } from '../patch-text.ts';
import { fenceOf } from '../unwrap.ts';

export class Prose {
  /** The lines that were left out and are not blank. */
  readonly skipped: PatchLine[] = [];
  /** Before the patch, and after the end of a fence or of a mail, a text may hold lists; after a hunk it may not. */
  #free = true;
  #fence: string | null = null;

  /** Takes a line that belongs to no file. Throws PATCH_SYNTAX when it may be part of a patch, or of another format. */
  read(reader: PatchReader): void {
    const line = reader.take();
    refuseForeign(line, reader.peek()?.text ?? '');
    if (!this.#free && /^[-+ \\]/.test(line.text) && line.text.trim() !== '') throw strayLine(line);
    const fence = fenceOf(line.text);
    if (line.text.startsWith('From ') || (fence !== null && fence === this.#fence)) this.#free = true;
    if (fence !== null) this.#fence = this.#fence === null ? fence : null;
    this.#leaveOut(line);
  }

  /** Takes the signature of a mail: two lines. */
  readSignature(reader: PatchReader): void {
    this.#leaveOut(reader.take());
    this.#leaveOut(reader.take());
    this.#free = true;
  }

  /** Notes that a file's part of the patch has ended. */
  partEnded(): void {
    this.#free = false;
  }

  #leaveOut(line: PatchLine): void {
    if (line.text.trim() !== '') this.skipped.push(line);
  }
}

const PATH_LINES = '"--- a/path" and "+++ b/path" before the hunks of a file';
const GIT_LINE = 'a line "diff --git a/path b/path" above it';
const TEXT_ONLY = 'a text patch; this engine edits text only';

/** Lines by which git writes a change of a file that is not text, where its hunks would stand. */
const BINARY: ReadonlyArray<readonly [line: RegExp, problem: string, expected: string]> = [
  [/^GIT binary patch/, 'begins a binary patch', TEXT_ONLY],
  [/^Binary files .* differ$/, 'stands for a change of a file that is not text', TEXT_ONLY],
];

/** Throws PATCH_SYNTAX for a line that stands for a change of a file that is not text. */
export function refuseBinary(line: PatchLine | undefined): void {
  for (const [pattern, problem, expected] of BINARY)
    if (line && pattern.test(line.text)) throw patchSyntax(line, problem, expected);
}

/** Lines that change something in a format that this is not, or that say of a change what it is not. */
const FOREIGN: ReadonlyArray<readonly [line: RegExp, problem: string, expected: string, form?: Form]> = [
  [
    /^\s*\*\*\* (Begin Patch|End Patch|End of File|(Add|Update|Delete) File:|Move to:)/,
    `belongs to ${FORM_WORDS.apply_patch}`,
    PATH_LINES,
    'apply_patch',
  ],
  [/^\*{15}/, 'belongs to a context diff', 'a unified diff (diff -u)'],
  [/^<{5,9} SEARCH/, `begins ${FORM_WORDS.search_replace}`, PATH_LINES, 'search_replace'],
  [/^@@/, 'begins a hunk of no file', PATH_LINES],
  [/^(old mode|new mode|new file mode|deleted file mode) \d{6}$/, 'belongs to no file', GIT_LINE],
  ...BINARY,
  [/^Only in .+: .+$/, 'names a file without its content', 'a diff that holds new files too (diff -N)'],
];

function refuseForeign(line: PatchLine, next: string): void {
  for (const [pattern, problem, expected, form] of FOREIGN) {
    if (pattern.test(line.text)) throw patchSyntax(line, problem, expected, form);
  }
  const verb = /^(rename|copy) from ./.exec(line.text)?.[1];
  if (verb && next.startsWith(`${verb} to `)) throw patchSyntax(line, 'belongs to no file', GIT_LINE);
  if (/^\+\+\+ ./.test(line.text) && next.startsWith('@@')) {
    throw patchSyntax(line, 'comes without a "--- " line before it', PATH_LINES);
  }
}

function strayLine(line: PatchLine): Error {
  return patchSyntax(line, 'belongs to no hunk', 'a header, or text that begins with no mark of a hunk');
}
