/**
 * The `*** Begin Patch` format of OpenAI's models: several files, each added, updated, moved or deleted
 * (openai/codex, codex-rs/apply-patch, the grammar at the top of parser.rs).
 */

import { listed, quoted } from '../../../text/words.ts';
import type { Operation, Patch } from '../patch.ts';
import {
  cutOff,
  foreignForm,
  type PatchLine,
  PatchReader,
  patchLines,
  patchSyntax,
  slashed,
  trimmed,
  unwrapped,
} from '../patch-text.ts';
import { readHunks } from './hunks.ts';

export const BEGIN = '*** Begin Patch';
export const END = '*** End Patch';
const HEADERS = '"*** Add File: path", "*** Update File: path" or "*** Delete File: path"';

/** Parses a whole patch with its envelope. Throws PATCH_SYNTAX. */
export function parseEnvelope(text: string): Patch {
  const { lines, notes } = unwrapped(patchLines(text));
  const reader = new PatchReader(insideEnvelope(trimmed(lines)));
  const operations: Operation[] = [];
  for (reader.skipBlank(); !reader.done; reader.skipBlank()) operations.push(readOperation(reader));
  if (operations.length === 0) throw patchSyntax(null, 'holds no operation', `${HEADERS} after "${BEGIN}"`);
  return { operations, notes: [...notes, ...crlfNote(operations)] };
}

/** Notes which new files have CRLF, because the patch came with it. */
export function crlfNote(operations: readonly Operation[]): string[] {
  const made = operations.flatMap(one =>
    one.kind === 'create' && one.text.includes('\r\n') ? [one.path] : [],
  );
  return made.length === 0
    ? []
    : [`the lines of the patch end with CRLF, and so do those of ${listed(made)}`];
}

/** The lines between the first, which must begin the patch, and the last, which must end it. */
function insideEnvelope(lines: readonly PatchLine[]): PatchLine[] {
  const [first] = lines;
  if (first?.text.trim() !== BEGIN) {
    const expected = `"${BEGIN}" as the first line`;
    const foreign = foreignForm(lines, 'apply_patch', expected);
    throw foreign ?? patchSyntax(first ?? null, `does not begin with "${BEGIN}"`, expected);
  }
  const last = lines.findLastIndex(({ text }) => text.trim() === END);
  if (last < 0) {
    throw withoutEnd(lines.at(-1)!);
  }
  const behind = lines[last + 1];
  if (behind) throw patchSyntax(behind, `comes after "${END}"`, 'nothing after the end of the patch');
  return lines.slice(1, last);
}

export function withoutEnd(last: PatchLine): Error {
  return cutOff(last, `The patch ends at line ${last.at}, ${quoted(last.text)}, without "${END}"`);
}

/** The kind and the path of a header, or `null` for any other line; with a blank before it, it is context. */
function headerOf(text: string): { kind: 'Add' | 'Update' | 'Delete'; path: string } | null {
  const match = /^\*\*\* (Add|Update|Delete) File:(.*)$/.exec(text.trimEnd());
  return match && { kind: match[1] as 'Add', path: match[2]!.trim() };
}

function readOperation(reader: PatchReader): Operation {
  const line = reader.take();
  const header = headerOf(line.text.trim());
  if (header === null) {
    const isControl = line.text.trimStart().startsWith('***');
    const problem = isControl ? 'is no line of this format' : 'belongs to no operation';
    throw patchSyntax(line, problem, `${HEADERS}, or "${END}"`);
  }
  const path = checkedName(line, header.path);
  if (header.kind === 'Add') return { kind: 'create', at: line.at, path, text: readAdded(reader) };
  if (header.kind === 'Delete') return { kind: 'delete', at: line.at, path, content: 'any' };
  return readUpdate(reader, line, path);
}

/** Throws PATCH_SYNTAX for a name that is empty or decorated, as models do: that would be another file. */
export function checkedName(line: PatchLine, name: string): string {
  const expected = 'the path of a file behind the colon, without quotes and without *** at its end';
  if (name === '') throw patchSyntax(line, 'names no file', expected);
  if (/ \*\*\*$|^(["'`]).*\1$/.test(name)) throw patchSyntax(line, 'has more than a path in it', expected);
  return slashed(name).replace(/^(\.\/)+(?=.)/, '');
}

/** Reads lines that begin with `+`, up to a header or the end; blank lines may come before that. */
function readAdded(reader: PatchReader): string {
  const lines: string[] = [];
  while (reader.peek()?.text.startsWith('+')) lines.push(added(reader.take()));
  reader.skipBlank();
  const next = reader.peek();
  if (next && headerOf(next.text.trim()) === null) {
    throw patchSyntax(
      next,
      'is no line of the new file',
      `a line that begins with "+" (a lone "+" for an empty line), ${HEADERS}, or "${END}"`,
    );
  }
  return lines.join('');
}

/** Returns an added line with the line end of the patch: the new file has none that could be meant instead. */
function added({ text, end }: PatchLine): string {
  return text.slice(1) + end;
}

function readUpdate(reader: PatchReader, header: PatchLine, path: string): Operation {
  const move = /^\*\*\* Move to:(.*)$/.exec(reader.peek()?.text.trimEnd() ?? '');
  const to = move && checkedName(reader.take(), move[1]!.trim());
  const hunks = readHunks(reader, ({ text }) => headerOf(text) !== null);
  if (hunks.length === 0 && to === null) {
    throw patchSyntax(
      header,
      'is followed by no hunk',
      '"@@" and the lines to change, or "*** Move to: path"',
    );
  }
  const moved = to === null || to === path ? {} : { to };
  return { kind: 'update', at: header.at, path, hunks, ...moved };
}

/** Parses a diff that changes a file, and moves it when `to` is given. Throws PATCH_SYNTAX. */
export function parseUpdate(path: string, diff: string, to: string | undefined): Patch {
  const { lines, notes } = unwrapped(patchLines(diff));
  checkForm(lines);
  const reader = new PatchReader(lines);
  const hunks = readHunks(reader, () => false);
  if (hunks.length === 0 && to === undefined) {
    throw patchSyntax(null, 'holds no hunk', 'lines that begin with "@@", " ", "-" or "+"');
  }
  const moved = to === undefined || to === path ? {} : { to };
  return { operations: [{ kind: 'update', at: 1, path, hunks, ...moved }], notes };
}

/** Throws PATCH_SYNTAX for a diff that begins with the headers of another form: read as lines, they would be content. */
function checkForm(lines: readonly PatchLine[]): void {
  const foreign = foreignForm(trimmed(lines).slice(0, 2), null, 'the lines of one file, without headers');
  if (foreign !== null) throw foreign;
}

/** Parses a diff of `+` lines alone. A final newline comes of a last line that is a lone `+`. Throws PATCH_SYNTAX. */
export function parseCreate(path: string, diff: string): Patch {
  const { lines, notes } = unwrapped(patchLines(diff));
  checkForm(lines);
  const other = lines.find(line => !line.text.startsWith('+'));
  if (other) throw patchSyntax(other, 'does not begin with "+"', 'a line of the new file behind a "+"');
  const last = lines.at(-1);
  const text = lines.map(line => (line === last ? line.text.slice(1) : added(line))).join('');
  const operations: Operation[] = [{ kind: 'create', at: 1, path, text }];
  return { operations, notes: [...notes, ...crlfNote(operations)] };
}

/** Makes the patch that deletes a file. Throws PATCH_SYNTAX for a diff that says anything of its content. */
export function parseDelete(path: string, diff: string): Patch {
  const [line] = trimmed(patchLines(diff));
  if (line) throw patchSyntax(line, 'stands in the diff of a file that is deleted', 'no diff');
  return { operations: [{ kind: 'delete', at: 1, path, content: 'any' }], notes: [] };
}
