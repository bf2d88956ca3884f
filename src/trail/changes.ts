/**
 * The changes that a commit made in its files, in the form in which they are kept: a version is told by the rows of the one
 * before it, so that whoever weaves all versions of a file reads the text of one.
 */

import type { ObjectDatabase } from '../git/objects/object-database.ts';
import type { TreeRef } from '../git/objects/tree-entries.ts';
import { align, type Token } from '../text/diff/alignment.ts';
import type { TrailEntry } from './entry.ts';
import { isUtf8, recordedRows } from './history/file-rows.ts';
import { kindOf, namedFiles } from './history/read-steps.ts';
import { type Recorded, sameRecorded } from './steps.ts';

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
  const { to } = align(old, fresh);
  const hunks: RowHunk[] = [];
  let [from, start, length] = [0, 0, 0];
  for (let at = 0; at <= to.length; at++) {
    const end = at === to.length ? fresh.length : to[at]!;
    if (end < 0) continue;
    if (at > from || end > start) hunks.push([from, at - from, ...fresh.slice(start, end)]);
    for (; start < end; start++) length += fresh[start]!.length + 1;
    if (length > LONGEST) return undefined;
    [from, start] = [at + 1, end + 1];
  }
  return hunks;
}

export function patched(old: readonly Token[], hunks: readonly RowHunk[]): Token[] {
  const rows: Token[] = [];
  let from = 0;
  for (const [start, gone, ...put] of hunks) {
    for (; from < start; from++) rows.push(old[from]!);
    for (const row of put) rows.push(row);
    from = start + gone;
  }
  for (; from < old.length; from++) rows.push(old[from]!);
  return rows;
}

/** The most text that is read for one list of commits, old and new; what comes after it is kept without hunks. */
const MOST_TEXT = 128 * 1024 * 1024;

/** Reads the changes of commits, newest first, in their order; `null` for what joins histories, or is not the engine's. */
export async function changesOf(
  objects: ObjectDatabase,
  entries: readonly TrailEntry[],
): Promise<Array<CommitChanges | null>> {
  const found: Array<CommitChanges | null> = [];
  let left = MOST_TEXT;
  const rowsOf = async (path: string, held: Recorded): Promise<readonly Token[]> => {
    const rows = await recordedRows(objects, path, held);
    for (const row of rows) left -= row.length + 1;
    return rows;
  };
  for (const entry of [...entries].reverse()) {
    const files = await namedFiles(objects, entry);
    for (const file of files ?? [])
      if (left > 0 && !sameRecorded(file.before, file.after)) {
        const [old, fresh] = [await rowsOf(file.path, file.before), await rowsOf(file.path, file.after)];
        // What a content is as text may be declared otherwise one day.
        const hunks = isUtf8(old) && isUtf8(fresh) ? hunksOf(old, fresh) : undefined;
        if (hunks) file.hunks = hunks;
      }
    found.push(files && { ...kindIn(entry), files });
  }
  return found.reverse();
}

/** Tells the kind of a commit's step; nothing where the commit says of others what it does with them. */
function kindIn({ meta, parents }: TrailEntry): Pick<CommitChanges, 'kind'> {
  const kind = kindOf(meta);
  const isAbout = meta?.undoes !== undefined || meta?.redoes !== undefined || meta?.unrejects !== undefined;
  return isAbout || parents.length > 1 || kind === 'sync' ? {} : { kind };
}
