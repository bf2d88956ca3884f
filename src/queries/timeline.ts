/** The trail as one plain value, for the page: who changed what and why. */

import type { Layer } from '../engine/admission/policy/policies.ts';
import { commitDiffs, recordedDiff } from '../engine/commit-diffs.ts';
import { type Context, fromTrail } from '../engine/context.ts';
import type { FileDiff } from '../engine/file-diffs.ts';
import { statusWords } from '../engine/status/status-words.ts';
import { openTrail } from '../engine/trails/open-trail.ts';
import { diffTrees, type TreeChange } from '../git/objects/tree-diff.ts';
import { namesPaths } from '../history/changed-paths.ts';
import { readEntry, readEntryOrNull, type TrailEntry } from '../history/walk.ts';
import { isHead, withoutOverwritten } from '../operations.ts';
import { type LogEntry, logEntries } from './log/history.ts';
import type { TimelineOptions } from './read-options.ts';

/** One file of one entry. */
export interface TimelineFile extends Pick<FileDiff, 'kind' | 'path' | 'added' | 'removed' | 'binary'> {
  /** The path before a move; older entries of the file have that one. */
  from: string | null;
  /** As git prints it; `null` when it was left out. */
  diff: string | null;
}

export interface TimelineEntry extends Omit<LogEntry, 'stats' | 'diff'> {
  /**
   * In the order of the commit; a file that a move overwrote comes last. Of a commit that the engine did not make, the
   * edited files come first.
   */
  files: TimelineFile[];
  /** The outcome of it in words; '' of one that is open. */
  became: string;
  /** The author of the commit of HEAD's that this brought; `null`: it brought none. */
  brought_by: string | null;
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
  const entries: TimelineEntry[] = [];
  for (const entry of shown) {
    budget.spend(JSON.stringify(entry));
    const commit = await readEntry(context.objects, entry.commit);
    const { fileDiffs, others } = await shownDiffs(context, wanted, commit);
    entries.push({
      ...entry,
      became: statusWords(entry).join(', '),
      brought_by: await broughtBy(context, commit),
      files: filesOf(fileDiffs, budget),
      other_files: others,
    });
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

/** Tells the files of one entry. One that a move overwrote was deleted before the move: read backwards, it comes last. */
function filesOf(fileDiffs: readonly FileDiff[], budget: Budget): TimelineFile[] {
  const named = new Set(withoutOverwritten(fileDiffs));
  const backwards = [...named, ...fileDiffs.filter(fileDiff => !named.has(fileDiff))];
  return backwards.map(({ kind, path, from, added, removed, binary, diff }) => ({
    ...{ kind, path, from, added, removed, binary },
    diff: budget.take(diff),
  }));
}

async function broughtBy({ objects }: Context, { meta }: TrailEntry): Promise<string | null> {
  const head = isHead(meta?.op) ? meta?.head : undefined;
  return head === undefined ? null : ((await readEntryOrNull(objects, head))?.author.name ?? null);
}

/** Counts what a timeline holds. One text may take at most half of what is left, so that none starves the rest. */
class Budget {
  leftOut = 0;
  #left: number;
  readonly #encoder = new TextEncoder();

  /** UTF-8 bytes. */
  constructor(bytes: number) {
    this.#left = bytes;
  }

  spend(text: string): void {
    this.#left -= this.#encoder.encode(text).length;
  }

  /** The text, or `null` when there is no room for it. */
  take(text: string): string | null {
    if (text !== '' && this.#encoder.encode(text).length > this.#left / 2) {
      this.leftOut++;
      return null;
    }
    this.spend(text);
    return text;
  }
}
