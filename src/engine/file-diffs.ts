/** A change as a reader sees it: per file what happened, lines added and removed, and the diff. */

import { EditError } from '../errors.ts';
import type { StoreChange, StoredFile } from '../stores/store.ts';
import { unifiedDiff } from '../text/diff/diff.ts';
import { type LineChange, lineDiff } from '../text/diff/line-diff.ts';
import { readableText } from '../text/document.ts';
import { lineBreakOf } from '../text/lines.ts';

export interface Move {
  from: string;
  to: string;
}

export interface FileDiff {
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
  /** The diff of this file as git prints it, made when it is first asked for. */
  diff: string;
  /** The lines of the old text that became lines of the new one. */
  lines: readonly LineChange[];
}

/**
 * The differences of a change, file by file. A move is one of them, not a deletion and a creation; a file that it
 * overwrites is deleted before it, in a difference of its own.
 */
export function fileDiffsOf(changes: readonly StoreChange[], moves: readonly Move[]): FileDiff[] {
  const sources = moves.length > 0 ? sourcesOf(changes, moves) : new Map<string, StoreChange>();
  const moved = new Set([...sources.values()].map(source => source.path));
  const fileDiffs: FileDiff[] = [];
  for (const { path, before, after } of changes) {
    const source = sources.get(path);
    if (source && before) fileDiffs.push(fileDiffOf(path, null, before, null));
    if (source) fileDiffs.push(fileDiffOf(path, source.path, source.before, after));
    else if (!moved.has(path)) fileDiffs.push(fileDiffOf(path, null, before, after));
  }
  return fileDiffs;
}

/** By the path where a file is now, the one that it was moved from. Each file went to one place only. */
function sourcesOf(changes: readonly StoreChange[], moves: readonly Move[]): Map<string, StoreChange> {
  const sources = new Map<string, StoreChange>();
  const byPath = new Map(changes.map(change => [change.path, change]));
  const taken = new Set<StoreChange>();
  const pair = ({ from, to }: Move, isSure: boolean): void => {
    const [source, target] = [byPath.get(from), byPath.get(to)];
    if (!source?.before || source.after || !target?.after || sources.has(to) || taken.has(source)) return;
    if (isSure && source.before.version !== target.after.version) return;
    sources.set(to, source);
    taken.add(source);
  };
  // Where several moves name a path, the contents tell which file it is; else the last one.
  for (const isSure of [true, false]) for (const move of [...moves].reverse()) pair(move, isSure);
  return sources;
}

export function fileDiffOf(
  path: string,
  from: string | null,
  before: StoredFile | null,
  after: StoredFile | null,
): FileDiff {
  const kind = from !== null ? 'move' : before === null ? 'create' : after === null ? 'delete' : 'modify';
  const oldText = readableText(path, before);
  const newText = readableText(path, after);
  const binary = oldText === null || newText === null;
  const made = unifiedDiff({
    oldPath: from ?? path,
    newPath: path,
    oldText: before && (oldText?.marked ?? ''),
    newText: after && (newText?.marked ?? ''),
    ...(before ? { oldMode: before.mode } : {}),
    ...(after ? { newMode: after.mode } : {}),
    binary: binary && before?.version !== after?.version,
  });
  const { added, removed } = made;
  // git ends lines with LF alone; where the file ends them with CR, the numbers that an agent sees are others.
  const isCr = !binary && lineBreakOf(newText.text) === '\r';
  const lines = isCr ? lineDiff(oldText.text, newText.text, '\r') : binary ? [] : made.changes;
  return {
    ...{ kind, path, from, before, after, added, removed, binary, lines },
    get diff() {
      return made.text;
    },
  };
}

/** In UTF-16 characters: more than the largest file written over takes, and less than a text of V8 can hold. */
const MOST_DIFF = 300_000_000;

/** The diffs of all files as one text. Throws TOO_LARGE when that would be longer than memory is worth. */
export function joinedDiff(fileDiffs: ReadonlyArray<Pick<FileDiff, 'diff'>>): string {
  const diffs: string[] = [];
  let length = 0;
  for (const { diff } of fileDiffs) {
    diffs.push(diff);
    length += diff.length;
  }
  if (length <= MOST_DIFF) return diffs.join('');
  const message =
    `The diff of these ${fileDiffs.length} files has ${length} characters, and at most ${MOST_DIFF} are given at once. ` +
    'Take fewer files at a time: name one path, or change them one after the other.';
  throw new EditError('TOO_LARGE', message, { length, limit: MOST_DIFF });
}
