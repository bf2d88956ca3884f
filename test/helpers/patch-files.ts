/** Edits of several files planned and applied in memory: path -> content before, path -> content after. */

import type { FileChange, FileMode } from '../../src/edits/edit.ts';
import { applyChanges } from '../../src/edits/edit.ts';
import { parseInput } from '../../src/edits/input.ts';
import { EditError } from '../../src/errors.ts';
import type { TextFile } from '../../src/text/document.ts';
import { type Content, edit, file } from '../edits/planning.ts';

export interface Outcome {
  /** Of all files that are there afterwards. */
  files: Record<string, string>;
  /** Their modes, where they are known. */
  modes: Record<string, FileMode>;
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
  found.check?.(parsed as never);
  const changes = found.plan(parsed, seen, new Map(Object.entries(modes)));
  const after = applyChanges(new Map([...files, ...seen]), changes);
  const notes = changes.flatMap(one => one.notes ?? []);
  return { files: contents(after), modes: modesAfter(modes, changes), changes, notes };
}

/** As a workspace keeps them. */
function modesAfter(
  before: Record<string, FileMode>,
  changes: readonly FileChange[],
): Record<string, FileMode> {
  const modes = new Map(Object.entries(before));
  for (const change of changes) {
    const { path } = change;
    if (change.kind === 'create') modes.set(path, change.mode ?? modes.get(path) ?? '100644');
    if (change.kind === 'modify' && change.mode) modes.set(path, change.mode);
    if (change.kind === 'move') modes.set(change.to, modes.get(path) ?? '100644');
    if (change.kind === 'move' || change.kind === 'delete') modes.delete(path);
  }
  return Object.fromEntries(modes);
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
