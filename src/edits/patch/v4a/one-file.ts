/**
 * The one-file form of OpenAI's patches: the path beside the diff, no envelope
 * (openai-agents-js, packages/agents-core/src/utils/applyDiff.ts).
 */

import type { Operation, Patch } from '../patch.ts';
import { foreignForm, type PatchLine, PatchReader, patchLines, patchSyntax } from '../patch-text.ts';
import { trimmed, unwrapped } from '../unwrap.ts';
import { crlfNote } from './envelope.ts';
import { readHunks } from './hunks.ts';

/** A diff that changes a file, and moves it when `to` is given. Throws PATCH_SYNTAX. */
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

/** A diff of `+` lines alone. The file gets a final newline where the last line is a lone `+`. Throws PATCH_SYNTAX. */
export function parseCreate(path: string, diff: string): Patch {
  const { lines, notes } = unwrapped(patchLines(diff));
  checkForm(lines);
  const text = lines.map((line, i) => addedText(line) + (i < lines.length - 1 ? line.end : '')).join('');
  const operations: Operation[] = [{ kind: 'create', at: 1, path, text }];
  return { operations, notes: [...notes, ...crlfNote(operations)] };
}

function addedText(line: PatchLine): string {
  if (line.text.startsWith('+')) return line.text.slice(1);
  throw patchSyntax(line, 'does not begin with "+"', 'a line of the new file behind a "+"');
}

/** Nothing is said of the content of a file that goes. Throws PATCH_SYNTAX for a diff that says something. */
export function parseDelete(path: string, diff: string): Patch {
  const [line] = trimmed(patchLines(diff));
  if (line) throw patchSyntax(line, 'stands in the diff of a file that is deleted', 'no diff');
  return { operations: [{ kind: 'delete', at: 1, path, content: 'any' }], notes: [] };
}
