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
  /** True when a side is no text: then no lines are counted. */
  binary: boolean;
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
  const { text, added, removed, changes } = unifiedDiff({
    oldPath: from ?? path,
    newPath: path,
    oldText: before && (oldText?.marked ?? ''),
    newText: after && (newText?.marked ?? ''),
    ...(before ? { oldMode: before.mode } : {}),
    ...(after ? { newMode: after.mode } : {}),
    binary: binary && before?.version !== after?.version,
  });
  const lines = binary ? [] : linesChanged(oldText.text, newText.text, changes);
  return { kind, path, from, before, after, added, removed, binary, diff: text, lines };
}

/** In UTF-16 characters: more than the largest file written over takes, and less than a text of V8 can hold. */
const MOST_DIFF = 300_000_000;

/** The diffs of all files as one text. Throws TOO_LARGE when that would be longer than memory is worth. */
export function joinedDiff(deltas: readonly Delta[]): string {
  const length = deltas.reduce((sum, { diff }) => sum + diff.length, 0);
  if (length <= MOST_DIFF) return deltas.map(({ diff }) => diff).join('');
  const message =
    `The diff of these ${deltas.length} files has ${length} characters, and at most ${MOST_DIFF} are given at once. ` +
    'Take fewer files at a time: name one path, or change them one after the other.';
  throw new EditError('TOO_LARGE', message, { length, limit: MOST_DIFF });
}

/** git ends lines with LF alone; where the file ends them with CR, the numbers that an agent sees are others. */
function linesChanged(
  oldText: string,
  newText: string,
  changes: readonly LineChange[],
): readonly LineChange[] {
  const lineBreak = lineBreakOf(newText);
  return lineBreak === '\n' ? changes : lineDiff(oldText, newText, lineBreak).changes;
}

/** The text as an agent sees it, and with its byte order mark as git sees it. `null` for a file that is no text. */
function decoded(path: string, file: StoredFile | null): { text: string; marked: string } | null {
  if (!file) return { text: '', marked: '' };
  try {
    const { text, bom } = textFile(path, file.bytes, file.version);
    return { text, marked: bom ? `\ufeff${text}` : text };
  } catch (error) {
    if (error instanceof EditError) return null;
    throw error;
  }
}
