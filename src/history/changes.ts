/**
 * The changes that a commit made in its files, in the form in which they are kept: a version is told by the rows of the one
 * before it, so that whoever weaves all versions of a file reads the text of one.
 */

import type { TreeRef } from '../git/objects/tree-entries.ts';
import { align, type Token } from '../text/diff/alignment.ts';
import { changesOf } from '../text/diff/line-diff.ts';

/** One place: where it is in the old rows, how many of them went, and those that came. */
export type RowHunk = [start: number, gone: number, ...put: Token[]];

export interface FileChange {
  path: string;
  before: TreeRef | null;
  after: TreeRef | null;
  /** From the rows before to those after it; absent: read both. */
  hunks?: RowHunk[];
}

export interface CommitChanges {
  /** The kind of its step in a weave; absent where the commit itself has to be asked. */
  kind?: 'edit' | 'back' | 'reject' | 'outside';
  files: readonly FileChange[];
}

/** Longer texts of one change are read where they are. */
const LONGEST = 4096;

/** Compares two versions of a file; `undefined` where too much is new to keep. */
export function hunksOf(old: readonly Token[], fresh: readonly Token[]): RowHunk[] | undefined {
  const changes = changesOf(align(old, fresh).to, fresh.length);
  let length = 0;
  for (const { newStart, newEnd } of changes)
    for (let at = newStart; at < newEnd; at++) length += fresh[at]!.length + 1;
  if (length > LONGEST) return undefined;
  return changes.map(({ oldStart, oldEnd, newStart, newEnd }) => [
    oldStart,
    oldEnd - oldStart,
    ...fresh.slice(newStart, newEnd),
  ]);
}
