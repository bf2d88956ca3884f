/** Plans an edit on one or more files and applies the plan, the way a change of one edit does. */

import type { Edit, FileChange } from '../../src/edits/edit.ts';
import { applyChanges } from '../../src/edits/edit.ts';
import { editNamed } from '../../src/edits/index.ts';
import { parseInput } from '../../src/edits/input.ts';
import { EditError } from '../../src/errors.ts';
import { encodeText, type TextFile, textFile } from '../../src/text/document.ts';

export const PATH = 'f.txt';

/** A text, bytes, or no file. */
export type Content = string | Uint8Array | null;

export function file(path: string, content: Content): TextFile | null {
  if (content === null) return null;
  return textFile(path, typeof content === 'string' ? encodeText(content, false) : content, 'v');
}

/** What an edit plans for `f.txt` and other files, from an input without `path`. Throws what parsing and planning throw. */
export function planned(
  name: string,
  before: Content,
  input: object,
  others: Record<string, Content> = {},
): FileChange[] {
  return planOn(name, new Map([[PATH, file(PATH, before)], ...otherFiles(others)]), input);
}

/** The bytes of `f.txt` after the edit, as text if they are; `null` when it is gone. */
export function edited(name: string, before: Content, input: object): string | null {
  const files = new Map([[PATH, file(PATH, before)]]);
  const result = applyChanges(files, planOn(name, files, input)).get(PATH) ?? null;
  return result && new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(result.bytes);
}

/** The refusal of an edit. */
export function refusal(
  name: string,
  before: Content,
  input: object,
  others: Record<string, Content> = {},
): EditError {
  try {
    planned(name, before, input, others);
  } catch (error) {
    if (error instanceof EditError) return error;
    throw error;
  }
  throw new Error(`${name} was not refused`);
}

export function edit(name: string): Edit {
  const found = editNamed(name);
  if (found === undefined) throw new Error(`there is no edit ${name}`);
  return found;
}

function otherFiles(others: Record<string, Content>): Array<[string, TextFile | null]> {
  return Object.entries(others).map(([path, content]) => [path, file(path, content)]);
}

function planOn(name: string, files: ReadonlyMap<string, TextFile | null>, input: object): FileChange[] {
  const found = edit(name);
  const parsed = parseInput(found, { path: PATH, ...input }) as never;
  found.check?.(parsed);
  const seen = new Map(found.paths(parsed).map(path => [path, files.get(path) ?? null]));
  return found.plan(parsed, seen);
}
