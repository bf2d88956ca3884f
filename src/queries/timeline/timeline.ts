/** The trail as one plain value, for pictures and reports: who changed what and why, and all that replays the files. */

import { type Context, fromTrail } from '../../engine/context.ts';
import { statusWords } from '../../engine/status/status-words.ts';
import { openTrail } from '../../engine/trails/open-trail.ts';
import { readEntry } from '../../trail/walk.ts';
import { type LogEntry, logEntries } from '../log/history.ts';
import type { TimelineOptions } from '../read-options.ts';
import { shownDiffs, timelineSources } from './diffs.ts';
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
  /** The number of diffs and texts that were left out for `max_bytes`. */
  left_out: number;
  max_bytes: number;
}

const MAX_ENTRIES = 1000;
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * Reads the newest entries that fit the options (default: 1,000), each with what it changed. The text of a file at
 * any of its entries follows from the newest one by taking diffs back: see TimelineFile.
 */
export async function timeline(context: Context, options: TimelineOptions = {}): Promise<Timeline> {
  const { maxBytes = MAX_BYTES, limit = MAX_ENTRIES, ...filter } = options;
  const trail = await openTrail(context);
  const found: LogEntry[] = [];
  for await (const entry of logEntries(context, { ...filter, limit: limit + 1 })) found.push(entry);
  const shown = found.slice(0, limit);
  const budget = new Budget(maxBytes);
  const layers = await context.policies.layers(trail);
  const wanted = { path: options.path, edited: editedPaths(context, shown), layers };
  const commits = await Promise.all(shown.map(({ commit }) => readEntry(context.objects, commit)));
  const files = new TimelineFiles(budget, await timelineSources(context, wanted, commits));
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
    max_bytes: maxBytes,
  };
}

/** The paths of the workspace that the engine's own commits name. */
function editedPaths(context: Context, entries: readonly LogEntry[]): Set<string> {
  const paths = entries.flatMap(entry => entry.paths).map(path => fromTrail(context, path));
  return new Set(paths.filter(path => path !== null));
}
