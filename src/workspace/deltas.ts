/** A change as a reader sees it: per file what happened, lines added and removed, and the diff. */

import { EditError } from '../errors.ts';
import type { StoreChange, StoredFile } from '../stores/store.ts';
import { unifiedDiff } from '../text/diff.ts';
import { textFile } from '../text/document.ts';
import { type LineChange, lineDiff } from '../text/line-diff.ts';
import { lineBreakOf } from '../text/lines.ts';

export interface Delta {
  kind: 'create' | 'modify' | 'delete' | 'move';
  path: string;
  /** The path before a move. */
  from: string | null;
  before: StoredFile | null;
  after: StoredFile | null;
  added: number;
  removed: number;
  /** As git prints it, for this file alone. */
  diff: string;
  /** Which lines of the old text became which of the new. */
  lines: readonly LineChange[];
}

/** A move is one delta, not a deletion and a creation. */
export function deltasOf(
  changes: readonly StoreChange[],
  moves: ReadonlyArray<{ from: string; to: string }>,
): Delta[] {
  const byPath = new Map(changes.map(change => [change.path, change]));
  const deltas: Delta[] = [];
  for (const { path, before, after } of changes) {
    if (moves.some(move => move.from === path && after === null && byPath.has(move.to))) continue;
    const from = moves.find(move => move.to === path && byPath.get(move.from)?.after === null)?.from ?? null;
    const old = from === null ? before : byPath.get(from)!.before;
    deltas.push(deltaOf(path, from, old, after));
  }
  return deltas;
}

export function deltaOf(
  path: string,
  from: string | null,
  before: StoredFile | null,
  after: StoredFile | null,
): Delta {
  const kind = from !== null ? 'move' : before === null ? 'create' : after === null ? 'delete' : 'modify';
  const oldText = decoded(path, before);
  const newText = decoded(path, after);
  const binary = oldText === null || newText === null;
  const { text, added, removed } = unifiedDiff({
    oldPath: from ?? path,
    newPath: path,
    oldText: before && (oldText ?? ''),
    newText: after && (newText ?? ''),
    ...(before ? { oldMode: before.mode } : {}),
    ...(after ? { newMode: after.mode } : {}),
    binary: binary && before?.version !== after?.version,
  });
  const lines = binary ? [] : lineDiff(oldText, newText, lineBreakOf(newText)).changes;
  return { kind, path, from, before, after, added, removed, diff: text, lines };
}

/** '' for no file, `null` for a file that is no text. */
function decoded(path: string, file: StoredFile | null): string | null {
  if (!file) return '';
  try {
    return textFile(path, file.bytes, file.version).text;
  } catch (error) {
    if (error instanceof EditError) return null;
    throw error;
  }
}
