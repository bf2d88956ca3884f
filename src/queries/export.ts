/** The history for other programs: each commit with its files, their versions, and the lines that it wrote. */

import type { Layer } from '../engine/admission/policy/policies.ts';
import { commitDiffs } from '../engine/commit-diffs.ts';
import { type Context, toTrail } from '../engine/context.ts';
import type { FileDiff } from '../engine/file-diffs.ts';
import { joins, type LogEntry, logEntry } from '../engine/log-entry.ts';
import { openTrail } from '../engine/trails/open-trail.ts';
import type { TrailHead } from '../history/head.ts';
import type { TrailEntry } from '../history/walk.ts';
import { type BlamedLine, blameLines } from '../line/blame.ts';
import { isHead, isOutside, isWayBack } from '../operations.ts';
import { blameOptions } from './blame.ts';
import { readLog } from './log/history.ts';
import type { LogOptions } from './read-options.ts';

/** One file of a commit. Paths are from the top of the repository. */
export interface ExportFile {
  path: string;
  kind: FileDiff['kind'];
  from: string | null;
  before: string | null;
  after: string | null;
  added: number;
  removed: number;
  /** True when a side is no text: then no lines are counted. */
  binary: boolean;
  /** The lines of the new text that this commit brought. */
  ranges: LineRange[];
  /** Those of them that it did not write: a way back brings back what others wrote. */
  sources: ExportSource[];
  diff: string;
}

/** 1-based, both included. */
export interface LineRange {
  start_line: number;
  end_line: number;
}

/** Lines that were written before, and the commit that first wrote them; `op` is `null` for one of a person. */
export interface ExportSource extends LineRange {
  commit: string;
  op: string | null;
  session: string | null;
  agent: string | null;
  model: string | null;
  author: string;
}

export type ExportEntry = Omit<LogEntry, 'stats' | 'diff'> & { files: ExportFile[] };

/** The number of entries that are read before the first one is given, and twice as many each time after that. */
const FIRST_ENTRIES = 256;

/** Newest first. A commit that joins two histories has no files: what it brings has commits of its own. */
export async function* exportEntries(
  context: Context,
  options: LogOptions = {},
): AsyncGenerator<ExportEntry> {
  const { stats: _stats, patch: _patch, ...wanted } = options;
  const only = wanted.path?.replace(/\/$/, '');
  const trail = await openTrail(context);
  const layers = await context.policies.layers(trail);
  let size = FIRST_ENTRIES;
  let entries: Read[] = [];
  for await (const one of readLog(context, wanted, (entry, logged) => ({ entry, logged }))) {
    entries.push(one);
    if (entries.length < size) continue;
    yield* withFiles(context, trail, entries, layers, only);
    [entries, size] = [[], 2 * size];
  }
  yield* withFiles(context, trail, entries, layers, only);
}

interface Read {
  entry: TrailEntry;
  logged: LogEntry;
}

/** Yields entries with the sources of their lines, looked up for all at once: each time may read the whole history. */
async function* withFiles(
  context: Context,
  trail: TrailHead,
  entries: readonly Read[],
  layers: readonly Layer[],
  only: string | undefined,
): AsyncGenerator<ExportEntry> {
  const diffsOf = async ({ entry, logged }: Read): Promise<FileDiff[]> =>
    joins(logged) ? [] : commitDiffs(context, entry, only, layers);
  const asked: Brought[] = [];
  for (const one of entries.filter(({ entry }) => mayBring(entry)))
    for (const fileDiff of await diffsOf(one)) asked.push({ entry: one.entry, fileDiff });
  const sources = await sourcesOf(context, trail, asked);
  for (const one of entries) {
    const files = (await diffsOf(one)).map(file =>
      exportFile(context, file, sources.get(nameOf(one.entry, file)) ?? []),
    );
    yield { ...one.logged, files };
  }
}

/** True for a commit whose lines may be those of others: a way back, a sync with HEAD, a file that a person took back. */
function mayBring({ meta }: TrailEntry): boolean {
  return isWayBack(meta?.op) || isHead(meta?.op) || isOutside(meta?.op);
}

/** A file of a commit that may have brought lines of others. */
interface Brought {
  entry: TrailEntry;
  fileDiff: FileDiff;
}

const nameOf = ({ commit }: TrailEntry, { path }: FileDiff): string => `${commit}\0${path}`;

/** Finds the lines of these files, the newest commit first, that others wrote; reads history once for all of them. */
async function sourcesOf(
  context: Context,
  trail: TrailHead,
  files: readonly Brought[],
): Promise<Map<string, ExportSource[]>> {
  const requests = files.map(({ entry, fileDiff }) => ({
    entry,
    path: toTrail(context, fileDiff.path),
    lines: rangesOf(fileDiff).flatMap(({ start_line, end_line }) =>
      Array.from({ length: end_line - start_line + 1 }, (_, at) => start_line + at),
    ),
  }));
  const found = await blameLines(context.objects, requests, blameOptions(context, trail));
  return new Map(
    files.map(({ entry, fileDiff }, at) => [nameOf(entry, fileDiff), runsOf(entry, found[at]!)]),
  );
}

/** The runs of lines that another commit wrote. */
function runsOf({ commit: own }: TrailEntry, lines: readonly BlamedLine[]): ExportSource[] {
  const runs: ExportSource[] = [];
  for (const { line, entry } of lines.filter(one => one.entry.commit !== own)) {
    const { commit, op, session, agent, model, author } = logEntry(entry);
    const last = runs.at(-1);
    if (last?.end_line === line - 1 && last.commit === commit) last.end_line = line;
    else runs.push({ start_line: line, end_line: line, commit, op, session, agent, model, author });
  }
  return runs;
}

function exportFile(context: Context, fileDiff: FileDiff, sources: ExportSource[]): ExportFile {
  const { kind, added, removed, binary, diff } = fileDiff;
  return {
    path: toTrail(context, fileDiff.path),
    kind,
    from: fileDiff.from === null ? null : toTrail(context, fileDiff.from),
    before: fileDiff.before?.version ?? null,
    after: fileDiff.after?.version ?? null,
    added,
    removed,
    binary,
    ranges: rangesOf(fileDiff),
    sources,
    diff,
  };
}

function rangesOf({ lines }: FileDiff): LineRange[] {
  return lines
    .filter(change => change.newEnd > change.newStart)
    .map(change => ({ start_line: change.newStart + 1, end_line: change.newEnd }));
}
