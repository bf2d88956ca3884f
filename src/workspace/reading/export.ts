/** The history for other programs: each commit with its files, their versions, and the lines that it wrote. */

import { readEntry } from '../../trail/walk.ts';
import { type Context, toTrail } from '../context.ts';
import type { Delta } from '../deltas.ts';
import { commitDeltas } from './commit-deltas.ts';
import { joins, type LogEntry, type LogOptions, logEntries } from './history.ts';

/** One file of a commit. Paths are from the top of the repository. */
export interface ExportFile {
  path: string;
  kind: Delta['kind'];
  /** The path before a move. */
  from: string | null;
  /** Blob ids. */
  before: string | null;
  after: string | null;
  added: number;
  removed: number;
  /** True when a side is no text: then no lines are counted. */
  binary: boolean;
  /** The lines of the new text that this commit wrote. */
  ranges: LineRange[];
  diff: string;
}

/** 1-based, both included. */
export interface LineRange {
  start_line: number;
  end_line: number;
}

export type ExportEntry = Omit<LogEntry, 'stats' | 'diff'> & { files: ExportFile[] };

/** Newest first. A commit that joins two histories has no files: what it brings has commits of its own. */
export async function* exportEntries(
  context: Context,
  options: LogOptions = {},
): AsyncGenerator<ExportEntry> {
  const { stats: _stats, patch: _patch, ...wanted } = options;
  const only = wanted.path?.replace(/\/$/, '');
  for await (const entry of logEntries(context, wanted)) {
    const deltas = joins(entry)
      ? []
      : await commitDeltas(context, await readEntry(context.objects, entry.commit), only);
    yield { ...entry, files: deltas.map(delta => exportFile(context, delta)) };
  }
}

function exportFile(context: Context, delta: Delta): ExportFile {
  const { kind, added, removed, binary, diff } = delta;
  return {
    path: toTrail(context, delta.path),
    kind,
    from: delta.from === null ? null : toTrail(context, delta.from),
    before: delta.before?.version ?? null,
    after: delta.after?.version ?? null,
    added,
    removed,
    binary,
    ranges: rangesOf(delta),
    diff,
  };
}

function rangesOf({ lines }: Delta): LineRange[] {
  return lines
    .filter(change => change.newEnd > change.newStart)
    .map(change => ({ start_line: change.newStart + 1, end_line: change.newEnd }));
}
