/**
 * Agent Zero's context patch: hunks of one file, with or without the `*** Begin Patch` envelope around them
 * (agent0ai/agent-zero, plugins/_text_editor/helpers/context_patch.py).
 */

import type { Hunk } from './patch.ts';
import { foreignForm, type PatchLine, PatchReader, patchLines, patchSyntax, trimmed } from './patch-text.ts';
import { BEGIN, checkedName, END, withoutEnd } from './v4a/envelope.ts';
import { readHunks } from './v4a/hunks.ts';

export interface ContextPatch {
  /** The file that the header names, when there is an envelope. */
  named: string | null;
  hunks: Hunk[];
}

/** Parses the hunks of one file. Throws PATCH_SYNTAX. */
export function parseContextPatch(text: string): ContextPatch {
  const lines = trimmed(patchLines(text));
  const wrapped = lines[0]?.text.startsWith(BEGIN) ?? false;
  const expected = '"@@" and the lines to change';
  const foreign = wrapped ? null : foreignForm(lines.slice(0, 2), 'apply_patch', expected);
  if (foreign !== null) throw foreign;
  const reader = new PatchReader(wrapped ? insideEnvelope(lines) : lines);
  const named = wrapped ? readHeader(reader) : null;
  const hunks = readHunks(reader, isForeign, false);
  if (!reader.done) throw foreignLine(reader.take(), wrapped);
  if (hunks.length === 0) throw patchSyntax(null, 'holds no hunk', expected);
  return { named, hunks };
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
