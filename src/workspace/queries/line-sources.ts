/**
 * Lines that a commit brought and did not write: those of a way back, of a sync that joined commits of the branch, and
 * of a file that a person took back. They belong to the commits that wrote them first.
 */

import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { isOutside, isSync } from '../../operations.ts';
import type { LineChange } from '../../text/diff/line-diff.ts';
import { type BlamedLine, type BlameRequest, blameLines } from '../../trail/blame/blame.ts';
import { splitLines } from '../../trail/blame/suspects.ts';
import { readEntryOrNull, type TrailEntry } from '../../trail/walk.ts';

/** Lines `from` to `to` (1-based, inclusive) of the text after a commit, and the commit that wrote them. */
export interface SourceRow {
  from: number;
  to: number;
  entry: TrailEntry;
}

/** A file of a commit that may have brought lines of others. Paths are as the trail records them. */
export interface BroughtFile {
  entry: TrailEntry;
  path: string;
  /** The path before a move. */
  from: string | null;
  lines: readonly LineChange[];
  /** Give it to ask also for the lines that the diff leaves as they were: how many the file has after the commit. */
  count?: number;
}

/** True for a commit whose lines may be those of others. */
export function mayBring({ meta }: TrailEntry): boolean {
  if (!meta) return false;
  const isWayBack = Boolean(meta.undoes?.length || meta.redoes?.length || meta.restores);
  return isWayBack || isSync(meta.op) || isOutside(meta.op);
}

/**
 * For each of these files, the newest commit first, the lines whose writer is not what the diff tells: not the commit
 * itself, and of lines that the diff leaves as they were not who wrote them in the commit below. Reads history once for
 * all of them.
 */
export async function lineSources(
  objects: ObjectDatabase,
  files: readonly BroughtFile[],
): Promise<SourceRow[][]> {
  const asked: Array<{ own: BlameRequest; below: BlameRequest; told: ReadonlyMap<number, number> }> = [];
  for (const file of files) asked.push(await requestsOf(objects, file));
  const found = (
    await blameLines(
      objects,
      asked.flatMap(({ own, below }) => [own, below]),
    )
  ).values();
  return asked.map(({ own, told }) => {
    const lines = found.next().value!;
    const writers = new Map(found.next().value!.map(({ line, entry }) => [line, entry.commit]));
    return rowsOf(
      lines.filter(({ line, entry }) => {
        const old = told.get(line);
        return entry.commit !== (old === undefined ? own.entry.commit : writers.get(old));
      }),
    );
  });
}

/** The lines in the commit, and those of them that were there before, in the commit below; `told`: which is which. */
async function requestsOf(
  objects: ObjectDatabase,
  { entry, path, from, lines, count = 0 }: BroughtFile,
): Promise<{ own: BlameRequest; below: BlameRequest; told: ReadonlyMap<number, number> }> {
  const parent = entry.parents[0] === undefined ? null : await readEntryOrNull(objects, entry.parents[0]);
  const added = lines.flatMap(({ newStart, newEnd }) => numbers(newStart + 1, newEnd));
  const wanted = parent && count > 0 ? numbers(1, count) : added;
  const all = Int32Array.from(wanted);
  const { kept } = splitLines({ here: all, keys: all }, lines);
  const old = [...kept.here];
  return {
    own: { entry, path, lines: wanted },
    below: { entry: parent ?? entry, path: from ?? path, lines: old },
    told: new Map(old.map((line, at) => [kept.keys[at]!, line])),
  };
}

function numbers(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
}

function rowsOf(lines: readonly BlamedLine[]): SourceRow[] {
  const rows: SourceRow[] = [];
  for (const { line, entry } of lines) {
    const last = rows.at(-1);
    if (last && last.to === line - 1 && last.entry.commit === entry.commit) last.to = line;
    else rows.push({ from: line, to: line, entry });
  }
  return rows;
}
