/** The trail as one plain value, for the page: who changed what and why. */

import type { Layer } from '../../engine/admission/policy/policies.ts';
import { commitDiffs, recordedDiff } from '../../engine/commit-diffs.ts';
import { type Context, fromTrail } from '../../engine/context.ts';
import type { FileDiff } from '../../engine/file-diffs.ts';
import { statusWords } from '../../engine/status/status-words.ts';
import { openTrail } from '../../engine/trails/open-trail.ts';
import { diffTrees, type TreeChange } from '../../git/objects/tree-diff.ts';
import { namesPaths } from '../../history/changed-paths.ts';
import type { TrailHead } from '../../history/head.ts';
import { readEntry, type TrailEntry } from '../../history/walk.ts';
import { isOutside } from '../../operations.ts';
import { textFile } from '../../text/document.ts';
import { type Lines, linesOf } from '../../text/lines.ts';
import { type BroughtFile, lineSources, mayBring, type Sources } from '../line-sources.ts';
import { type LogEntry, logEntries } from '../log/history.ts';
import type { TimelineOptions } from '../read-options.ts';
import { Budget, type TimelineFile, TimelineFiles } from './files.ts';

export interface TimelineEntry extends Omit<LogEntry, 'stats' | 'diff'> {
  /**
   * In the order of the commit; a file that a move overwrote comes last. Of a commit that the engine did not make, the
   * edited files come first.
   */
  files: TimelineFile[];
  /** The outcome of it in words; '' of one that is open. */
  became: string;
  /** The number of further files that the commit changed and that are not shown here. */
  other_files: number;
}

export interface Timeline {
  name: string;
  /** The trail as git shortens it: `main`, `vedit/main`, `HEAD`. */
  trail: string;
  /** The newest commit; `null` when the trail has not begun. */
  head: string | null;
  /** When this was made: ISO 8601, UTC. */
  time: string;
  /** Newest first. */
  entries: TimelineEntry[];
  /** True when there are older entries than these. */
  more: boolean;
  /** The number of diffs that were left out: all of them together have 8 MiB, the newest first. */
  left_out: number;
}

const MAX_ENTRIES = 1000;
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * Reads the newest entries (default: 1,000), each with what it changed.
 */
export async function timeline(context: Context, options: TimelineOptions = {}): Promise<Timeline> {
  const { limit = MAX_ENTRIES } = options;
  const trail = await openTrail(context);
  const found: LogEntry[] = [];
  for await (const entry of logEntries(context, { limit: limit + 1 })) found.push(entry);
  const shown = found.slice(0, limit);
  const budget = new Budget(MAX_BYTES);
  const layers = await context.policies.layers(trail);
  const wanted = { edited: editedPaths(context, shown), layers };
  const commits = await Promise.all(shown.map(({ commit }) => readEntry(context.objects, commit)));
  const files = new TimelineFiles(budget, await timelineSources(context, trail, wanted, commits));
  const entries: TimelineEntry[] = [];
  for (const [at, entry] of shown.entries()) {
    budget.spend(JSON.stringify(entry));
    const { fileDiffs, others } = await shownDiffs(context, wanted, commits[at]!);
    const told = { files: files.of(entry.commit, fileDiffs), other_files: others };
    entries.push({ ...entry, became: statusWords(entry).join(', '), ...told });
  }
  return {
    name: context.root.split(/[\\/]/).at(-1) ?? '',
    trail: trail.ref.replace(/^refs\/(heads\/)?/, ''),
    head: trail.tip,
    time: context.now().toISOString(),
    entries,
    more: found.length > limit,
    left_out: budget.leftOut,
  };
}

/** The paths of the workspace that the engine's own commits name. */
function editedPaths(context: Context, entries: readonly LogEntry[]): Set<string> {
  const paths = entries.flatMap(entry => entry.paths).map(path => fromTrail(context, path));
  return new Set(paths.filter(path => path !== null));
}

/** The files that come first of commits that the engine did not make, and the policies that hold. */
interface Wanted {
  edited: ReadonlySet<string>;
  layers: readonly Layer[];
}

/** The most files to show of a commit that the engine did not make. */
const MAX_FOREIGN_FILES = 100;

/** The most lines that are looked up besides those that diffs add. */
const MOST_LINES = 500_000;

/** Differences that are shown, and how many files of the commit are not. */
interface ShownDiffs {
  fileDiffs: FileDiff[];
  others: number;
}

/** Diffs a commit for the page. A person's commit may change any number of files; of a sync only the edited ones are of interest. */
async function shownDiffs(
  context: Context,
  { edited, layers }: Wanted,
  entry: TrailEntry,
): Promise<ShownDiffs> {
  if (namesPaths(entry))
    return { fileDiffs: await commitDiffs(context, entry, undefined, layers), others: 0 };
  const { objects } = context;
  const [parent] = entry.parents;
  const before = parent && (await objects.has(parent)) ? (await readEntry(objects, parent)).tree : null;
  const all = await diffTrees(objects, before, entry.tree);
  const changes = all.filter(({ path }) => fromTrail(context, path) !== null);
  const shown = changes.filter(isRegular);
  const isEdited = ({ path }: TreeChange): boolean => edited.has(fromTrail(context, path) ?? '');
  const rest = entry.meta ? [] : shown.filter(change => !isEdited(change));
  const fileDiffs: FileDiff[] = [];
  for (const { path, before: old, after } of [...shown.filter(isEdited), ...rest].slice(0, MAX_FOREIGN_FILES))
    fileDiffs.push(await recordedDiff(context, layers, fromTrail(context, path)!, old, after));
  return { fileDiffs, others: changes.length - fileDiffs.length };
}

function isRegular({ before, after, utf8 }: TreeChange): boolean {
  return utf8 && [before, after].every(ref => ref === null || ref.mode.startsWith('100'));
}

/** Looks up the lines of the entries, newest first, that others wrote than the diffs tell, in one pass through history. */
async function timelineSources(
  context: Context,
  trail: TrailHead,
  wanted: Wanted,
  entries: readonly TrailEntry[],
): Promise<Sources> {
  const asked: BroughtFile[] = [];
  let left = MOST_LINES;
  for (const entry of entries.filter(mayBring))
    for (const fileDiff of (await shownDiffs(context, wanted, entry)).fileDiffs) {
      const lines = linesAfter(fileDiff);
      // A page counts lines as diffs do, which is by line feeds alone.
      if (!lines || lines.lineBreak === '\r') continue;
      // A way back may leave a line that is now again that of somebody else, where the whole file is as it was.
      const count = entry.parents.length > 1 || isOutside(entry.meta!.op) ? 0 : lines.count;
      asked.push(count <= left ? { entry, fileDiff, count } : { entry, fileDiff });
      left -= Math.min(count, left);
    }
  return lineSources(context, trail, asked);
}

function linesAfter({ path, after, binary }: FileDiff): Lines | null {
  return after && !binary ? linesOf(textFile(path, after.bytes, after.version).text) : null;
}
