/**
 * Unified diffs: what `git diff`, `git format-patch` and `diff -u` print, and what models write of it. This parser is
 * strict where jsdiff's is not: nothing is dropped, and every line of the patch has a place or a refusal.
 */

import { counted, listed, quoted } from '../../../text/words.ts';
import type { Hunk, Operation, Patch } from '../patch.ts';
import {
  cutOff,
  FORM_WORDS,
  type Form,
  fenceOf,
  type PatchLine,
  PatchReader,
  patchLines,
  patchSyntax,
} from '../patch-text.ts';
import { type FileHeader, readGitHeader, readPlainHeader } from './header.ts';
import { isSignature, readUnifiedHunk } from './hunk.ts';

/** Parses a diff of any number of files. Throws PATCH_SYNTAX. */
export function parseUnified(text: string): Patch {
  const lines = patchLines(text);
  const reader = new PatchReader(lines);
  const prose = new Prose();
  const sections: Section[] = [];
  const begins: number[] = [];
  while (!reader.done) {
    const isGit = reader.peek()!.text.startsWith('diff --git ');
    if (isGit || isPlainHeader(reader)) {
      sections.push(readSection(reader, isGit ? readGitHeader(reader) : readPlainHeader(reader)));
      prose.partEnded();
    } else if (isSignature(reader)) prose.readSignature(reader);
    else {
      if (/^From [0-9a-f]{40} /.test(reader.peek()!.text)) begins.push(sections.length);
      prose.read(reader);
    }
  }
  if (sections.length === 0) {
    throw patchSyntax(null, 'changes no file', '"--- a/path", "+++ b/path" and "@@" lines');
  }
  const operations = sections.map(operationOf);
  return { operations, notes: unifiedNotes(lines, sections, prose.skipped), begins };
}

/** True before a `--- name` with `+++` or `@@` behind it; elsewhere such a line may be part of a text. */
function isPlainHeader(reader: PatchReader): boolean {
  const next = reader.peek(1)?.text ?? '';
  return /^--- ./.test(reader.peek()!.text) && (/^\+\+\+ ./.test(next) || next.startsWith('@@'));
}

function operationOf({ header, hunks }: Section): Operation {
  const { line, file, created, deleted, newMode, to } = header;
  const at = line.at;
  if (created && (deleted || to !== null))
    throw patchSyntax(line, 'begins a part that contradicts itself', 'one operation');
  if (created) {
    const mode = newMode === null ? {} : { mode: newMode };
    return { kind: 'create', at, ...file, text: createdText(line, hunks), ...mode };
  }
  if (deleted) return { kind: 'delete', at, ...file, content: hunks };
  const mode = modeOf(header);
  if (hunks.length === 0 && to === null && mode === null) {
    throw patchSyntax(line, 'begins a part that does nothing', 'hunks, a rename, a copy or a change of mode');
  }
  const moved = to === null || to === file.path ? {} : { to, ...(header.copy ? { copy: true } : {}) };
  const [first, second] = hunks;
  // One hunk `@@ -0,0` makes the file where there is none, as in git.
  const isWhole = !second && first?.hint === 1 && first.lines.every(({ mark }) => mark === '+');
  const makes = isWhole && !first.recounted ? { makes: true as const } : {};
  return { kind: 'update', at, ...file, hunks, ...moved, ...makes, ...(mode === null ? {} : { mode }) };
}

/** Returns the text of a new file: one hunk of added lines, or none. Throws PATCH_SYNTAX for more. */
function createdText(line: PatchLine, hunks: readonly Hunk[]): string {
  const [hunk] = hunks;
  if (hunks.length > 1 || hunk?.lines.some(({ mark }) => mark !== '+')) {
    throw patchSyntax(line, 'begins a new file that has more than added lines', 'one hunk of lines with "+"');
  }
  return (hunk?.lines ?? []).map(({ text, end }) => text + end).join('');
}

function modeOf({
  line,
  oldMode,
  newMode,
}: FileHeader): { from: typeof oldMode; to: NonNullable<typeof newMode> } | null {
  if (newMode === null && oldMode === null) return null;
  if (newMode === null)
    throw patchSyntax(line, 'begins a part with an old mode and no new one', '"new mode"');
  return { from: oldMode, to: newMode };
}

function unifiedNotes(
  lines: readonly PatchLine[],
  sections: readonly Section[],
  skipped: readonly PatchLine[],
): string[] {
  const hunks = sections.flatMap(one => one.hunks);
  return [
    ...note(
      skipped.length > 0,
      `${counted(skipped.length, 'line')} of text around the patch ${skipped.length === 1 ? 'was' : 'were'} left out`,
    ),
    ...note(
      lines.some(({ end }) => end === '\r\n') && lines[0]!.end === '\r\n',
      'the lines of the patch end with CRLF',
    ),
    ...note(
      sections.some(({ header }) => header.bareNames),
      'the names in the patch have no a/ and b/ before them and were taken as written',
    ),
    ...hunkNote(
      hunks.filter(({ recounted }) => recounted),
      'wrong counts in hunk headers were counted anew',
    ),
    ...hunkNote(
      hunks.filter(({ hint }) => hint === null),
      'hunk headers without numbers: the place was found by the text alone',
    ),
    ...hunkNote(
      hunks.filter(({ lines }) => lines.some(({ bare }) => bare)),
      'empty lines without a space before them were taken for context',
    ),
  ];
}

function note(holds: boolean, words: string): string[] {
  return holds ? [words] : [];
}

const SHOWN = 10;

function hunkNote(hunks: readonly Hunk[], words: string): string[] {
  if (hunks.length === 0) return [];
  const at = hunks.map(hunk => hunk.at);
  return [`${words} (${at.length === 1 ? 'hunk' : 'hunks'} in line ${listed(at, SHOWN)} of the patch)`];
}

interface Section {
  header: FileHeader;
  hunks: Hunk[];
}

/** Reads the hunks that follow the header. Throws PATCH_SYNTAX. */
function readSection(reader: PatchReader, header: FileHeader): Section {
  const hunks: Hunk[] = [];
  const next = reader.peek()?.text ?? '';
  const binary = BINARY.find(([pattern]) => pattern.test(next));
  if (binary) throw patchSyntax(reader.peek()!, binary[1], binary[2]);
  for (
    let blank = blankLines(reader);
    reader.peek(blank)?.text.startsWith('@@');
    blank = blankLines(reader)
  ) {
    reader.skip(blank);
    hunks.push(readUnifiedHunk(reader));
  }
  if (hunks.length === 0 && header.changesText) {
    const { line } = header;
    throw cutOff(line, `The part that begins in line ${line.at}, ${quoted(line.text)}, has no hunks`);
  }
  return { header, hunks };
}

function blankLines(reader: PatchReader): number {
  let blank = 0;
  while (reader.peek(blank)?.text.trim() === '') blank++;
  return blank;
}

/** Text around the parts of a diff: it is left out only where it can be nothing of the patch. */
class Prose {
  /** The lines that were left out and are not blank. */
  readonly skipped: PatchLine[] = [];
  /** Before the patch, and after the end of a fence or of a mail, a text may hold lists; after a hunk it may not. */
  #free = true;
  #fence: string | null = null;

  /** Takes a line that belongs to no file. Throws PATCH_SYNTAX when it may be part of a patch, or of another format. */
  read(reader: PatchReader): void {
    const line = reader.take();
    refuseForeign(line, reader.peek()?.text ?? '');
    if (!this.#free && /^[-+ \\]/.test(line.text) && line.text.trim() !== '')
      throw patchSyntax(line, 'belongs to no hunk', 'a header, or text that begins with no mark of a hunk');
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
