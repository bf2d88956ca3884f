/** Edits of several files planned and applied in memory: path -> content before, path -> content after. */

import { applyChanges } from '../../../src/edits/apply.ts';
import type { FileChange, FileMode } from '../../../src/edits/edit.ts';
import { parseInput } from '../../../src/edits/input.ts';
import { EditError } from '../../../src/errors.ts';
import type { TextFile } from '../../../src/text/document.ts';
import { type Content, edit, file } from '../planning.ts';

export interface Outcome {
  /** Of all files that are there afterwards. */
  files: Record<string, string>;
  changes: FileChange[];
  notes: string[];
}

/** Throws what parsing and planning throw. */
export function applied(
  name: string,
  input: object,
  before: Record<string, Content>,
  modes: Record<string, FileMode> = {},
): Outcome {
  const found = edit(name);
  const parsed = parseInput(found, input) as never;
  const files = new Map(Object.entries(before).map(([path, content]) => [path, file(path, content)]));
  const seen = new Map(found.paths(parsed).map(path => [path, files.get(path) ?? null]));
  const changes = found.plan(parsed, seen, new Map(Object.entries(modes)));
  const after = applyChanges(new Map([...files, ...seen]), changes);
  return { files: contents(after), changes, notes: changes.flatMap(({ notes }) => notes ?? []) };
}

/** The refusal of an edit of several files. */
export function refusedEdit(
  name: string,
  input: object,
  before: Record<string, Content>,
  modes: Record<string, FileMode> = {},
): EditError {
  try {
    applied(name, input, before, modes);
  } catch (error) {
    if (error instanceof EditError) return error;
    throw error;
  }
  throw new Error(`${name} was not refused`);
}

function contents(files: ReadonlyMap<string, TextFile | null>): Record<string, string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const present = [...files].filter((entry): entry is [string, TextFile] => entry[1] !== null);
  return Object.fromEntries(present.map(([path, { bytes }]) => [path, decoder.decode(bytes)]));
}
