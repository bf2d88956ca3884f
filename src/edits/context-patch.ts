/**
 * context_patch: hunks of one file, placed by their lines and by `@@` anchors, with or without the `*** Begin Patch` envelope
 * around them (agent0ai/agent-zero, plugins/_text_editor/helpers/context_patch.py).
 */

import * as z from 'zod';
import { EditError } from '../errors.ts';
import { type Edit, ownEdit } from './edit.ts';
import { filePath, text } from './fields.ts';
import type { Format, Patch } from './patch/patch.ts';
import {
  foreignForm,
  namesFile,
  type PatchLine,
  PatchReader,
  patchLines,
  patchSyntax,
  trimmed,
} from './patch/patch-text.ts';
import { patchEdit } from './patch/plan-patch.ts';
import { BEGIN, checkedName, END, withoutEnd } from './patch/v4a/envelope.ts';
import { readHunks } from './patch/v4a/hunks.ts';

export interface ContextPatchInput {
  path: string;
  patch_text: string;
}

const input = () =>
  z.strictObject({
    path: filePath(),
    patch_text: text(
      'Hunks, with or without "*** Begin Patch", "*** Update File: path" before and "*** End Patch" after them.',
    ),
  });

const format: Format = { word: 'hunk', ordered: true, bareTail: true, addsToEmptyEnd: true, finalLine: true };

export const contextPatch: Edit<ContextPatchInput, 'context_patch'> = ownEdit({
  name: 'context_patch',
  description:
    'Change one file by hunks: "@@", or "@@ " and a whole line that occurs once, then lines that begin with " " ' +
    '(context), "-" (removed) or "+" (added). Lines are added after the anchor, or next to the context given. Each hunk ' +
    'must fit at exactly one place, or at the first after its anchor; hunks are in the order of the file. Prefer it for several places of one file.',
  input,
  aliases: { path: ['file_path', 'file', 'filename'], patch_text: ['patch', 'diff'] },
  example: {
    path: 'src/app.ts',
    patch_text: '@@ function start() {\n-  listen(80);\n+  listen(8080);',
  },
  addressesLines: false,
  ...patchEdit(format, parse),
});

/** Throws PATCH_SYNTAX; INVALID_INPUT where the header names another file. */
function parse({ path, patch_text }: ContextPatchInput): Patch {
  const lines = trimmed(patchLines(patch_text));
  const wrapped = lines[0]?.text.startsWith(BEGIN) ?? false;
  const expected = '"@@" and the lines to change';
  const foreign = wrapped ? null : foreignForm(lines.slice(0, 2), 'apply_patch', expected);
  if (foreign !== null) throw foreign;
  const reader = new PatchReader(wrapped ? insideEnvelope(lines) : lines);
  const named = wrapped ? readHeader(reader) : null;
  const hunks = readHunks(reader, isForeign, false);
  if (!reader.done) throw foreignLine(reader.take(), wrapped);
  if (hunks.length === 0) throw patchSyntax(null, 'holds no hunk', expected);
  if (named === null || namesFile(named, path))
    return { operations: [{ kind: 'update', at: 1, path, hunks }], notes: [] };
  const message = `The header of patch_text names ${JSON.stringify(named)}, but path is ${JSON.stringify(path)}. Nothing was changed. Name the same file in both, or leave the header out.`;
  throw new EditError('INVALID_INPUT', message, { path, named, fields: ['path', 'patch_text'] });
}

function insideEnvelope(lines: readonly PatchLine[]): PatchLine[] {
  const last = lines.at(-1)!;
  if (last.text.trimEnd() === END) return lines.slice(1, -1);
  if (!lines.some(({ text }) => text.trimEnd() === END)) throw withoutEnd(last);
  throw patchSyntax(last, `comes after "${END}"`, `"${END}" as the last line`);
}

function readHeader(reader: PatchReader): string {
  reader.skipBlank();
  const line = reader.peek();
  const match = /^\*\*\* Update File:(.*)$/.exec(line?.text ?? '');
  if (line && match) return checkedName(reader.take(), match[1]!.trim());
  if (line && isForeign(line)) throw foreignLine(line, true);
  throw patchSyntax(line ?? null, `comes before any header`, `"*** Update File: path" after "${BEGIN}"`);
}

function isForeign({ text }: PatchLine): boolean {
  return text.startsWith('***');
}

const REASONS: ReadonlyArray<readonly [RegExp, string]> = [
  [/^\*\*\* Update File:/, 'begins a second file: a context patch is for one file'],
  [/^\*\*\* Move to:/, 'moves the file: a context patch does not move files'],
  [/^\*\*\* (Add|Delete) File:/, 'adds or deletes a file: a context patch only updates one'],
];

function foreignLine(line: PatchLine, wrapped: boolean): Error {
  const reason = wrapped ? REASONS.find(([pattern]) => pattern.test(line.text))?.[1] : undefined;
  const form = reason === undefined ? undefined : 'apply_patch';
  return patchSyntax(line, reason ?? 'is no line of this format', '"@@" and the lines to change', form);
}
