/**
 * Lines that a commit brought and did not write: those of a way back, of a sync that joined commits of the branch, and
 * of a file that a person took back. They belong to the commits that wrote them first.
 */

import { type Context, toTrail } from '../engine/context.ts';
import type { FileDiff } from '../engine/file-diffs.ts';
import type { TrailHead } from '../history/head.ts';
import { readEntryOrNull, type TrailEntry } from '../history/walk.ts';
import { type BlamedLine, type BlameRequest, blameLines } from '../line/blame.ts';
import { splitLines } from '../line/suspects.ts';
import { isHead, isOutside, isWayBack } from '../operations.ts';
import { blameOptions } from './blame.ts';

/** Lines `from` to `to` (1-based, inclusive) of the text after a commit, and the commit that wrote them. */
export interface SourceRow {
  from: number;
  to: number;
  entry: TrailEntry;
}

/** A file of a commit that may have brought lines of others. */
export interface BroughtFile {
  entry: TrailEntry;
  fileDiff: FileDiff;
  /** Give it to ask also for the lines that the diff leaves as they were: how many the file has after the commit. */
  count?: number;
}

/** Answers, by a commit and a path of the workspace after it, the lines that others wrote. */
export type Sources = (commit: string, path: string) => readonly SourceRow[];

/** True for a commit whose lines may be those of others. */
export function mayBring({ meta }: TrailEntry): boolean {
  return isWayBack(meta?.op) || isHead(meta?.op) || isOutside(meta?.op);
}

/**
 * Finds in these files, the newest commit first, the lines whose writer is not what the diff tells: not the commit
 * itself, and of lines that the diff leaves as they were not who wrote them in the commit below. Reads history once for
 * all of them.
 */
export async function lineSources(
  context: Context,
  trail: TrailHead,
  files: readonly BroughtFile[],
): Promise<Sources> {
  const asked = await Promise.all(files.map(file => requestsOf(context, file)));
  const requests = asked.flatMap(({ own, below }) => [own, below]);
  const found = await blameLines(context.objects, requests, blameOptions(context, trail));
  const rows = new Map<string, SourceRow[]>();
  for (const [at, { own, told }] of asked.entries()) {
    const writers = new Map(found[2 * at + 1]!.map(({ line, entry }) => [line, entry.commit]));
    const others = found[2 * at]!.filter(({ line, entry }) => {
      const old = told.get(line);
      return entry.commit !== (old === undefined ? own.entry.commit : writers.get(old));
    });
    rows.set(`${own.entry.commit}\0${files[at]!.fileDiff.path}`, rowsOf(others));
  }
  return (commit, path) => rows.get(`${commit}\0${path}`) ?? [];
}

/** Asks blame for lines of a commit, and, of those that the commit below had too, for the lines there. */
async function requestsOf(
  context: Context,
  { entry, fileDiff: { path: name, from, lines }, count = 0 }: BroughtFile,
): Promise<{ own: BlameRequest; below: BlameRequest; told: ReadonlyMap<number, number> }> {
  const path = toTrail(context, name);
  const [first] = entry.parents;
  const parent = first === undefined ? null : await readEntryOrNull(context.objects, first);
  const added = lines.flatMap(({ newStart, newEnd }) => numbers(newStart + 1, newEnd));
  const wanted = parent && count > 0 ? numbers(1, count) : added;
  const all = Int32Array.from(wanted);
  const { kept } = splitLines({ here: all, keys: all }, lines);
  const old = [...kept.here];
  return {
    own: { entry, path, lines: wanted },
    below: { entry: parent ?? entry, path: from === null ? path : toTrail(context, from), lines: old },
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
